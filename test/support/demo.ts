import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../src/platform/settings/project-root.ts';
import { bareEnvironment } from './process.ts';
import { locked, sql } from './sql.ts';
import { onServer, TEMPLATE } from './template.ts';

const DATABASE = 'prepa_demo';

interface DemoTemplate {
  /** The template database, without connections so that it can be copied. */
  database: string;
  /** The data folder with its pictures, to be copied too. */
  dataDir: string;
  /** Output of `prepa seed`. */
  said: string;
}

/** Returns the demonstration as loaded by `prepa seed`; the first test that needs it loads it, once per run. */
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
