/**
 * Why a task was not done: it took too long ('time'), its worker died, mostly for lack of memory ('death'), too many tasks are waiting
 * ('busy'), or its turn did not come in time ('waited'). The last two do not depend on the task itself.
 */
export class WorkError extends Error {
  override name = 'WorkError';
  readonly reason: 'time' | 'death' | 'busy' | 'waited';

  constructor(reason: WorkError['reason'], cause?: unknown) {
    super(`work refused: ${reason}`, { cause });
    this.reason = reason;
  }
}

/**
 * Limits the number of concurrent tasks; others wait here in order of arrival. The queue of Tinypool is not used: its tasks' timeouts would
 * run while they wait, and after a worker is ended or has died, they would wait until another task is submitted.
 */
export class Turns {
  #free: number;
  readonly #maxWaiting: number;
  readonly #waiting = new Set<(refusal?: WorkError) => void>();

  /** @param maxWaiting further tasks are refused */
  constructor(free: number, maxWaiting: number) {
    this.#free = free;
    this.#maxWaiting = maxWaiting;
  }

  /** Returns whether a further task would be refused at once. */
  get isFull(): boolean {
    return this.#free === 0 && this.#waiting.size >= this.#maxWaiting;
  }

  /** @throws WorkError if too many tasks are waiting, or no turn has come within `waitMs` */
  async run<Result>(waitMs: number, work: () => Promise<Result>): Promise<Result> {
    await this.#take(waitMs);
    try {
      return await work();
    } finally {
      this.#giveBack();
    }
  }

  async #take(waitMs: number): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    if (this.isFull) throw new WorkError('busy');
    await new Promise<void>((resolve, reject) => {
      const go = (refusal?: WorkError) => {
        clearTimeout(timer);
        this.#waiting.delete(go);
        if (refusal) reject(refusal);
        else resolve();
      };
      const timer = setTimeout(() => go(new WorkError('waited')), waitMs);
      this.#waiting.add(go);
    });
  }

  #giveBack(): void {
    const [next] = this.#waiting;
    if (next) next();
    else this.#free += 1;
  }

  dismiss(): void {
    for (const go of this.#waiting) go(new WorkError('busy'));
  }
}
