import type { FastifyBaseLogger } from 'fastify';

type Child = FastifyBaseLogger['child'];
type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
type Line = Parameters<FastifyBaseLogger[Level]>;

/** A log with bindings, made with its first line: most requests write none but the one of their end, and making one costs more than that line. */
export class LateLog implements FastifyBaseLogger {
  readonly #parent: FastifyBaseLogger;
  readonly #given: Parameters<Child>;
  #made: FastifyBaseLogger | undefined;

  constructor(parent: FastifyBaseLogger, ...given: Parameters<Child>) {
    this.#parent = parent;
    this.#given = given;
  }

  get #log(): FastifyBaseLogger {
    this.#made ??= this.#parent.child(...this.#given);
    return this.#made;
  }

  #write(level: Level, line: Line): void {
    this.#log[level](...line);
  }

  get level() {
    return this.#log.level;
  }

  set level(level) {
    this.#log.level = level;
  }

  child(...given: Parameters<Child>): FastifyBaseLogger {
    return this.#log.child(...given);
  }

  trace(...line: Line): void {
    this.#write('trace', line);
  }

  debug(...line: Line): void {
    this.#write('debug', line);
  }

  info(...line: Line): void {
    this.#write('info', line);
  }

  warn(...line: Line): void {
    this.#write('warn', line);
  }

  error(...line: Line): void {
    this.#write('error', line);
  }

  fatal(...line: Line): void {
    this.#write('fatal', line);
  }

  silent(...line: Line): void {
    this.#write('silent', line);
  }
}
