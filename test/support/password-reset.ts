import { Writable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Test } from 'tap';
import { buildApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { createKernel } from '../../src/kernel.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { call, submit, TestClock, visit } from './app.ts';
import { createTestDatabase } from './database.ts';
import { type Arrived, openPostOffice } from './post-office.ts';
import { asRole } from './template.ts';

export const password = 'Concours-2026';
export const next = { password: 'Nouveau-2027!', confirmPassword: 'Nouveau-2027!' };
const generous = { PASSWORD_RESETS_PER_ACCOUNT_HOUR: '1000', PASSWORD_RESETS_PER_ADDRESS_HOUR: '1000' };

/** Opens the application with a mail server; records its log. */
async function openSite(t: Test, env: Record<string, string> = {}) {
  const { url: databaseUrl } = await createTestDatabase(t);
  const post = await openPostOffice(t);
  const clock = new TestClock();
  let written = '';
  const destination = new Writable({
    write(chunk, _encoding, done) {
      written += chunk;
      done();
    },
  });
  const mail = { SMTP_URL: post.url, MAIL_FROM: 'prepa@prepa.example', PUBLIC_URL: 'https://prepa.example' };
  const config = loadConfig({
    NODE_ENV: 'test',
    DATA_DIR: t.testdir({}),
    RECONCILE_PAYMENTS: 'off',
    PUBLISH_DRAFTS: 'off',
    SHED_LOAD: 'off',
    ...mail,
    ...generous,
    ...env,
  });
  const kernel = await createKernel(config, { databaseUrl: asRole(databaseUrl, 'web'), clock, log: createLog('trace', destination) });
  const app = await buildApp(kernel);
  t.teardown(async () => {
    await app.close();
    await kernel.close();
  });
  return { app, clock, databaseUrl, post, log: () => written };
}

/** Opens a site. Returns a function that creates a new learner on it, or on a separate site when `env` is given. */
export async function sharedSite(t: Test) {
  const shared = await openSite(t);
  let accounts = 0;
  return async function open(t: Test, env?: Record<string, string>) {
    const site = env ? await openSite(t, env) : shared;
    accounts += 1;
    const account = { username: `aicha_${accounts}`, email: `Aicha${accounts}@gmail.com` };
    const payload = { ...account, password, confirmPassword: password };
    const { token, user } = (await call(site.app, { method: 'POST', url: '/api/users/register', payload })).json();
    return { ...site, ...account, id: user.id as string, token: token as string };
  };
}

export const ask = (app: FastifyInstance, email: string) => submit(app, '/mot-de-passe-oublie', { email });
export const linkOf = ({ text }: Arrived) => /https:\/\/prepa\.example(\/nouveau-mot-de-passe\?jeton=([\w-]{43}))\s/.exec(text) ?? [];

/** Follows the link in an e-mail; returns the cookie that is set. */
export async function follow(app: FastifyInstance, letter: Arrived): Promise<string> {
  const answer = await visit(app, linkOf(letter)[1] ?? '');
  const cookie = answer.cookies.find(({ name }) => name === '__Secure-resetToken');
  return `__Secure-resetToken=${cookie?.value}`;
}

export const choose = (app: FastifyInstance, cookie: string, form: Record<string, string> = next) =>
  submit(app, '/nouveau-mot-de-passe', form, cookie);
export const signIn = async (app: FastifyInstance, email: string, typed: string) =>
  (await call(app, { method: 'POST', url: '/api/users/login', payload: { email, password: typed } })).statusCode;
