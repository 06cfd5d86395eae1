import { z } from 'zod';

// Passed to each call: zod's own language setting would apply to the whole process.
const inFrench = { error: z.locales.fr().localeError };

/** An error with an HTTP status and a French message that is safe to show. */
export class SimulatorError extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.name = 'SimulatorError';
    this.statusCode = statusCode;
  }
}

/** Parses the value. Throws a 400 {@link SimulatorError} that lists every fault. */
export function parse<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value, inFrench);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) => (path.length > 0 ? `${path.join('.')} : ${message}` : message));
  throw new SimulatorError(400, faults.join(' ; '));
}

/** Returns the status and message to send: the error's own below 500, a general message otherwise. */
export function describeError(error: unknown): { statusCode: number; message: string } {
  const statusCode = error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500;
  if (error instanceof SimulatorError || (error instanceof Error && statusCode < 500)) return { statusCode, message: error.message };
  return { statusCode: 500, message: 'Erreur interne du simulateur.' };
}
