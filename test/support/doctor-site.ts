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
  /** How long it took, in ms. */
  ms: number;
}

/** A fault that `prepa doctor` finds. */
export interface Fault {
  what: string;
  /** Which line tells it, as what, and in which words. */
  line: string;
  state?: 'avis';
  says: string | RegExp;
  /** Makes it; what it changes of the settings. Null: it cannot be made here, which has been said. */
  seed(t: Test): Promise<Record<string, string> | null> | Record<string, string> | null;
}

/** What a name of the outside world is answered by: an address of this machine to go on to, or a handler. */
type Behind = string | ((request: IncomingMessage, response: ServerResponse) => void);

export interface DoctorSite {
  world: World;
  /** What its processes find in their environment. */
  env: Record<string, string>;
  /** The site's own origin, and what stands behind each name. */
  behind: Record<string, Behind>;
  /** Runs doctor with changed settings; `alone` in a process of its own. */
  doctor(change?: Record<string, string>, args?: string[], alone?: 'alone'): Promise<Doctor>;
  /** The settings of a process that loads this module before everything else. */
  loaded(module: string): Record<string, string>;
  /** Another server with TLS, for the site's name; its origin. */
  openFront(certificate: { certificate: string; key: string }): Promise<string>;
  /** An empty database of its own, as the settings name it. */
  emptyDatabase(): Promise<{ url: string; env: Record<string, string> }>;
}

/** What Notch Pay's simulator takes for keys, since production refuses those of the examples. */
const notchpayKey = 'pk_live_Xb3kQ9';

/** A site in production with which everything is well: a server behind a proxy that ends TLS, both providers, a mail server. */
export async function createDoctorSite(t: Test): Promise<DoctorSite> {
  const world = await createWorld(t);
  // Through a pooler no statement's limit comes from the site: what doctor asks for then.
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

/** A proxy that ends TLS and goes on by the name that is asked for, as the world outside would. */
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

/** Seeds a fault on an empty database of its own, with these statements; `this_database` stands for its name. */
export const inDatabase =
  (site: DoctorSite, ...statements: string[]): Fault['seed'] =>
  async () => {
    const { url, env } = await site.emptyDatabase();
    for (const statement of statements) await sql(url, statement.replaceAll('this_database', new URL(url).pathname.slice(1)));
    return env;
  };

/** Makes each fault and expects its line; a mere notice fails nothing but `--strict`. */
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
