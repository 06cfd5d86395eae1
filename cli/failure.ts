import { CommanderError } from 'commander';
import { describeStartupRefusal } from '../src/platform/database/connections/startup-refusal.ts';
import { describeTlsFailure } from '../src/platform/database/connections/tls-failure.ts';
import { isDatabaseAway } from '../src/platform/database/database-away.ts';
import { AppError } from '../src/platform/errors.ts';
import { StoreFault } from '../src/platform/files/store-fault.ts';
import { MailError } from '../src/platform/mail/mailer.ts';
import { ConfigError } from '../src/platform/settings/config.ts';
import { describeClockDifference, WrongClockError } from '../src/platform/use-cases/clock-check.ts';

/** Ends a command with a French message and this exit code. */
export class CliError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Returns an error for wrong usage, with exit code 2. */
export const usageError = (message: string) => new CliError(message, 2);

/** Writes one French line for any error. Returns the exit code. */
export function reportFailure(error: unknown): number {
  // Commander has already written its message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof CliError) {
    console.error(error.message);
    return error.exitCode;
  }
  console.error(explain(error));
  return 1;
}

/** The French name of a database and the setting that holds its address. */
interface Named {
  database: string;
  address: string;
}

const ofTheSite: Named = { database: 'La base de données', address: 'DATABASE_URL' };

/** Returns one French line for an error. @param named the database that was queried */
export function explain(error: unknown, { database, address }: Named = ofTheSite): string {
  if (error instanceof WrongClockError)
    return `Refusé : ${describeClockDifference(error.differenceMs)}. Rien n'a été changé : mettez-les à l'heure, puis recommencez.`;
  if (error instanceof ConfigError || error instanceof AppError) {
    const fields = error instanceof AppError ? (error.errors ?? []).map(({ message }) => message) : [];
    return [error.message, ...fields].join(' ');
  }
  if (error instanceof MailError) return error.message;
  if (error instanceof StoreFault)
    return `Le magasin de fichiers S3 n'a pas fait ce qui lui était demandé (${error.message}) : « prepa doctor » dit pourquoi.`;
  const refusal = describeTlsFailure(error, address) ?? describeStartupRefusal(error);
  if (refusal !== null) return refusal;
  const { code, message, cause } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
      return `${database} est injoignable : vérifiez ${address}.`;
    case '28P01':
    case '28000':
      return `${database} refuse ce nom ou ce mot de passe : vérifiez ${address}.`;
    case '3D000':
      return `Cette base de données n'existe pas : vérifiez ${address}, ou créez-la.`;
    case '42P01':
      return "Des tables manquent : lancez d'abord « prepa db migrate ».";
    default:
      if (isDatabaseAway(error)) return `${database} est momentanément indisponible (${code ?? message}) : réessayez dans un instant.`;
      if (message === 'fetch failed') return `aucune réponse (${(cause as NodeJS.ErrnoException | undefined)?.code ?? 'réseau'})`;
      return `La commande a échoué : ${message}`;
  }
}
