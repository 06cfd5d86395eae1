import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Test } from 'tap';
import { buildNotchpay } from '../../simulators/notchpay/app.ts';
import { projectRoot } from '../../src/platform/settings/project-root.ts';
import { createCertificate } from './certificate.ts';
import { createTestDatabase } from './database.ts';
import { createAdministrator } from './factories.ts';
import { openPostOffice } from './post-office.ts';
import { bareEnvironment } from './process.ts';
import { sql } from './sql.ts';
import { asRole } from './template.ts';
import { runAlone, runPrepa } from './terminal.ts';
import { withoutReplicas } from './topology.ts';
import { createWorld, type World } from './world.ts';

/** A line of `prepa doctor --json`. */
interface DoctorLine {
  name: string;
  ok: boolean;
  state: 'ok' | 'avis' | 'faute';
  detail: string;
  remedy?: string;
}

interface Doctor {
  code: number;
  ok: boolean;
  checks: DoctorLine[];
  /** Duration, in ms. */
  ms: number;
}

/** A fault that `prepa doctor` must find. */
export interface Fault {
  what: string;
  /** Name, state and text of the expected line. */
  line: string;
  state?: 'avis';
  says: string | RegExp;
  /** Creates the fault; returns the changed settings, or null when this machine cannot create it, after logging the reason. */
  seed(t: Test): Promise<Record<string, string> | null> | Record<string, string> | null;
}

/** The target behind a host name: a local URL to forward to, or a handler. */
type Behind = string | ((request: IncomingMessage, response: ServerResponse) => void);

export interface DoctorSite {
  world: World;
  /** Environment of the site's processes. */
  env: Record<string, string>;
  /** The target behind each host name, the site's own origin included. */
  behind: Record<string, Behind>;
  /** Runs doctor with changed settings; `alone` runs it in a separate process. */
  doctor(change?: Record<string, string>, args?: string[], alone?: 'alone'): Promise<Doctor>;
  /** Returns the settings of a process that loads this module before everything else. */
  loaded(module: string): Record<string, string>;
  /** Starts another TLS server for the site's host name; returns its origin. */
  openFront(certificate: { certificate: string; key: string }): Promise<string>;
  /** Creates an empty database; returns its URL, and the settings that refer to it. */
  emptyDatabase(): Promise<{ url: string; env: Record<string, string> }>;
}

/** The key of Notch Pay's simulator. Production refuses the example keys. */
const notchpayKey = 'pk_live_Xb3kQ9';

