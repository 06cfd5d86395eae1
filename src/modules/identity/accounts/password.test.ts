// Alone: it counts the low-priority threads of its process.
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, getPriority } from 'node:os';
import t from 'tap';
import { call, createTestApp } from '../../../../test/support/app.ts';
import { createSignInLimits, withinSignInLimits } from '../sign-in/sign-in-limits.ts';
import { signInsBusy } from './identity.errors.ts';
import { hashPassword, maxWaiting, verifyPassword } from './password.ts';

// Password checks cost more than any other request: only a few run at a time, and the queue is limited.

const home = await createTestApp(t, { SIGN_IN_FAILURES_PER_ACCOUNT: '1' });
const { app, kernel } = home;
const password = 'Concours-2026!';
const email = 'aicha@gmail.com';
const account = { username: 'aicha', email, password, confirmPassword: password, connexion: false };
const signIn = () => call(app, { method: 'POST', url: '/api/users/login', payload: { email, password } });

t.test('sign-ins beyond the queue get a 503 with a retry time, and do not count as failures', async (t) => {
  t.equal((await call(app, { method: 'POST', url: '/api/users/register', payload: account })).statusCode, 201);
  await verifyPassword(null, password);
  const atOnce = Math.max(1, availableParallelism() - 1);
  const began = performance.now();
  const refusedAtOnce: unknown[] = [];
  /** Waiting times of the checks whose turn never came, in ms. */
  const waited: number[] = [];
  let answered = false;
  const all = Promise.all(
    Array.from({ length: atOnce + maxWaiting + 5 }, () =>
      verifyPassword(null, password).then(
        () => 'checked',
        (error: unknown) => {
          if (answered) waited.push(performance.now() - began);
          else refusedAtOnce.push(error);
          return (error as { code?: string }).code;
        },
      ),
    ),
  );
  const refused = await signIn();
  answered = true;
  t.equal(refused.statusCode, 503);
  t.equal(refused.headers['retry-after'], '5');
  t.equal(refused.json().message, 'Beaucoup de candidats se connectent en ce moment. Réessayez dans quelques secondes.');
  t.equal(refusedAtOnce.length, 5);
  t.match(
    refusedAtOnce,
    Array.from({ length: 5 }, () => ({ status: 503, code: 'SIGN_IN.BUSY' })),
  );
  // On a busy machine, some checks may time out in the queue; they get the same response.
  const outcomes = await all;
  t.same(new Set(outcomes), new Set(['checked', 'SIGN_IN.BUSY']));
  t.equal(outcomes.filter((outcome) => outcome === 'checked').length, atOnce + maxWaiting - waited.length);
  t.ok(
    waited.every((ms) => ms > 4_900),
    'all other passwords are checked',
  );
  t.equal((await signIn()).statusCode, 200, 'refused checks are not counted as failures');
});

t.test('passwords are stored as argon2id hashes, with at least the cost that OWASP recommends', async (t) => {
  const [one, other] = [await hashPassword(password), await hashPassword(password)];
  const [, memory, passes, lanes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(one) ?? [];
  t.ok(Number(memory) >= 19_456 && Number(passes) >= 2 && Number(lanes) >= 1, one);
  t.not(one, other, 'two hashes of one password differ');
  t.equal(await verifyPassword(one, password), true);
  t.equal(await verifyPassword(one, `${password} `), false);
});

t.test('a password that timed out in the queue does not count as a failure', async (t) => {
  const limits = await createSignInLimits(kernel.orm, kernel.config.limits, 'user');
  const attempt = (check: () => Promise<string>) =>
    withinSignInLimits(
      kernel.fork(),
      kernel.context,
      limits,
      'autre@gmail.com',
      { network: '192.0.2.7', device: null, deviceToken: null },
      check,
    );
  for (let time = 0; time < 3; time += 1)
    await t.rejects(
      attempt(async () => Promise.reject(signInsBusy())),
      { code: 'SIGN_IN.BUSY' },
    );
  t.equal(await attempt(async () => 'right'), 'right');
});

t.test(
  'only password threads run at a lower priority than pages',
  { skip: process.platform !== 'linux' && 'by thread on Linux alone' },
  async (t) => {
    const mine = getPriority();
    await verifyPassword(null, password);
    // The niceness is the 19th field; the second one, the name, may contain spaces.
    const nicenessOf = (thread: string) => Number(readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ')[1]?.split(' ')[16]);
    const standingBack = readdirSync('/proc/self/task').filter((thread) => nicenessOf(thread) > mine);
    t.ok(standingBack.length >= 1 && standingBack.length <= Math.max(1, availableParallelism() - 1), `${standingBack.length} threads`);
    t.equal(nicenessOf(String(process.pid)), mine);
  },
);
