import { setTimeout as sleep } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';

export interface MigrateOptions {
  /** How long a statement may wait for a lock, in ms: whoever comes after it waits as long. */
  lockTimeoutMs?: number;
  /** How often a migration is tried when it does not get its locks. */
  tries?: number;
  /** Between two tries, in ms: those who have waited go first. */
  pauseMs?: number;
}

export const migrateDefaults = { lockTimeoutMs: 1_000, tries: 60, pauseMs: 2_000 } satisfies Required<MigrateOptions>;

/** Connections that it takes: one to keep others away, one to work on. */
export const migrateConnections = 2;

/**
 * Applies every missing migration, oldest first, each committed by itself; one that cannot have its locks lets the others pass and is tried again. Answers
 * the names applied. @throws Error in French when the locks were never to be had; what was applied before stays, and the next run goes on from there
 */
export async function migrate(orm: MikroORM, { tries, pauseMs }: Pick<Required<MigrateOptions>, 'tries' | 'pauseMs'>): Promise<string[]> {
  const giveBack = await takeTurn(orm);
  try {
    const applied: string[] = [];
    for (const { name } of await orm.migrator.getPending()) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          await orm.migrator.up({ migrations: [name] });
          break;
        } catch (error) {
          if (!isLockTimeout(error)) throw error;
          if (attempt === tries)
            throw new Error(`La migration ${name} attend un verrou qui ne se libère pas : réessayez plus tard.`, { cause: error });
          await sleep(pauseMs);
        }
      }
      applied.push(name);
    }
    return applied;
  } finally {
    giveBack();
  }
}

/** One process at a time. Asked again and again: who waits in PostgreSQL itself has a snapshot open, which building an index would wait for. */
async function takeTurn(orm: MikroORM): Promise<() => void> {
  const pool = await orm.em.getConnection().getNativeClient();
  const client = await pool.connect();
  try {
    for (;;) {
      const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock(hashtextextended('migration', 0)) as taken");
      // The lock goes with its session.
      if (rows[0]?.taken) return () => client.release(true);
      await sleep(200);
    }
  } catch (error) {
    client.release(true);
    throw error;
  }
}

const isLockTimeout = (error: unknown): boolean => (error as { code?: unknown }).code === '55P03';
