import type { FastifyBaseLogger } from 'fastify';
import { Counter, Gauge, type Metric } from 'prom-client';
import type { Load, LoadClass } from './admission.ts';

/** Interval of log lines while requests are refused, in ms. */
const summaryMs = 10_000;

/**
 * Counts refused requests: each for /metrics, and in the log only as a summary, since a line per request would cost as much as answering
 * it.
 */
export class Refusals {
  readonly #log: FastifyBaseLogger;
  readonly #load: () => Load;
  readonly #counter = new Counter({
    name: 'prepa_requests_refused_total',
    help: 'Requests refused since more came than can be answered in time, by what they were for and by what was too high',
    labelNames: ['class', 'reason'] as const,
    registers: [],
  });
  #refused: Record<string, number> = {};
  #timer: NodeJS.Timeout | null = null;

  constructor(log: FastifyBaseLogger, load: () => Load) {
    this.#log = log;
    this.#load = load;
  }

  get metrics(): Metric[] {
    const gauge = (name: string, help: string, read: (load: Load) => number, aggregator: 'sum' | 'max' = 'sum') => {
      const load = this.#load;
      return new Gauge({
        name,
        help,
        aggregator,
        registers: [],
        collect() {
          this.set(read(load()));
        },
      });
    };
    return [
      this.#counter,
      gauge('prepa_requests_under_way', 'Requests that may be refused and have no answer yet', ({ underWay }) => underWay),
      gauge('prepa_event_loop_wait_seconds', 'How long what arrives waits until it is looked at', ({ delayMs }) => delayMs / 1000, 'max'),
    ];
  }

  count(loadClass: LoadClass, reason: keyof Load | 'queue'): void {
    this.#counter.inc({ class: loadClass, reason });
    const what = reason === 'queue' ? reason : loadClass;
    this.#refused[what] = (this.#refused[what] ?? 0) + 1;
    this.#timer ??= setTimeout(() => this.summarise(), summaryMs).unref();
  }

  /** Logs the refusals since the last summary, if there were any. */
  summarise(): void {
    if (this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#log.warn({ alert: 'overload', refused: this.#refused, load: this.#load() }, 'more requests than can be answered in time');
    this.#refused = {};
  }
}
