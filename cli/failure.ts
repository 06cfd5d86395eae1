import { CommanderError } from 'commander';
import { ConfigError } from '../src/platform/config.ts';
import { AppError } from '../src/platform/errors.ts';

/** Ends a command with a French message and this exit code. */
export class CliError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Wrong usage: exit code 2. */
export const usageError = (message: string) => new CliError(message, 2);

/** Writes one clear French line for whatever went wrong; answers the exit code. */
export function reportFailure(error: unknown): number {
  // Commander has written its own message already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof CliError) {
    console.error(error.message);
    return error.exitCode;
  }
  if (error instanceof ConfigError || error instanceof AppError) {
    const fields = error instanceof AppError ? (error.errors ?? []).map(({ message }) => message) : [];
    console.error([error.message, ...fields].join(' '));
    return 1;
  }
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') console.error('La base de données est injoignable : vérifiez DATABASE_URL.');
  else if (code === '42P01') console.error("Des tables manquent : lancez d'abord « prepa db migrate ».");
  else console.error(`La commande a échoué : ${message}`);
  return 1;
}
