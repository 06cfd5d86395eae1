import { availableParallelism } from 'node:os';
import Tinypool from 'tinypool';

/** Why a piece of work was not done: it took too long or too much memory, or too much waits already. */
export class WorkError extends Error {
  override name = 'WorkError';
  readonly reason: 'time' | 'memory' | 'busy';

  constructor(reason: WorkError['reason'], cause: unknown) {
    super(`work refused: ${reason}`, { cause });
    this.reason = reason;
  }
}

interface WorkerPoolOptions {
  /** The worker's module; its default export takes a task and answers its result. */
  file: URL;
  /** A worker that takes more is ended, in MB. */
  memoryMb: number;
  /** Tasks that wait, at most. */
  queue: number;
}

/** How long a worker without work is kept, in ms: starting one takes half a second. */
const idleMs = 5 * 60_000;

/**
 * Threads for work that must not hold up other requests, whatever it is given: there only can it be stopped. They are started when they are first
 * needed, and no more than leave a core to the rest.
 */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  #pool: Tinypool | undefined;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  /**
   * @param limitMs from now to the result, waiting included
   * @throws WorkError, and whatever the worker throws
   */
  async run<Result>(task: unknown, limitMs: number, transferList: ArrayBuffer[] | MessagePort[] = []): Promise<Result> {
    this.#pool ??= this.#open();
    const signal = AbortSignal.timeout(limitMs);
    try {
      return (await this.#pool.run(task, { signal, transferList: transferList as never })) as Result;
    } catch (error) {
      if (signal.aborted) throw new WorkError('time', error);
      if ((error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY') throw new WorkError('memory', error);
      if (error instanceof Error && /queue/i.test(error.message)) throw new WorkError('busy', error);
      throw error;
    }
  }

  async close(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    await pool?.destroy();
  }

  #open(): Tinypool {
    const { file, memoryMb, queue } = this.#options;
    return new Tinypool({
      filename: file.href,
      minThreads: 0,
      maxThreads: Math.max(1, availableParallelism() - 1),
      idleTimeout: idleMs,
      maxQueue: queue,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
      // Hooks of this process are none of theirs.
      execArgv: [],
    });
  }
}
