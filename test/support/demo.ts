import { execFile } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { buildApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { createKernel } from '../../src/kernel.ts';
import { projectRoot } from '../../src/platform/settings/project-root.ts';
import { type TestApp, TestClock } from './app.ts';
import { createDataFolder } from './data-folder.ts';
import { createTestDatabase } from './database.ts';
import { bareEnvironment } from './process.ts';
import { locked, sql } from './sql.ts';
import { onServer, TEMPLATE } from './template.ts';

const DATABASE = 'prepa_demo';

interface DemoTemplate {
  /** Nobody is connected to it: to be copied. */
  database: string;
  /** Its pictures, to be copied too. */
  dataDir: string;
  /** What `prepa seed` said. */
  said: string;
}

/** The demonstration as `prepa seed` loads it: once for a run of tests, by whoever needs it first. */
export async function demoTemplate(): Promise<DemoTemplate> {
  const { TEST_DATABASE_URL: server = '', TEST_FOLDER: folder = '' } = process.env;
  const dataDir = join(folder, 'demo');
  await locked(server, DATABASE, async () => {
    if ((await sql(server, 'select from pg_database where datname = $1', [DATABASE])).length > 0) return;
    const draft = `${DATABASE}_draft`;
    await sql(server, `create database ${draft} template ${TEMPLATE}`);
    const env = { ...bareEnvironment(), NODE_ENV: 'test', DATABASE_URL: onServer(server, draft), DATA_DIR: dataDir };
    const { stdout } = await promisify(execFile)(process.execPath, [join(projectRoot, 'dist/cli/main.js'), 'seed'], { env });
    writeFileSync(join(dataDir, 'said.txt'), stdout);
    await sql(server, `alter database ${draft} rename to ${DATABASE}`);
  });
  return { database: DATABASE, dataDir, said: readFileSync(join(dataDir, 'said.txt'), 'utf8') };
}

/** The whole application on a copy of it, closed with the test. */
export async function createDemoApp(t: Test): Promise<TestApp & { demo: DemoTemplate }> {
  const demo = await demoTemplate();
  const { url: databaseUrl } = await createTestDatabase(t, demo.database);
  const dataDir = createDataFolder();
  cpSync(join(demo.dataDir, 'media'), join(dataDir, 'media'), { recursive: true });
  const clock = new TestClock();
  const settings = { NODE_ENV: 'test', LOG_LEVEL: 'silent', DATA_DIR: dataDir, RECONCILE_PAYMENTS: 'off', SHED_LOAD: 'off' };
  const kernel = await createKernel(loadConfig(settings), { databaseUrl, clock });
  const app = await buildApp(kernel);
  t.teardown(async () => {
    await app.close();
    await kernel.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return { app, kernel, clock, databaseUrl, demo };
}
