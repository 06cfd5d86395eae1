/**
 * Why a piece of work was not done: it took too long, its worker died of it (of memory, mostly), too much waits already, or its turn did not come in
 * time. The last two say nothing about the work itself.
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
 * Lets so many work at the same time; the others wait here, in the order in which they came. In the library's own queue the clock of each would run
 * meanwhile, and behind a worker that was ended, or has died, they would wait until somebody else asks for work.
 */
export class Turns {
  #free: number;
  readonly #maxWaiting: number;
  readonly #waiting = new Set<(refusal?: WorkError) => void>();

  /** @param maxWaiting the next one is refused */
  constructor(free: number, maxWaiting: number) {
    this.#free = free;
    this.#maxWaiting = maxWaiting;
  }

  /** Whether one more would be refused at once. */
  get isFull(): boolean {
    return this.#free === 0 && this.#waiting.size >= this.#maxWaiting;
  }

  /** @throws WorkError when too many wait already, or no turn has come within `waitMs` */
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
