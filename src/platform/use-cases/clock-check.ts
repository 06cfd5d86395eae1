import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../errors.ts';
import { systemClock } from './clock.ts';
import type { UseCaseContext } from './events.ts';

/** This machine's clock and the database's may differ by so much, in ms. Further apart, one of them is wrong, and nobody can tell which. */
export const maxClockDifferenceMs = 5 * 60_000;
/** Between two looks of a server at its clock, in ms. */
const lookEveryMs = 60_000;

/** This machine's clock and the database's differ: days that learners have paid for would be given, ended or taken by the wrong one. */
export class WrongClockError extends AppError {
  /** Positive where this machine is ahead. */
  readonly differenceMs: number;

  constructor(differenceMs: number) {
    super('SERVER.CLOCK', 503, 'Le service est momentanément indisponible. Réessayez dans un instant.', { retryAfter: 60 });
    this.differenceMs = differenceMs;
  }
}

/** How far this machine's clock is ahead of the database's, in ms; negative: behind. A clock that was moved on purpose (`--at`) is not asked. */
export async function clockDifference(em: EntityManager): Promise<number> {
  const before = systemClock.now().getTime();
  const [row] = await em.execute<{ now_ms: number }[]>('select extract(epoch from clock_timestamp())::float8 * 1000 as now_ms');
  const after = systemClock.now().getTime();
  return (before + after) / 2 - Number(row?.now_ms);
}

/**
 * Stands before whatever gives, ends or takes days, or removes what is old, by our clock.
 * @throws WrongClockError when this machine and the database differ by more than 5 minutes
 */
export async function requireRightClock(em: EntityManager): Promise<void> {
  const difference = await clockDifference(em);
  if (Math.abs(difference) > maxClockDifferenceMs) throw new WrongClockError(difference);
}

/** For operators: which way, and how far. */
export function describeClockDifference(differenceMs: number): string {
  const minutes = Math.round(Math.abs(differenceMs) / 60_000);
  const [count, unit] = minutes < 120 ? [minutes, 'minute'] : minutes < 2_880 ? [minutes / 60, 'heure'] : [minutes / 1_440, 'jour'];
  const amount = `${Math.round(count)} ${unit}s`;
  return `l'horloge de cette machine ${differenceMs > 0 ? 'avance' : 'retarde'} de ${amount} sur celle de la base de données`;
}

/** Looks at once and every minute, and tells the log when the clock becomes wrong and when it is right again. @returns what ends it */
export function watchClock(fork: () => EntityManager, log: UseCaseContext['log']): () => void {
  let told = false;
  const look = async () => {
    const differenceMs = Math.round(await clockDifference(fork()));
    const wrong = Math.abs(differenceMs) > maxClockDifferenceMs;
    if (wrong === told) return;
    told = wrong;
    if (wrong)
      log.error(
        { alert: 'clock', differenceMs },
        'the clocks of this machine and of the database differ: no payment begins, no days change',
      );
    else log.info({ alert: 'clock', differenceMs }, 'the clocks of this machine and of the database agree again');
  };
  // A database that is away is told of elsewhere.
  const lookAgain = () => void look().catch(() => {});
  lookAgain();
  const timer = setInterval(lookAgain, lookEveryMs).unref();
  return () => clearInterval(timer);
}
