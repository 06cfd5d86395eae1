import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../errors.ts';
import { systemClock } from './clock.ts';
import type { UseCaseContext } from './events.ts';

/** Maximum difference between this machine's clock and the database's, in ms. Above it one clock is wrong; which one is unknown. */
export const maxClockDifferenceMs = 5 * 60_000;
/** Interval of the clock check, in ms. */
const lookEveryMs = 60_000;

/** The clocks of this machine and of the database differ: paid days could be granted, ended or removed at the wrong time. */
export class WrongClockError extends AppError {
  /** Positive if this machine is ahead. */
  readonly differenceMs: number;

  constructor(differenceMs: number) {
    super('SERVER.CLOCK', 503, 'Le service est momentanément indisponible. Réessayez dans un instant.', { retryAfter: 60 });
    this.differenceMs = differenceMs;
  }
}

/** Returns how far this machine's clock is ahead of the database's, in ms; negative if behind. Ignores a clock set by `--at`. */
export async function clockDifference(em: EntityManager): Promise<number> {
  const before = systemClock.now().getTime();
  const [row] = await em.execute<{ now_ms: number }[]>('select extract(epoch from clock_timestamp())::float8 * 1000 as now_ms');
  const after = systemClock.now().getTime();
  return (before + after) / 2 - Number(row?.now_ms);
}

/**
 * Must be called before any change that grants, ends or removes days or deletes old data by this machine's clock.
 * @throws WrongClockError when this machine and the database differ by more than 5 minutes
 */
export async function requireRightClock(em: EntityManager): Promise<void> {
  const difference = await clockDifference(em);
  if (Math.abs(difference) > maxClockDifferenceMs) throw new WrongClockError(difference);
}

/** Returns direction and size of the difference for operators, in French. */
export function describeClockDifference(differenceMs: number): string {
  const minutes = Math.round(Math.abs(differenceMs) / 60_000);
  const [count, unit] = minutes < 120 ? [minutes, 'minute'] : minutes < 2_880 ? [minutes / 60, 'heure'] : [minutes / 1_440, 'jour'];
  const amount = `${Math.round(count)} ${unit}s`;
  return `l'horloge de cette machine ${differenceMs > 0 ? 'avance' : 'retarde'} de ${amount} sur celle de la base de données`;
}

/**
 * Checks the clock now and every minute; logs when it becomes wrong and when it is right again.
 * @returns a function that stops the checks
 */
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
  // An unreachable database is reported by the health checks.
  const lookAgain = () => void look().catch(() => {});
  lookAgain();
  const timer = setInterval(lookAgain, lookEveryMs).unref();
  return () => clearInterval(timer);
}
