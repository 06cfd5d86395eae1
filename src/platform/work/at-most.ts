/**
 * Lets at most so many works of one kind run at once, first come, first served: the others' share of database and processor stays free. Whoever has waited for
 * `maxWaitMs` goes on all the same, so that nothing hangs behind what hangs.
 */
export function atMost(lanes: number, maxWaitMs: number) {
  let running = 0;
  const waiting: (() => void)[] = [];

  /** Resolves to true with the lane of one that has ended, to false without any. */
  const turn = () =>
    new Promise<boolean>((resolve) => {
      const late = setTimeout(() => {
        waiting.splice(waiting.indexOf(take), 1);
        resolve(false);
      }, maxWaitMs);
      const take = () => {
        clearTimeout(late);
        resolve(true);
      };
      waiting.push(take);
    });

  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const handedOn = running >= lanes && (await turn());
    if (!handedOn) running += 1;
    try {
      return await work();
    } finally {
      const next = running <= lanes ? waiting.shift() : undefined;
      if (next) next();
      else running -= 1;
    }
  };
}
