import cluster, { type Worker } from 'node:cluster';
import type { Logger } from 'pino';
import { type Answers, type Asked, isOurs } from './messages.ts';

/** Pause before an ended process is replaced, in ms. It doubles for each process that lived less than `livedMs`, up to `most`. */
const pause = { first: 100, most: 30_000 };
const livedMs = 60_000;

interface SeveralOptions {
  count: number;
  env?: Record<string, string>;
  answers: Answers;
  /** Time limit for closing all processes, in ms. */
  closeWithinMs: number;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Called each time another process has begun to serve. */
  onServes: () => void;
  /** Called when the only process ends before it serves; it has logged the reason. */
  giveUp: (signal: NodeJS.Signals | null) => void;
}

interface Place {
  worker: Worker;
  startedAt: number;
  serves: boolean;
  /** Number of consecutive processes that lived less than `livedMs`. */
  deaths: number;
}

/**
 * Runs several processes that serve the site at one address. This first process serves no requests: it distributes connections, replaces
 * ended processes and answers questions about shared counts. One process is started alone first, so that an error at start-up is reported
 * once. When this process dies, all others end.
 */
export class Several {
  readonly #options: SeveralOptions;
  readonly #places = new Map<number, Place>();
  readonly #pauses = new Set<NodeJS.Timeout>();
  /** All processes have been started; from now on each ended one is replaced. */
  #isComplete = false;
  #closing = false;
  #failed = false;
  #allGone: () => void = () => {};

  constructor(options: SeveralOptions) {
    this.#options = options;
    cluster.on('message', (worker, message) => {
      if (isOurs<Asked>(message, 'asked')) void this.#answer(worker, message);
    });
    cluster.on('listening', (worker) => this.#serves(worker));
    cluster.on('exit', (worker, code, signal) => this.#ended(worker, code, (signal as NodeJS.Signals | null) || null));
    // SIGKILL, since a hanging process would notice the lost channel too late.
    process.on('exit', () => this.#signal('SIGKILL'));
  }

  start(): void {
    this.#fork(0, 0);
  }

  /** Sends an announcement to each serving process. @returns the number of these processes */
  tell(about: string, news: unknown): number {
    const told = [...this.#places.values()].filter(({ serves, worker }) => serves && worker.isConnected());
    for (const { worker } of told) worker.send({ prepa: 'told', about, news });
    return told.length;
  }

  /** Ends all processes and waits for them. @returns whether each ended normally */
  async close(): Promise<boolean> {
    this.#closing = true;
    for (const timer of this.#pauses) clearTimeout(timer);
    const gone = new Promise<void>((resolve) => {
      this.#allGone = resolve;
    });
    if (this.#places.size === 0) return !this.#failed;
    const late = setTimeout(() => {
      this.#options.log.error({ processes: this.#places.size }, 'closing takes too long: processes are killed');
      this.#signal('SIGKILL');
    }, this.#options.closeWithinMs);
    this.#signal('SIGTERM');
    await gone;
    clearTimeout(late);
    return !this.#failed;
  }

  #fork(place: number, deaths: number): void {
    const { count, env } = this.#options;
    const worker = cluster.fork({ ...env, WEB_PROCESS_PLACE: String(place), WEB_PROCESSES_STARTED: String(count) });
    // A message to a process that has just died emits an error, which without a listener would end this process and so all others. The
    // 'exit' event follows.
    worker.on('error', (error) => this.#options.log.warn({ err: error, process: place }, 'a process could not be told something'));
    this.#places.set(place, { worker, startedAt: performance.now(), serves: false, deaths });
  }

  #serves(worker: Worker): void {
    const [, mine] = this.#find(worker);
    if (mine) mine.serves = true;
    this.#options.onServes();
    if (this.#closing || this.#isComplete) return;
    this.#isComplete = true;
    for (let place = 1; place < this.#options.count; place += 1) this.#fork(place, 0);
  }

  #ended(worker: Worker, code: number | null, signal: NodeJS.Signals | null): void {
    const [place, ended] = this.#find(worker);
    if (!ended) return;
    this.#places.delete(place);
    if (this.#closing) {
      // A process that has just been started has no handler yet and dies of SIGTERM.
      this.#failed ||= code !== 0 && signal !== 'SIGTERM';
      if (this.#places.size === 0) this.#allGone();
      return;
    }
    const others = [...this.#places.values()].some(({ serves }) => serves);
    if (!ended.serves && !others) {
      this.#closing = true;
      this.#options.giveUp(signal);
      return;
    }
    const deaths = performance.now() - ended.startedAt > livedMs ? 0 : ended.deaths;
    const pauseMs = Math.min(pause.most, pause.first * 2 ** deaths);
    this.#options.log.warn({ alert: 'process', process: place, code, signal, pauseMs }, 'a process has ended: another one takes its place');
    const timer = setTimeout(() => {
      this.#pauses.delete(timer);
      this.#fork(place, deaths + 1);
    }, pauseMs);
    this.#pauses.add(timer);
  }

  #find(worker: Worker): [number, Place | undefined] {
    return [...this.#places].find(([, { worker: known }]) => known === worker) ?? [-1, undefined];
  }

  #signal(signal: NodeJS.Signals): void {
    for (const { worker } of this.#places.values()) worker.process.kill(signal);
  }

  async #answer(worker: Worker, { number, about, question }: Asked): Promise<void> {
    const reply = (answer: object) => worker.isConnected() && worker.send({ prepa: 'answered', number, ...answer });
    try {
      reply({ answer: await this.#options.answers[about]?.(question as never) });
    } catch (error) {
      this.#options.log.error({ err: error, about }, 'a question of a process could not be answered');
      reply({ failed: true });
    }
  }
}
