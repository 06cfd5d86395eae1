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

/** Lines are buffered for this time, in ms, or until they have this many bytes: single writes cost an eighth of a page's CPU time. */
const gathering = { periodicFlush: 250, minLength: 4096, sync: false };
/** Settings for several processes on one pipe: writes up to `maxWrite` bytes are atomic, so lines of different processes do not mix. */
const gatheringOfSeveral = { ...gathering, minLength: 3_000, maxWrite: 4_096 };
/** From this level on a line is written at once, with all buffered ones: the process may end right after it. */
const urgent = pino.levels.values.warn ?? 0;
/** Maximum size of the buffered lines, in bytes; further lines are dropped. */
const maxWaiting = 1024 * 1024;

export const alertsLogged = new Map<AlertKind, number>(alertKinds.map((kind) => [kind, 0]));

function countAlert(said: unknown): void {
  const { alert } = (said ?? {}) as { alert?: AlertKind };
  if (alert !== undefined) alertsLogged.set(alert, (alertsLogged.get(alert) ?? 0) + 1);
}

let output: DestinationStream | undefined;

/**
 * Returns standard output, one stream per process, since each has a timer. A full disk or a closed pipe loses lines but does not end the
 * process.
 */
function standardOutput(): DestinationStream {
  if (output) return output;
  const stream = pino.destination({ dest: 1, maxLength: maxWaiting, ...(isOneOfSeveral() ? gatheringOfSeveral : gathering) });
  // A stream error without a listener would end the process.
  stream.on('error', () => {});
  output = stream;
  return output;
}

/** Key of the fields that are added to each line of a request's log. */
const ofRequest = Symbol('of a request');

declare module 'pino' {
  interface LoggerExtras {
    [ofRequest]?: object;
  }
}

/**
 * Returns a request's own logger. pino's `child` would search the fields for secrets at each request, although most requests log nothing.
 */
export const requestLogOf = <Log extends object>(log: Log, said: object): Log => Object.assign(Object.create(log), { [ofRequest]: said });

/** Returns a logger that writes JSON lines. Known secrets are redacted. Requests are logged by path only, without query and body. */
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
      // A copy, since pino writes the line's own fields into this object.
      mixin: (_line, _level, log) => ({ ...log[ofRequest] }),
      // The process that writes the line.
      base: isOneOfSeveral() ? { process: place() } : null,
      redact: { paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[…]' },
      serializers: { err: describeError, error: describeError },
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
}

/** Returns the log fields of an error. Messages of database errors are left out, since they quote values of the statement. */
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
