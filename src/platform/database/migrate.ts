import { setTimeout as sleep } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';

export interface MigrateOptions {
  /** Lock timeout of a statement, in ms. Later statements on the table wait as long. */
  lockTimeoutMs?: number;
  /** Number of attempts for a migration that does not get its locks. */
  tries?: number;
  /** Pause between two attempts, in ms, in which waiting statements can run. */
  pauseMs?: number;
}

export const migrateDefaults = { lockTimeoutMs: 1_000, tries: 60, pauseMs: 2_000 } satisfies Required<MigrateOptions>;

/** Connections needed: one holds the migration lock, one runs the migrations. */
export const migrateConnections = 2;

/**
 * Applies all pending migrations, oldest first, each committed separately. A migration that does not get its locks is retried after a
 * pause.
 * @returns the names of the applied migrations
 * @throws Error in French when a migration never gets its locks; applied migrations stay, and the next run continues after them
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

/**
 * Lets one process migrate at a time. Polls the lock: a session that waits in PostgreSQL holds a snapshot, for which building an index
 * would wait.
 */
async function takeTurn(orm: MikroORM): Promise<() => void> {
  const pool = await orm.em.getConnection().getNativeClient();
  const client = await pool.connect();
  try {
    for (;;) {
      const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock(hashtextextended('migration', 0)) as taken");
      // Ending the session releases the lock.
      if (rows[0]?.taken) return () => client.release(true);
      await sleep(200);
    }
  } catch (error) {
    client.release(true);
    throw error;
  }
}

const isLockTimeout = (error: unknown): boolean => (error as { code?: unknown }).code === '55P03';
