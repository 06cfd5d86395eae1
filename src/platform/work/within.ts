/** What `work` comes to, or `late` once it has taken longer, in ms: what was begun goes on, and nobody waits for it any more. @throws what either throws */
export async function within<Result, Late>(work: Promise<Result>, limitMs: number, late: () => Late): Promise<Result | Late> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  try {
    return await Promise.race([work, over.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
