// Alone: it counts the threads of its process that stand back.
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, getPriority } from 'node:os';
import t from 'tap';
import { call, createTestApp } from '../../../../test/support/app.ts';
import { createSignInLimits, withinSignInLimits } from '../sign-in/sign-in-limits.ts';
import { signInsBusy } from './identity.errors.ts';
import { hashPassword, maxWaiting, verifyPassword } from './password.ts';

// Checking passwords costs more than anything else here: it is done a few at a time, and only so many wait.

const home = await createTestApp(t, { SIGN_IN_FAILURES_PER_ACCOUNT: '1' });
const { app, kernel } = home;
const password = 'Concours-2026!';
const email = 'aicha@gmail.com';
const account = { username: 'aicha', email, password, confirmPassword: password, connexion: false };
const signIn = () => call(app, { method: 'POST', url: '/api/users/login', payload: { email, password } });

t.test('more than can wait are told to come back, and it is no failure of theirs', async (t) => {
  t.equal((await call(app, { method: 'POST', url: '/api/users/register', payload: account })).statusCode, 201);
  await verifyPassword(null, password);
  const atOnce = Math.max(1, availableParallelism() - 1);
  const began = performance.now();
  const refusedAtOnce: unknown[] = [];
  /** How long those have waited whose turn did not come, in ms. */
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
  // On a busy machine, the turn of some may not come in time: they are told the same.
  const outcomes = await all;
  t.same(new Set(outcomes), new Set(['checked', 'SIGN_IN.BUSY']));
  t.equal(outcomes.filter((outcome) => outcome === 'checked').length, atOnce + maxWaiting - waited.length);
  t.ok(
    waited.every((ms) => ms > 4_900),
    'all others are checked',
  );
  t.equal((await signIn()).statusCode, 200, 'with one failure it would be 429');
});

t.test("what is stored of a password is argon2id, at OWASP's cost or more", async (t) => {
  const [one, other] = [await hashPassword(password), await hashPassword(password)];
  const [, memory, passes, lanes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(one) ?? [];
  t.ok(Number(memory) >= 19_456 && Number(passes) >= 2 && Number(lanes) >= 1, one);
  t.not(one, other, 'salted');
  t.equal(await verifyPassword(one, password), true);
  t.equal(await verifyPassword(one, `${password} `), false);
});

t.test('a password that nobody had the time to check is no failure either', async (t) => {
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
  'passwords stand back behind pages, and nothing else does',
  { skip: process.platform !== 'linux' && 'by thread on Linux alone' },
  async (t) => {
    const mine = getPriority();
    await verifyPassword(null, password);
    // The 19th field, of which the second may hold spaces.
    const nicenessOf = (thread: string) => Number(readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ')[1]?.split(' ')[16]);
    const standingBack = readdirSync('/proc/self/task').filter((thread) => nicenessOf(thread) > mine);
    t.ok(standingBack.length >= 1 && standingBack.length <= Math.max(1, availableParallelism() - 1), `${standingBack.length} threads`);
    t.equal(nicenessOf(String(process.pid)), mine);
  },
);
