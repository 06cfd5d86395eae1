import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { until } from '../test/support/journey.ts';
import { isLongForm } from '../test/support/long-form.ts';
import { startProcess } from '../test/support/process.ts';

const READY = /Le site est prêt : (http:\S+)[\s\S]*Ctrl-C arrête tout/;
const dataDir = mkdtempSync(join(tmpdir(), 'prepa-run-'));
t.teardown(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));

const run = (t: Test, env: Record<string, string>, ready?: RegExp) =>
  startProcess(t, 'scripts/run.ts', { cwd: projectRoot, env: { DATA_DIR: dataDir, PORT: '0', ...env }, ready, timeout: 90_000 });

/** Ends within seconds, with one line on its standard error and nothing left behind. */
async function refusal(t: Test, env: Record<string, string>): Promise<string> {
  const refused = await run(t, env);
  t.equal(await refused.ended, 1);
  return refused.output();
}

function databasePid(): number {
  return Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The status that a page's own call gets. */
async function post(url: string, body: object): Promise<number> {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status;
}

t.test('serves the demonstration, stops everything, and finds its data again', async (t) => {
  const first = await run(t, {}, READY);
  const address = String(first.ready?.[1]);
  t.equal((await fetch(address)).status, 200);
  t.equal((await fetch(`${address}/readyz`)).status, 200);
  t.match(first.output(), /mot de passe Demo-2026! :\n {2}candidat +demo@gmail\.com/);
  const candidate = { username: 'candidate', email: 'candidate@gmail.com', password: 'Concours-2026', confirmPassword: 'Concours-2026' };
  t.equal(await post(`${address}/api/users/register`, candidate), 201);
  const database = databasePid();
  t.equal(await first.stop('SIGINT'), 0);
  await t.rejects(fetch(address), 'the server is gone');
  // Ended before its supervisor, it may wait a moment to be taken off the list of processes.
  await t.resolves(
    until(async () => !isThere(database)),
    'PostgreSQL is gone',
  );

  const second = await run(t, { DEMO_PASSWORD: 'Autre-2026!' }, READY);
  const login = `${second.ready?.[1]}/api/users/login`;
  t.equal(
    await post(login, { email: candidate.email, password: candidate.password }),
    200,
    'whoever registered in the first run is still there',
  );
  t.equal(await post(login, { email: 'demo@gmail.com', password: 'Autre-2026!' }), 200, 'the password is the one that was printed');

  await second.kill9();
  const third = await run(t, {}, READY);
  t.equal((await fetch(String(third.ready?.[1]))).status, 200, 'after a kill -9 too');
  t.equal(await third.stop('SIGTERM'), 0);
});

t.test('one clear French line for what is wrong', async (t) => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  t.teardown(() => taken.close());
  const port = String((taken.address() as { port: number }).port);

  t.equal(await refusal(t, { PORT: port }), `Le port ${port} est déjà utilisé : choisissez-en un autre avec PORT.\n`);
  t.equal(await refusal(t, { SIMULATOR_PORT: port }), `Le port ${port} est déjà utilisé : choisissez-en un autre avec SIMULATOR_PORT.\n`);
  if (isLongForm) {
    const second = `Le port ${port} est déjà utilisé : choisissez-en un autre avec NOTCHPAY_SIMULATOR_PORT.\n`;
    t.equal(await refusal(t, { NOTCHPAY_SIMULATOR_PORT: port }), second);
  }
  t.match(await refusal(t, { DATA_DIR: '/dev/null/data' }), /^Impossible d'écrire dans le dossier de données \/dev\/null\/data .*\n$/);
  t.match(await refusal(t, { PORT: 'abc', LOG_LEVEL: 'x' }), /^Réglages incorrects : PORT .*LOG_LEVEL .*\n$/);
  t.match(await refusal(t, { NODE_ENV: 'production' }), /^Réglages incorrects : DATABASE_URL est obligatoire.*\n$/);
  const unreachable = await refusal(t, { DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/none' });
  t.match(unreachable, /La base de données est injoignable : vérifiez DATABASE_URL\.\n$/);
});
