const last = new Map<string, Promise<unknown>>();

/** Runs works of the same name one after the other, within this process. */
export async function inTurn<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const before = last.get(name);
  const mine = (before ?? Promise.resolve()).then(work, work);
  last.set(name, mine);
  try {
    return await mine;
  } finally {
    if (last.get(name) === mine) last.delete(name);
  }
}
