import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { loadConfig } from '../../../src/config.ts';
import { createKernel } from '../../../src/kernel.ts';
import { createTestApp, type TestApp, TestClock } from '../app.ts';
import { createDataFolder } from '../data-folder.ts';
import { createTestDatabase } from '../database.ts';
import { createLearner } from '../factories.ts';
import { sql } from '../sql.ts';
import { keepBooks } from './books.ts';
import { Marks } from './marks.ts';
import { type Name, type Person, plantPeople, sha256 } from './people.ts';
import { plantSite } from './site.ts';
import type { Known } from './values.ts';

/** No server listens on this port. */
export const providerOrigin = 'http://127.0.0.1:9';

/** Settings without rate limits, which would soon refuse all requests. */
export const settings: Record<string, string> = {
  ZITOPAY_BASE_URL: providerOrigin,
  PAYMENT_SIMULATION: 'off',
  SHED_LOAD: 'off',
  RECONCILE_PAYMENTS: 'off',
  PUBLISH_DRAFTS: 'off',
  ...Object.fromEntries(
    [
      'SIGN_IN_FAILURES_PER_ACCOUNT',
      'SIGN_IN_FAILURES_PER_ACCOUNT_HOUR',
      'SIGN_IN_ATTEMPTS_PER_ADDRESS',
      'REGISTRATIONS_PER_ADDRESS_HOUR',
      'ADMIN_KEY_FAILURES_PER_ADDRESS',
      'PASSWORD_RESETS_PER_ACCOUNT_HOUR',
      'PASSWORD_RESETS_PER_ADDRESS_HOUR',
      'PAYMENT_STARTS_PER_LEARNER',
    ].map((name) => [name, '100000']),
  ),
};

/** A site with planted data, copied for each sequence. */
export interface Planted {
  database: string;
  dataDir: string;
  people: Record<Name, Person>;
  /** An expired learner session, as a Cookie header. */
  ended: string;
  marks: Marks;
  known: Known;
}

export async function plant(t: Test): Promise<Planted> {
  const { url } = await createTestDatabase(t);
  const dataDir = createDataFolder();
  mkdirSync(join(dataDir, 'media'));
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }));
  const clock = new TestClock();
  const config = loadConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', DATA_DIR: dataDir, ...settings });
  const kernel = await createKernel(config, { databaseUrl: url, clock });
  const home = { kernel, clock, databaseUrl: url };
  const marks = new Marks();
  const people = await plantPeople(home, marks);
  await plantSite({ home, marks, people });
  const gone = await createLearner(home);
  await sql(url, 'update session set expires_at = $2 where id = $1', [sha256(gone.token), new Date(clock.now().getTime() - 1_000)]);
  await kernel.close();
  await keepBooks(url);
  const known = await knownOf(
    url,
    Object.values(people).map(({ email }) => email),
  );
  return { database: new URL(url).pathname.slice(1), dataDir, people, ended: gone.session, marks, known };
}

/** Copies the planted site's files for one copy of the site. @returns the data folder */
export function copyFiles(t: Test, { dataDir }: Planted): string {
  const copied = mkdtempSync(join(tmpdir(), 'prepa-fuzz-'));
  t.teardown(() => rmSync(copied, { recursive: true, force: true }));
  cpSync(dataDir, copied, { recursive: true, verbatimSymlinks: true });
  return copied;
}

/** Starts a fresh copy of the planted site as an application in this process. */
export const copyOf = (t: Test, planted: Planted): Promise<TestApp> =>
  createTestApp(t, { ...settings, DATA_DIR: copyFiles(t, planted) }, { database: planted.database, dataDir: planted.dataDir });

const isNumber = (text: string): boolean => /^\d{1,6}$/.test(text);

/** Returns values for URL parameters and fields: those of all columns that identify something. */
async function knownOf(url: string, emails: string[]): Promise<Known> {
  const columns = await sql<{ place: string; name: string }>(
    url,
    `select table_name as place, column_name as name from information_schema.columns
     where table_schema = 'public' and (column_name = 'id' or column_name like '%\\_id' or column_name in ('provider', 'reference', 'version', 'kind', 'role', 'status'))`,
  );
  const rows = await sql<{ name: string; value: string }>(
    url,
    columns
      .map(
        ({ place, name }) => `(select distinct '${name}' as name, ${name}::text as value from ${place} where ${name} is not null limit 12)`,
      )
      .join(' union '),
  );
  const byName = Map.groupBy(rows, ({ name }) => name);
  const values = [...new Set(rows.map(({ value }) => value))].sort();
  return {
    byName: new Map([...byName].map(([name, list]) => [name, list.map(({ value }) => value).sort()])),
    words: values.filter((value) => !isNumber(value)),
    largest: Math.max(...values.filter(isNumber).map(Number)),
    emails,
  };
}
