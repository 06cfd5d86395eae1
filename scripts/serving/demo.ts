/** Shared by `make run` and `make dev`: opens the database with the demonstration and starts the payment simulators. */
import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AppConfig } from '../../src/config.ts';
import { openEmbeddedPostgres } from '../../src/platform/database/embedded-postgres/embedded-postgres.ts';
import { openDataFolder } from '../../src/platform/settings/data-folder.ts';
import { projectRoot } from '../../src/platform/settings/project-root.ts';
import { simulatorPorts } from './ports.ts';
import { runCommand, type Service, startService, waitUntilReady } from './services.ts';
import { firstToEnd } from './supervisor.ts';

/** The keys with which Notch Pay's simulator is started. */
const keys = { PUBLIC_KEY: 'pk_test_sim', HASH_KEY: 'hsk_test_sim' };

/** A folder of contents to serve instead of the demonstration; docs/content-format.md describes the format. */
const { CONTENT_FOLDER } = process.env;

const LABELS: Record<string, string> = { learner: 'candidat', enrolled: 'candidat inscrit', administrator: 'administrateur' };

interface Demo {
  env: NodeJS.ProcessEnv;
  /** A list of the accounts that can sign in, to be printed. */
  accounts: string;
}

/**
 * Opens and fills the database, and starts the payment simulators. Each service is added to `started` at once, so that the caller can stop
 * it after an error.
 *
 * @param cli the CLI's bundle or source.
 * @param site the site's own address, where Notch Pay's simulator sends its webhooks.
 * @throws Error with one French line.
 */
export async function openDemo(config: AppConfig, cli: string, site: string, started: Service[]): Promise<Demo> {
  // The embedded PostgreSQL checks the folder too, but is not started when DATABASE_URL is set.
  await openDataFolder(config.dataDir);
  const ports = await simulatorPorts();
  const zitopay = `http://127.0.0.1:${ports.zitopay}`;
  const notchpay = `http://127.0.0.1:${ports.notchpay}`;
  const env: NodeJS.ProcessEnv = {
    LOG_LEVEL: 'warn',
    PAYMENT_SIMULATION: 'on',
    PAYMENT_PROVIDERS: 'zitopay,notchpay',
    ...process.env,
    DATABASE_URL: await openDatabase(config, started),
    DATABASE_URL_FILE: '',
    ZITOPAY_BASE_URL: zitopay,
    ZITOPAY_SCRIPT_URL: `${zitopay}/assets/js/payment.js`,
    NOTCHPAY_BASE_URL: notchpay,
    NOTCHPAY_CHECKOUT_ORIGIN: notchpay,
    NOTCHPAY_PUBLIC_KEY: keys.PUBLIC_KEY,
    NOTCHPAY_PUBLIC_KEY_FILE: '',
    NOTCHPAY_HASH_KEY: keys.HASH_KEY,
    NOTCHPAY_HASH_KEY_FILE: '',
  };
  console.log('Base de données et contenus de démonstration...');
  await runCommand(cli, ['db', 'migrate'], env);
  await loadContent(config, cli, env);
  const accounts = JSON.parse(await runCommand(cli, ['--json', 'demo', 'accounts'], env)) as Record<string, string>;

  startSimulator('zitopay', ports.zitopay, {});
  startSimulator('notchpay', ports.notchpay, { ...keys, WEBHOOK_URL: `${site}/api/payment/notchpay/notification` });
  const ready = [zitopay, notchpay].map((address) => waitUntilReady(`${address}/assets/css/checkout.css`));
  const answered = runCommand(cli, ['demo', 'answers'], env);
  await Promise.race([Promise.all([...ready, answered]), firstToEnd(started)]);
  return { env, accounts: describe(accounts, config.demoPassword) };

  function startSimulator(slug: string, port: number, more: NodeJS.ProcessEnv): void {
    const ledger = resolve(config.dataDir, `${slug}-ledger.jsonl`);
    const settings = { HOST: '127.0.0.1', PORT: String(port), LEDGER_FILE: ledger, ...more };
    started.push(startService(`Le simulateur ${slug}`, `simulators/${slug}/server.ts`, settings));
  }
}

/** Loads the demonstration's contents, unless the same contents were loaded last: reading them takes seconds. */
async function loadContent(config: AppConfig, cli: string, env: NodeJS.ProcessEnv): Promise<void> {
  const record = resolve(config.dataDir, 'demo-loaded');
  const contents = digest([CONTENT_FOLDER ?? 'demo', 'src/modules/content', 'src/shared/rich-text', 'src/shared/formulas']);
  // A database on another server may have been emptied since.
  if (!config.databaseUrl && readIfThere(record) === contents) return;
  await runCommand(cli, CONTENT_FOLDER ? ['seed', CONTENT_FOLDER] : ['seed'], env);
  writeFileSync(record, contents);
}

/** Returns a hash of all files in these folders. */
function digest(folders: string[]): string {
  const hash = createHash('sha256');
  for (const folder of folders) {
    for (const path of globSync(`${folder}/**`, { cwd: projectRoot }).sort()) {
      const file = resolve(projectRoot, path);
      if (statSync(file).isFile()) hash.update(path).update(readFileSync(file));
    }
  }
  return hash.digest('hex');
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

async function openDatabase(config: AppConfig, started: Service[]): Promise<string> {
  if (config.databaseUrl) return config.databaseUrl;
  const postgres = await openEmbeddedPostgres({ dataDir: config.dataDir });
  started.push({ name: 'PostgreSQL', ended: postgres.ended.then(() => null), stop: postgres.close, kill: () => {} });
  return postgres.url;
}

function describe(accounts: Record<string, string>, password: string): string {
  const lines = Object.entries(accounts).map(([role, email]) => `  ${(LABELS[role] ?? role).padEnd(16)} ${email}`);
  return `Comptes de démonstration, mot de passe ${password} :\n${lines.join('\n')}`;
}
