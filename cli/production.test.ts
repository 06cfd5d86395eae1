// Slow: each refusal starts a server.
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { bareEnvironment, startProcess } from '../test/support/process.ts';
import { sql } from '../test/support/sql.ts';
import { runPrepa } from '../test/support/terminal.ts';
import { createWorld } from '../test/support/world.ts';
import { providersElsewhere } from './checks/money/provider-addresses.ts';

// Tests the settings and accounts with which production refuses to start, and the report of `prepa doctor` on them.

const world = await createWorld(t);
const production = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://prepa.example',
  LOG_LEVEL: 'info',
  PORT: '0',
  // A domain that never resolves.
  ZITOPAY_BASE_URL: 'https://zitopay.invalid',
};
const inProduction = { ...bareEnvironment(), ...world.env, ...production };

function server(env: Record<string, string> = {}) {
  return new Promise<{ code: unknown; out: string; error: string }>((resolve) => {
    const options = { cwd: tmpdir(), env: { ...inProduction, ...env }, timeout: 30_000 };
    execFile(process.execPath, [join(projectRoot, 'dist/server/server.js')], options, (failure, out, error) =>
      resolve({ code: failure ? failure.code : 0, out, error }),
    );
  });
}
const prepa = (args: string[], env: Record<string, string> = {}) => runPrepa(args, { ...inProduction, ...env });

interface Doctor {
  ok: boolean;
  checks: { name: string; ok: boolean; detail: string }[];
}

t.test('plain http addresses, this machine as provider, simulations: refused at the start and named by doctor', async (t) => {
  const wrong = { PUBLIC_URL: 'http://prepa.example', ZITOPAY_BASE_URL: 'http://127.0.0.1:4010', PAYMENT_SIMULATION: 'on' };
  const faults = [
    'PAYMENT_SIMULATION est refusé en production',
    'PUBLIC_URL doit être une adresse https en production',
    'ZITOPAY_BASE_URL doit être une adresse https en production',
    'ZITOPAY_BASE_URL désigne cette machine ou un réseau privé, ce qui est refusé en production',
  ];
  t.same(await server(wrong), { code: 1, out: '', error: `Réglages incorrects : ${faults.join(' ; ')}\n` });
  const doctor = await prepa(['doctor', '--json'], wrong);
  t.equal(doctor.code, 1);
  const checks = faults.map((detail) => ({ name: 'Réglages', ok: false, state: 'faute', detail }));
  t.same(JSON.parse(doctor.out) as Doctor, { ok: false, checks });
  t.equal((await prepa(['doctor'], wrong)).out, `${faults.map((fault) => `FAUTE  Réglages : ${fault}`).join('\n')}\n`);
});

