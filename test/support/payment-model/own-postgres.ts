import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../../src/platform/database/embedded-postgres/embedded-postgres.ts';
import { createTemplate } from '../template.ts';

/** How PostgreSQL is told to stop: `fast` ends its sessions first, `immediate` is a crash that it recovers from. */
const signals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;
export type Stop = keyof typeof signals;

/** What was committed must be in the file when the server crashes; the machine itself does not. */
const settings = { fsync: 'off', full_page_writes: 'off', max_connections: '100' };
const maxStopMs = 20_000;

export interface OwnPostgres {
  url: string;
  /** Stops the server and starts it again on the same port. */
  restart(stop: Stop): Promise<void>;
}

/** A PostgreSQL server of the test's own, with the migrated template, that the test may stop. */
export async function startOwnPostgres(t: Pick<Test, 'teardown'>): Promise<OwnPostgres> {
  const dataDir = mkdtempSync(join(tmpdir(), 'prepa-model-'));
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  const lives: EmbeddedPostgres[] = [];
  t.teardown(async () => {
    for (const life of lives.toReversed()) await life.close();
  });
  const first = await openEmbeddedPostgres({ dataDir, settings });
  lives.push(first);
  await createTemplate(first.url);
  const { port } = new URL(first.url);

  return {
    url: first.url,
    async restart(stop) {
      const running = lives.at(-1) as EmbeddedPostgres;
      const lock = join(dataDir, 'postgres', 'postmaster.pid');
      process.kill(Number(readFileSync(lock, 'utf8').split('\n')[0]), signals[stop]);
      await Promise.race([
        running.ended,
        sleep(maxStopMs, undefined, { ref: false }).then(() => {
          throw new Error('PostgreSQL does not stop');
        }),
      ]);
      lives.push(await openEmbeddedPostgres({ dataDir, settings: { ...settings, port } }));
    },
  };
}
