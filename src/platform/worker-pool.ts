import { availableParallelism } from 'node:os';
import Tinypool from 'tinypool';
import type { Answer, Question } from './worker-questions.ts';

/** Why a piece of work was not done: it took too long, its worker died of it (of memory, mostly), or too much waits already. */
export class WorkError extends Error {
  override name = 'WorkError';
  readonly reason: 'time' | 'death' | 'busy';

  constructor(reason: WorkError['reason'], cause: unknown) {
    super(`work refused: ${reason}`, { cause });
    this.reason = reason;
  }
}

interface WorkerPoolOptions {
  /** The worker's module; its default export takes a task and answers its result. */
  file: URL;
  /** A worker whose heap takes more dies, in MB. */
  memoryMb: number;
  /** Tasks that wait, at most. */
  queue: number;
}

/** What a task may ask while it is done (see worker-questions.ts). A rejection reaches it as an error without details. */
type Answerer = (question: unknown) => Promise<unknown>;

/** How long a worker without work is kept, in ms: starting one takes half a second. */
const idleMs = 5 * 60_000;

/**
 * Processes for work that must not hold up or take down this one, whatever it is given: a thread out of memory may end the process that it is
 * in. They are started when they are first needed, no more than leave a core to the rest, and know nothing of this one's environment.
 */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  #pool: Tinypool | undefined;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  /**
   * @param limitMs from now to the result, waiting included
   * @throws WorkError, and whatever the worker throws: its name, message and own properties
   */
  async run<Result>(task: unknown, limitMs: number, answer?: Answerer): Promise<Result> {
    this.#pool ??= this.#open();
    const signal = AbortSignal.timeout(limitMs);
    const channel = answer && new QuestionChannel(answer);
    try {
      return (await this.#pool.run(task, { signal, ...(channel && { channel }) })) as Result;
    } catch (error) {
      if (signal.aborted) throw new WorkError('time', error);
      if (error instanceof Error && /exited unexpectedly/.test(error.message)) throw new WorkError('death', error);
      if (error instanceof Error && /queue/i.test(error.message)) throw new WorkError('busy', error);
      throw error;
    } finally {
      channel?.close();
    }
  }

  async close(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    await pool?.destroy();
  }

  #open(): Tinypool {
    const { file, memoryMb, queue } = this.#options;
    const { NODE_COMPILE_CACHE } = process.env;
    const pool = new Tinypool({
      runtime: 'child_process',
      serialization: 'advanced',
      filename: file.href,
      minThreads: 0,
      maxThreads: Math.max(1, availableParallelism() - 1),
      idleTimeout: idleMs,
      maxQueue: queue,
      // Hooks and secrets of this process are none of theirs.
      execArgv: [`--max-old-space-size=${memoryMb}`],
      env: NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {},
    });
    // One that dies without work is replaced by the next task.
    pool.on('error', () => {});
    return pool;
  }
}

/** Carries a task's questions to this process and the answers back, until the task has ended. */
class QuestionChannel {
  readonly #answer: Answerer;
  #send: ((answer: Answer) => void) | undefined;

  constructor(answer: Answerer) {
    this.#answer = answer;
  }

  onMessage(send: (answer: Answer) => void): void {
    this.#send = send;
  }

  postMessage({ number, question }: Question): void {
    this.#answer(question).then(
      (answer) => this.#send?.({ number, answer }),
      () => this.#send?.({ number, failed: true }),
    );
  }

  close(): void {
    this.#send = undefined;
  }
}
