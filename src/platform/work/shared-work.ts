/** What several callers wait for is done once for all of them, and given up when the last of them no longer waits. */
export class SharedWork<Result> {
  readonly #running = new Map<string, { result: Promise<Result>; waiting: number; abort: AbortController }>();

  /**
   * Returns what `work` makes, which may already run for another caller with the same key. A failure is that of all who wait.
   * @param caller ends this caller's waiting: the returned promise is rejected with its reason
   * @param work must stop when its signal is aborted
   */
  async join(key: string, caller: AbortSignal, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    caller.throwIfAborted();
    const shared = this.#running.get(key) ?? this.#start(key, work);
    shared.waiting += 1;
    let leave = () => {};
    try {
      const left = new Promise<never>((_resolve, reject) => {
        leave = () => reject(caller.reason);
        caller.addEventListener('abort', leave);
      });
      return await Promise.race([shared.result, left]);
    } finally {
      caller.removeEventListener('abort', leave);
      shared.waiting -= 1;
      if (shared.waiting === 0) {
        shared.abort.abort();
        if (this.#running.get(key) === shared) this.#running.delete(key);
      }
    }
  }

  #start(key: string, work: (signal: AbortSignal) => Promise<Result>) {
    const abort = new AbortController();
    const result = work(abort.signal);
    const shared = { result, waiting: 0, abort };
    this.#running.set(key, shared);
    // Whoever waits is told; nobody may be left.
    result.catch(() => {});
    return shared;
  }
}
