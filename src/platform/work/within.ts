/**
 * Resolves to the result of `work`, or to `late()` after `limitMs`. The work then continues, but its result is ignored.
 * @throws the error of either
 */
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
