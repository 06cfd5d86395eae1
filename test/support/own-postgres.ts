import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../src/platform/database/embedded-postgres/embedded-postgres.ts';
import { createTemplate } from './template.ts';

/** Ways to stop PostgreSQL: `fast` ends its sessions first, `immediate` causes a crash recovery, `kill` kills only the postmaster. */
const signals = { fast: 'SIGINT', immediate: 'SIGQUIT', kill: 'SIGKILL' } as const;
export type Stop = keyof typeof signals;

/** Commits must survive a crash of the server, but not of the machine. */
const settings = { fsync: 'off', full_page_writes: 'off', max_connections: '100' };
const maxStopMs = 20_000;

export interface OwnPostgres {
  url: string;
  dataDir: string;
  /** Stops the server and restarts it on the same port. */
  restart(stop: Stop): Promise<void>;
  /** Stops the server permanently. */
  end(stop: Stop): Promise<void>;
}

/** Starts a PostgreSQL server with the migrated template that the test may stop. @param own settings of this server */
export async function startOwnPostgres(t: Pick<Test, 'teardown'>, own: Record<string, string> = {}): Promise<OwnPostgres> {
  const dataDir = mkdtempSync(join(tmpdir(), 'prepa-own-'));
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  const lives: EmbeddedPostgres[] = [];
  t.teardown(async () => {
    for (const life of lives.toReversed()) await life.close();
  });
  const first = await openEmbeddedPostgres({ dataDir, settings: { ...settings, ...own } });
  lives.push(first);
  await createTemplate(first.url);
  const { port } = new URL(first.url);

  const stopped = async (stop: Stop) => {
    const running = lives.at(-1) as EmbeddedPostgres;
    const lock = join(dataDir, 'postgres', 'postmaster.pid');
    process.kill(Number(readFileSync(lock, 'utf8').split('\n')[0]), signals[stop]);
    await Promise.race([
      running.ended,
      sleep(maxStopMs, undefined, { ref: false }).then(() => {
        throw new Error('PostgreSQL does not stop');
      }),
    ]);
  };
  const start = async () => {
    for (let tries = 0; ; tries += 1) {
      try {
        lives.push(await openEmbeddedPostgres({ dataDir, settings: { ...settings, ...own, port } }));
        return;
      } catch (error) {
        // After the postmaster was killed, its sessions keep the shared memory until they notice.
        if (tries === 20) throw error;
        await sleep(250);
      }
    }
  };

  return {
    url: first.url,
    dataDir,
    async restart(stop) {
      await stopped(stop);
      await start();
    },
    end: stopped,
  };
}
