/**
 * `ONLY=timing make soak`: checks that the response times of sign-in, forgotten password and administration keys do not reveal what the
 * responses hide. Each kind of request is sent TRIES (500) times in one run, in an order drawn from SEED. The medians of a group differ by
 * at most 5 %, and the responses are identical.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LightMyRequestResponse } from 'fastify';
import type { Test } from 'tap';
import { issueKeys, terminal } from '../../src/modules/identity/index.ts';
import { call, createTestApp, type TestApp } from '../../test/support/app.ts';
import { createAdministrator } from '../../test/support/factories.ts';
import { seeded } from '../../test/support/random.ts';
import { sql } from '../../test/support/sql.ts';
import { median } from '../support/report.ts';

/** Pause between two requests, in ms. */
const pauseMs = 10;
/** Largest accepted ratio of two medians. */
const widest = 1.05;

const many = '1000000';
const generous = {
  SIGN_IN_FAILURES_PER_ACCOUNT: '100000',
  SIGN_IN_FAILURES_PER_ACCOUNT_HOUR: many,
  SIGN_IN_ATTEMPTS_PER_ADDRESS: many,
  REGISTRATIONS_PER_ADDRESS_HOUR: many,
  ADMIN_KEY_FAILURES_PER_ADDRESS: '100000',
  PASSWORD_RESETS_PER_ACCOUNT_HOUR: '100000',
  PASSWORD_RESETS_PER_ADDRESS_HOUR: many,
};
const password = 'Concours-2026!';
const wrong = 'Autre-2026!';

type Ask = () => Promise<LightMyRequestResponse>;

/** Groups of requests whose responses must not be distinguishable; each request has a name. */
async function questions(home: TestApp): Promise<Record<string, Record<string, Ask>>> {
  const { app, kernel, databaseUrl } = home;
  const post = (url: string, payload: object) => () => call(app, { method: 'POST', url, payload });
  const learner = 'aicha@gmail.com';
  await post('/api/users/register', { username: 'aicha', email: learner, password, confirmPassword: password })();
  const administrator = await createAdministrator(home);
  await sql(databaseUrl, 'update administrator set password_hash = (select password_hash from app_user limit 1)');
  const signIn = (url: string, email: string) => post(url, { email, password: wrong });

  const pair = () => issueKeys(kernel.fork(), kernel.context, terminal, { role: 'admin', days: 1 });
  const withKeys = ({ adminKey1, adminKey2 }: { adminKey1: string; adminKey2: string }) =>
    post('/api/admin/register', {
      username: 'nouvelle',
      email: 'nouvelle@prepa.example',
      password,
      confirmPassword: password,
      role: 'admin',
      adminKey1,
      adminKey2,
    });
  const [expired, revoked, halfOf] = [await pair(), await pair(), await pair()];
  await sql(databaseUrl, "update administration_keys set expires_at = now() - interval '1 day' where id = $1", [expired.id]);
  await sql(databaseUrl, 'update administration_keys set revoked_at = now() where id = $1', [revoked.id]);
  const turned = (key: string) => [...key].reverse().join('');

  return {
    'forgotten password': {
      known: post('/mot-de-passe-oublie', { email: learner }),
      unknown: post('/mot-de-passe-oublie', { email: 'personne@gmail.com' }),
    },
    'administration keys': {
      unknown: withKeys({ adminKey1: turned(expired.adminKey1), adminKey2: turned(expired.adminKey2) }),
      'half known': withKeys({ adminKey1: halfOf.adminKey1, adminKey2: turned(halfOf.adminKey2) }),
      expired: withKeys(expired),
      revoked: withKeys(revoked),
    },
    'sign-in': { known: signIn('/api/users/login', learner), unknown: signIn('/api/users/login', 'personne@gmail.com') },
    "administrators' sign-in": {
      known: signIn('/api/admin/login', administrator.email),
      unknown: signIn('/api/admin/login', 'personne@prepa.example'),
    },
  };
}

export async function soakTiming(test: Test, { tries, seed }: { tries: number; seed: number }): Promise<boolean> {
  const home = await createTestApp(test, generous);
  const random = seeded(seed);
  let held = true;
  for (const [question, kinds] of Object.entries(await questions(home))) {
    const names = Object.keys(kinds);
    const took = new Map<string, number[]>(names.map((name) => [name, []]));
    const said = new Set<string>();
    // Negative rounds are a warm-up: they compile code and do one-time work.
    for (let round = -20; round < tries; round += 1) {
      for (const name of shuffled(names, random)) {
        const began = performance.now();
        const answer = await kinds[name]?.();
        if (round >= 0) took.get(name)?.push(performance.now() - began);
        // Work done after a response would otherwise be counted to the next request.
        await sleep(pauseMs);
        said.add(`${answer?.statusCode} ${answer?.body}`);
      }
    }
    const medians = names.map((name) => median(took.get(name) ?? []));
    const apart = Math.max(...medians) / Math.min(...medians);
    const holds = apart <= widest && said.size === 1;
    held &&= holds;
    const figures = names.map((name, index) => `${name} ${medians[index]?.toFixed(2)} ms`).join(', ');
    console.log(
      `${holds ? 'ok   ' : 'WRONG'}  ${question}: ${figures}; ${((apart - 1) * 100).toFixed(1)} % apart, ${said.size} answer(s), ${tries} tries each`,
    );
  }
  return held;
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  const left = [...items];
  return items.map(() => left.splice(Math.floor(random() * left.length), 1)[0] as Item);
}
