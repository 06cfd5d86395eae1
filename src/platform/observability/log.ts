import { type DestinationStream, type Logger, pino } from 'pino';
import { isOneOfSeveral, place } from '../processes/first-process.ts';
import { type AlertKind, alertKinds } from './alert-kinds.ts';

const secrets = [
  'password',
  'confirmPassword',
  'currentPassword',
  'jeton',
  'token',
  'userToken',
  'adminToken',
  'adminKey1',
  'adminKey2',
  'authorization',
  'cookie',
  'phone',
  'email',
];

/** Lines wait for others this long, in ms, and until they are so many bytes together: written one by one, they cost an eighth of a page's CPU. */
const gathering = { periodicFlush: 250, minLength: 4096, sync: false };
/** The same for several processes that write to one pipe: it takes so many bytes in one piece, and a line of one must not stand within another's. */
const gatheringOfSeveral = { ...gathering, minLength: 3_000, maxWrite: 4_096 };
/** From this level on a line is written at once, with all that wait: what comes after it may be the process's end. */
const urgent = pino.levels.values.warn ?? 0;
/** Lines that wait to be written, in bytes; whatever comes on top is dropped. */
const maxWaiting = 1024 * 1024;

/** How many lines have said of each kind that a person must look. */
export const alertsLogged = new Map<AlertKind, number>(alertKinds.map((kind) => [kind, 0]));

function countAlert(said: unknown): void {
  const { alert } = (said ?? {}) as { alert?: AlertKind };
  if (alert !== undefined) alertsLogged.set(alert, (alertsLogged.get(alert) ?? 0) + 1);
}

let output: DestinationStream | undefined;

/** Standard output, one for the process: each has a timer. A disk that is full, or a reader that is gone, costs lines and not the process. */
function standardOutput(): DestinationStream {
  if (output) return output;
  const stream = pino.destination({ dest: 1, maxLength: maxWaiting, ...(isOneOfSeveral() ? gatheringOfSeveral : gathering) });
  // Of a stream without a listener an error ends the process.
  stream.on('error', () => {});
  output = stream;
  return output;
}

/** What each line of a request's log says of it. */
const ofRequest = Symbol('of a request');

declare module 'pino' {
  interface LoggerExtras {
    [ofRequest]?: object;
  }
}

/** A request's own log. pino's `child` would look for secrets in the request's id by each of their paths, for every request, most of which write nothing. */
export const requestLogOf = <Log extends object>(log: Log, said: object): Log => Object.assign(Object.create(log), { [ofRequest]: said });

/** Structured logs. Known secrets are redacted wherever they stand; a request is logged by its path alone, never its query or body. */
export function createLog(level: string, destination: DestinationStream = standardOutput()): Logger {
  return pino(
    {
      level,
      hooks: {
        logMethod(args, write, lineLevel) {
          if (lineLevel >= urgent) countAlert(args[0]);
          write.apply(this, args);
          if (lineLevel >= urgent) this.flush();
        },
      },
      // A copy: pino writes the line's own fields into it.
      mixin: (_line, _level, log) => ({ ...log[ofRequest] }),
      // Which one says it.
      base: isOneOfSeveral() ? { process: place() } : null,
      redact: { paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[…]' },
      serializers: { err: describeError, error: describeError },
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
}

/** An error without the values of the statement that failed: the database driver's own messages quote them. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: typeof error };
  const driver = error as Error & { code?: unknown; constraint?: unknown; sqlMessage?: string };
  const fromDatabase = typeof driver.code === 'string' && /^[0-9A-Z]{5}$/.test(driver.code);
  return {
    type: error.name,
    code: driver.code,
    constraint: driver.constraint,
    message: fromDatabase ? 'database error' : error.message,
    stack: fromDatabase
      ? error.stack
          ?.split('\n')
          .filter((line) => /^\s+at /.test(line))
          .join('\n')
      : error.stack,
  };
}