/** Creates a healthy production site: a server behind a TLS proxy, both providers, a mail server. */
export async function createDoctorSite(t: Test): Promise<DoctorSite> {
  const world = await createWorld(t);
  // Through a pooler the site cannot set statement limits; doctor then requires limits on the role.
  if (process.env.TEST_DATABASE_HOST)
    for (const limit of ['statement_timeout = 10000', 'idle_in_transaction_session_timeout = 30000'])
      await sql(world.databaseUrl, `alter role prepa_web in database ${new URL(world.databaseUrl).pathname.slice(1)} set ${limit}`);
  const folder = t.testdir({});
  const trusted = createCertificate('prepa.example', {
    others: ['zitopay.example', 'notchpay.example', 'elsewhere.example'],
    from: -10,
    to: 60,
  });
  const authority = join(folder, 'authority.pem');
  writeFileSync(authority, trusted.certificate);
  const office = await openPostOffice(t);
  const notchpay = buildNotchpay({ publicKey: notchpayKey });
  t.teardown(() => notchpay.close());

  const behind: Record<string, Behind> = {
    'zitopay.example': world.env.ZITOPAY_BASE_URL ?? '',
    'notchpay.example': await notchpay.listen({ host: '127.0.0.1', port: 0 }),
  };
  const openFront = (certificate: { certificate: string; key: string }) => openProxy(t, certificate, behind);
  const port = new URL(await openFront(trusted)).port;

  const env: Record<string, string> = {
    ...world.env,
    NODE_ENV: 'production',
    LOG_LEVEL: 'info',
    PUBLIC_URL: `https://prepa.example:${port}`,
    TRUST_PROXY: 'loopback',
    SUPPORT_EMAIL: 'aide@prepa.example',
    SUPPORT_PHONE: '+237 233 42 42 42',
    SMTP_URL: office.url,
    MAIL_FROM: 'prepa@prepa.example',
    PAYMENT_PROVIDERS: 'zitopay,notchpay',
    ZITOPAY_BASE_URL: `https://zitopay.example:${port}`,
    NOTCHPAY_BASE_URL: `https://notchpay.example:${port}`,
    NOTCHPAY_CHECKOUT_ORIGIN: `https://notchpay.example:${port}`,
    NOTCHPAY_PUBLIC_KEY: notchpayKey,
    NOTCHPAY_HASH_KEY: 'vG7mQ2xT9sLw4bZk',
    ADMIN_SECRETS_KEY: 'o8Kq2WmX5vB1nYtR7cJd4hLz9sPf3gAe',
    METRICS_TOKEN: 'h5RkW9cX2mVq7LtZ',
    BACKUP_DIR: join(folder, 'backups'),
    BACKUP_RECIPIENT: 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p',
    NODE_OPTIONS: `--import=${pathToFileURL(join(projectRoot, 'test/support/outside-world.mjs')).href}?ca=${encodeURIComponent(authority)}`,
  };
  await createAdministrator(world, 'super_admin');
  const server = await world.startServer({ ...env, NODE_OPTIONS: '' });
  behind['prepa.example'] = server.url;
  for (const daily of [
    ['payments', 'reconcile'],
    ['backup', join(folder, 'backups'), '--media'],
  ]) {
    const { code, error } = await runPrepa(daily, env);
    if (code !== 0) throw new Error(`prepa ${daily.join(' ')}: ${error}`);
  }

  return {
    world,
    env,
    behind,
    openFront,
    loaded: (module) => ({ NODE_OPTIONS: `${env.NODE_OPTIONS} --import=${module}` }),
    async doctor(change = {}, args = [], alone) {
      const began = performance.now();
      const run = ['doctor', '--json', ...args];
      const { code, out, error } = alone
        ? await runAlone(run, { ...bareEnvironment(), ...env, ...change })
        : await runPrepa(run, { ...env, ...change });
      if (!out.startsWith('{')) throw new Error(`no answer of doctor: ${out}${error}`);
      return { code, ...(JSON.parse(out) as Pick<Doctor, 'ok' | 'checks'>), ms: performance.now() - began };
    },
    async emptyDatabase() {
      const { url } = await createTestDatabase(t);
      return {
        url,
        env: {
          DATABASE_URL: asRole(url, 'web'),
          COMMANDS_DATABASE_URL: asRole(url, 'commands'),
          MIGRATIONS_DATABASE_URL: url,
          ...withoutReplicas,
        },
      };
    },
  };
}

/** Starts a TLS proxy that forwards requests by their host name, in place of the Internet. */
async function openProxy(
  t: Test,
  { certificate, key }: { certificate: string; key: string },
  behind: Record<string, Behind>,
): Promise<string> {
  const server = createServer({ cert: certificate, key }, (request, response) => {
    const to = behind[(request.headers.host ?? '').split(':')[0] ?? ''];
    if (typeof to === 'function') return to(request, response);
    const onward = httpRequest(`${to}${request.url}`, { method: request.method ?? 'GET', headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.writeHead(502).end('Bad Gateway'));
    request.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `https://prepa.example:${(server.address() as AddressInfo).port}`;
}

/** Returns a `seed` that runs the statements on a new empty database; `this_database` is replaced by its name. */
export const inDatabase =
  (site: DoctorSite, ...statements: string[]): Fault['seed'] =>
  async () => {
    const { url, env } = await site.emptyDatabase();
    for (const statement of statements) await sql(url, statement.replaceAll('this_database', new URL(url).pathname.slice(1)));
    return env;
  };

/** Creates each fault and expects its line. A notice ('avis') changes the exit code only with `--strict`. */
export function tryFaults(t: Test, site: DoctorSite, faults: readonly Fault[]): void {
  for (const { what, line, state = 'faute', says, seed } of faults) {
    t.test(what, async (t) => {
      const change = await seed(t);
      if (change === null) return;
      const { code, checks } = await site.doctor(change);
      const found = checks.filter(({ name, state }) => name === line && state !== 'ok').map(({ state, detail }) => ({ state, detail }));
      t.match(found, [{ state, detail: says }], `${checks.map(({ name, detail }) => `${name}: ${detail}`).join('\n')}`);
      if (state === 'faute') t.equal(code, 1);
    });
  }
}