t.test('accounts of the demonstration: refused at the start, named by doctor, and closed by a command', async (t) => {
  await world.prepa('demo', 'accounts');
  const fault =
    'La base contient des comptes de démonstration, refusés en production : demo.inscrit@gmail.com (candidat), demo@gmail.com (candidat), admin@gmail.com (administrateur). « prepa demo close » les ferme.';
  t.same(await server(), { code: 1, out: '', error: `${fault}\n` });
  const said = async () => {
    const { checks } = JSON.parse((await prepa(['doctor', '--json'])).out) as Doctor;
    return checks.filter(({ name }) => name === 'Comptes de démonstration');
  };
  t.same(await said(), [{ name: 'Comptes de démonstration', ok: false, state: 'faute', detail: fault }]);

  t.same(JSON.parse((await prepa(['demo', 'close', '--json'])).out), [
    { kind: 'learner', email: 'demo.inscrit@gmail.com' },
    { kind: 'learner', email: 'demo@gmail.com' },
    { kind: 'administrator', email: 'admin@gmail.com' },
  ]);
  t.same(await said(), [{ name: 'Comptes de démonstration', ok: true, state: 'ok', detail: 'aucun' }]);
  t.same(await prepa(['demo', 'close']), { code: 0, out: 'Aucun compte de démonstration.\n', error: '' });
  t.same(await sql(world.databaseUrl, 'select actor, action, subject, label from audit_entry order by id'), [
    { actor: 'terminal', action: 'disabled', subject: 'learner', label: 'demo_inscrit' },
    { actor: 'terminal', action: 'disabled', subject: 'learner', label: 'demo' },
    { actor: 'terminal', action: 'disabled', subject: 'administrator', label: 'admin' },
  ]);

  const started = await startProcess(t, join(projectRoot, 'dist/server/server.js'), {
    env: { ...world.env, ...production },
    cwd: tmpdir(),
    ready: /Server listening at (http:\/\/127\.0\.0\.1:\d+)/,
  });
  const signIn = async (path: string, email: string) =>
    (
      await fetch(`${started.ready?.[1]}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
        body: JSON.stringify({ email, password: 'Demo-2026!' }),
      })
    ).status;
  for (const email of ['demo@gmail.com', 'demo.inscrit@gmail.com']) t.equal(await signIn('/api/users/login', email), 401);
  t.equal(await signIn('/api/admin/login', 'admin@gmail.com'), 401);
  t.equal(await started.stop(), 0);
});

t.test('with an unreachable database the server starts, then exits when it finds demonstration accounts', async (t) => {
  await world.prepa('demo', 'accounts');
  await sql(world.databaseUrl, 'alter table administrator rename to away');
  const started = await startProcess(t, join(projectRoot, 'dist/server/server.js'), {
    env: { ...world.env, ...production },
    cwd: tmpdir(),
    ready: /Server listening at/,
  });
  t.match(started.output(), 'accounts of the demonstration not looked for yet');
  await sql(world.databaseUrl, 'alter table away rename to administrator');
  t.equal(await started.ended, 1);
  t.match(started.output(), 'La base contient des comptes de démonstration');
});

t.test('a learner who registers a demonstration name does not stop the server', async (t) => {
  await prepa(['demo', 'close']);
  await sql(world.databaseUrl, "update app_user set email = 'ancienne@gmail.com', username = 'ancienne' where username = 'demo'");
  const open = await world.startServer();
  const registered = await fetch(`${open.url}/api/users/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ username: 'demo', email: 'demo@gmail.com', password: 'Demo-2026!', confirmPassword: 'Demo-2026!' }),
  });
  t.equal(registered.status, 201);
  const { checks } = JSON.parse((await prepa(['doctor', '--json'])).out) as Doctor;
  t.match(
    checks.find(({ name }) => name === 'Comptes de démonstration'),
    { ok: true },
  );
});

t.test('a provider host name that resolves to this machine is a fault', async (t) => {
  const names: Record<string, string[]> = { 'pay.example': ['203.0.113.5', '127.0.0.1'], 'api.example': ['2001:db8::1'] };
  const resolve = async (host: string) => {
    const found = names[host];
    if (!found) throw new Error('ENOTFOUND');
    return found.map((address) => ({ address }));
  };
  t.match(await providersElsewhere(['https://pay.example/v1', 'https://pay.example/script.js', 'https://api.example'], resolve), {
    state: 'faute',
    detail: 'pay.example mène à 127.0.0.1, cette machine ou un réseau privé',
  });
  t.match(await providersElsewhere(['https://api.example', 'https://nowhere.example'], resolve), { state: 'ok' });
});

t.test('a server that connects as the owner of its tables: doctor and the log warn, the server runs', async (t) => {
  const roleSaid = async (env: Record<string, string> = {}) => {
    const { checks } = JSON.parse((await prepa(['doctor', '--json'], env)).out) as Doctor;
    return checks.filter(({ name }) => name === 'Rôle du serveur');
  };
  const name = 'Rôle du serveur';
  t.same(await roleSaid(), [{ name, ok: true, state: 'ok', detail: 'ne possède pas les tables' }]);
  const owner = { DATABASE_URL: world.databaseUrl };
  const detail =
    'DATABASE_URL est au propriétaire des tables : donnez au serveur un rôle à lui avec « prepa db roles » (docs/database-roles.md)';
  t.match(await roleSaid(owner), [{ name, ok: true, warning: true, state: 'avis', detail }]);
  t.match((await prepa(['doctor'], owner)).out, `AVIS   ${name} : ${detail}`);
  const { output } = await startProcess(t, join(projectRoot, 'dist/server/server.js'), {
    env: { ...world.env, ...production, ...owner },
    cwd: tmpdir(),
    ready: /owns the tables/,
  });
  t.match(output(), /prepa db roles/);
});
