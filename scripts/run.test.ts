// Slow: it starts the demonstration, stops it and starts it again.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { until } from '../test/support/journey.ts';
import { isLongForm } from '../test/support/long-form.ts';
import { isRunning, type StartedProcess, startProcess } from '../test/support/process.ts';
import { simulatorPorts } from './serving/ports.ts';

const READY = /Le site est prêt : (http:\S+)[\s\S]*Ctrl-C arrête tout/;
const dataDir = mkdtempSync(join(tmpdir(), 'prepa-run-'));
t.teardown(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));

/** Reading the demonstration's contents takes seconds, so the short form uses a single prepa. */
function contentFolder(): string {
  const folder = join(dataDir, 'contents');
  mkdirSync(join(folder, 'ens'), { recursive: true });
  writeFileSync(join(folder, 'ens/prepa.md'), '---\nnom: ENS Yaoundé\nprix: 15000\npublie: oui\n---\nLe concours.\n');
  return folder;
}
const contents: Record<string, string> = isLongForm ? {} : { CONTENT_FOLDER: contentFolder() };

const run = (t: Test, env: Record<string, string>, ready?: RegExp) =>
  startProcess(t, 'scripts/run.ts', {
    cwd: projectRoot,
    env: { DATA_DIR: dataDir, PORT: '0', ...contents, ...env },
    ready,
    timeout: 90_000,
  });

/** Expects an exit with code 1; returns the output. */
async function refusal(t: Test, env: Record<string, string>): Promise<string> {
  const refused = await run(t, env);
  t.equal(await refused.ended, 1);
  return refused.output();
}

function databasePid(): number {
  return Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
}

/** Sends the request of a page's script; returns the status. */
async function post(url: string, body: object): Promise<number> {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status;
}

/** Returns whether a demonstration learner can open the dashboard's first prepa and a text in it. */
async function studies(address: string, email: string): Promise<boolean> {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const signedIn = await fetch(`${address}/api/users/login`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email, password: 'Demo-2026!' }),
  });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ');
  const page = async (path: string) =>
    (await fetch(address + path, { headers: { cookie, accept: 'text/html' }, redirect: 'manual' })).text();
  const [prepa] = /\/user\/prepa\/\d+/.exec(await page('/user/dashboard')) ?? [];
  if (prepa === undefined) return false;
  const disciplines = await page(prepa);
  if (!isLongForm) return disciplines.includes('ENS Yaoundé');
  const [study = ''] = new RegExp(`${prepa}/\\d+`).exec(disciplines) ?? [];
  return (await page(study)).includes('study__main');
}

/** Sends the signal and expects exit code 0, and that the server and PostgreSQL have ended. */
async function stop(t: Test, running: StartedProcess, signal: NodeJS.Signals): Promise<void> {
  const database = databasePid();
  t.equal(await running.stop(signal), 0, signal);
  await t.rejects(fetch(String(running.ready?.[1])), 'the server is gone');
  await t.resolves(
    until(async () => !isRunning(database)),
    'PostgreSQL is gone',
  );
}

t.test('serves the demonstration, stops everything, and finds its data again', async (t) => {
  const first = await run(t, {}, READY);
  const address = String(first.ready?.[1]);
  const landing = await fetch(address);
  t.equal(landing.status, 200);
  t.match(await landing.text(), isLongForm ? 'Polytechnique' : 'ENS Yaoundé', 'the page lists the demo content');
  t.equal((await fetch(`${address}/readyz`)).status, 200);
  t.match(first.output(), /mot de passe Demo-2026! :\n {2}candidat +demo@gmail\.com\n {2}candidat inscrit +demo\.inscrit@gmail\.com\n/);
  t.equal(await studies(address, 'demo.inscrit@gmail.com'), true, 'the enrolled learner can study');
  t.equal(await studies(address, 'demo@gmail.com'), false, 'the learner without an enrolment cannot');
  const candidate = { username: 'candidate', email: 'candidate@gmail.com', password: 'Concours-2026', confirmPassword: 'Concours-2026' };
  t.equal(await post(`${address}/api/users/register`, candidate), 201);
  // The short form stops the site once by each method, so it needs one start less.
  if (isLongForm) await stop(t, first, 'SIGINT');
  else await first.kill9();

  const second = await run(t, { DEMO_PASSWORD: 'Autre-2026!' }, READY);
  const login = `${second.ready?.[1]}/api/users/login`;
  t.equal(
    await post(login, { email: candidate.email, password: candidate.password }),
    200,
    'the account registered in the first run still exists',
  );
  t.equal(await post(login, { email: 'demo@gmail.com', password: 'Autre-2026!' }), 200, 'the password is the one that was printed');
  if (!isLongForm) return stop(t, second, 'SIGINT');

  await second.kill9();
  const third = await run(t, {}, READY);
  t.equal((await fetch(String(third.ready?.[1]))).status, 200, 'a start after kill -9 serves the site');
  await stop(t, third, 'SIGTERM');
});

t.test('each error is one clear French line', async (t) => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
  t.teardown(() => holder.close());
  const port = String((holder.address() as { port: number }).port);

  const taken = (name: string) => `Le port ${port} est déjà utilisé : choisissez-en un autre avec ${name}.`;
  t.equal(await refusal(t, { PORT: port }), `${taken('PORT')}\n`);
  t.match(await refusal(t, { PORT: 'abc', LOG_LEVEL: 'x' }), /^Réglages incorrects : PORT .*LOG_LEVEL .*\n$/);
  for (const name of ['SIMULATOR_PORT', 'NOTCHPAY_SIMULATOR_PORT']) {
    await t.rejects(simulatorPorts({ [name]: port }), { message: taken(name) });
    if (isLongForm) t.equal(await refusal(t, { [name]: port }), `${taken(name)}\n`);
  }
  if (isLongForm) {
    t.match(await refusal(t, { DATA_DIR: '/dev/null/data' }), /^Impossible d'écrire dans le dossier de données \/dev\/null\/data .*\n$/);
    t.match(await refusal(t, { NODE_ENV: 'production' }), /^Réglages incorrects : DATABASE_URL est obligatoire.*\n$/);
  }
  const unreachable = await refusal(t, { DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/none' });
  t.match(unreachable, /La base de données est injoignable : vérifiez DATABASE_URL\.\n$/);
});
