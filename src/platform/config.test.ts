import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { ConfigError, loadConfig } from './config.ts';
import { projectRoot } from './paths.ts';

const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgresql://prepa:secret@localhost:5432/prepa',
  PUBLIC_URL: 'https://prepa.example',
  ZITOPAY_RECEIVER: 'prepa',
};

function faultsOf(environment: Record<string, string>): string[] {
  try {
    loadConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

t.test('nothing set: defaults that run', async (t) => {
  t.match(loadConfig({}), {
    environment: 'development',
    host: '127.0.0.1',
    port: 3000,
    publicUrl: null,
    dataDir: '.data',
    databaseUrl: null,
    logLevel: 'info',
    site: { name: 'PrépaConcours', city: 'Yaoundé' },
    allowedEmailDomains: ['gmail.com', 'yahoo.com', 'yahoo.fr', 'outlook.com'],
    limits: { signInFailuresPerAccount: 10, signInWindowMinutes: 15, signInAttemptsPerAddress: 300, registrationsPerAddressHour: 100 },
    paymentSimulation: false,
  });
  t.same(loadConfig({ PORT: '', PUBLIC_URL: '', LOG_LEVEL: '' }), loadConfig({}), 'empty is unset');
});

t.test('every fault at once, each with the name of its setting, in French', async (t) => {
  t.same(
    faultsOf({
      ...{ NODE_ENV: 'prod', PORT: 'abc', PUBLIC_URL: 'prepa.example', DATABASE_URL: 'mysql://x', LOG_LEVEL: 'loud' },
      ...{ SUPPORT_EMAIL: 'x', ALLOWED_EMAIL_DOMAINS: ' , ', SIGN_IN_FAILURES_PER_ACCOUNT: '0', PAYMENT_SIMULATION: 'oui' },
    }),
    [
      'NODE_ENV doit valoir development, test ou production',
      'PORT doit être un nombre entier',
      'PUBLIC_URL doit être une adresse http(s)',
      'DATABASE_URL doit être une adresse postgresql://',
      'LOG_LEVEL niveau inconnu',
      'SUPPORT_EMAIL doit être une adresse électronique',
      'ALLOWED_EMAIL_DOMAINS doit nommer au moins un domaine',
      'SIGN_IN_FAILURES_PER_ACCOUNT doit valoir au moins 1',
      'PAYMENT_SIMULATION doit valoir on ou off',
    ],
  );
  t.same(faultsOf({ PORT: '70000' }), ['PORT doit valoir au plus 65535']);
  t.throws(() => loadConfig({ PORT: 'a', LOG_LEVEL: 'b' }), {
    message: 'Réglages incorrects : PORT doit être un nombre entier ; LOG_LEVEL niveau inconnu',
  });
});

t.test('a limit without words of its own is French too', async (t) => {
  t.same(faultsOf({ SITE_NAME: 'x'.repeat(41), SUPPORT_PHONE: '1'.repeat(31) }), [
    'SITE_NAME est trop court, trop long ou incorrect',
    'SUPPORT_PHONE est trop court, trop long ou incorrect',
  ]);
});

t.test('production asks for what it cannot guess, and refuses what is for trying out', async (t) => {
  t.same(faultsOf({ NODE_ENV: 'production', PAYMENT_SIMULATION: 'on' }), [
    'DATABASE_URL est obligatoire en production',
    'PUBLIC_URL est obligatoire en production',
    'ZITOPAY_RECEIVER est obligatoire en production',
    'PAYMENT_SIMULATION est refusé en production',
  ]);
  t.same(faultsOf({ ...production, PAYMENT_SIMULATION: '1' }), ['PAYMENT_SIMULATION est refusé en production']);
  t.same(
    faultsOf({ NODE_ENV: 'production', PORT: 'abc' }).sort(),
    [
      'DATABASE_URL est obligatoire en production',
      'PORT doit être un nombre entier',
      'PUBLIC_URL est obligatoire en production',
      'ZITOPAY_RECEIVER est obligatoire en production',
    ],
    'beside the other faults',
  );
  t.match(loadConfig(production), { environment: 'production', paymentSimulation: false, publicUrl: 'https://prepa.example' });
  t.same(faultsOf({ NODE_ENV: 'test', PAYMENT_SIMULATION: 'on' }), []);
});

t.test('a setting is checked as what it is', async (t) => {
  for (const url of ['https://prepa.example/site', 'https://prepa.example/?a=1', 'https://prepa.example/#a']) {
    t.same(faultsOf({ PUBLIC_URL: url }), ["PUBLIC_URL doit s'arrêter après le nom du site"], url);
  }
  for (const proxy of ['nginx', '10.0.0.0/33', '10.0.0.1, ', '::/129']) {
    t.same(faultsOf({ TRUST_PROXY: proxy }), ['TRUST_PROXY doit nommer loopback, des adresses ou des plages'], proxy);
  }
  t.same(faultsOf({ TRUST_PROXY: 'loopback, 10.0.0.0/8, ::1' }), []);
  for (const password of ['court', 'sansmajuscule1!', 'SansChiffre!']) {
    t.match(faultsOf({ DEMO_PASSWORD: password }), [/^DEMO_PASSWORD doit compter 8 caractères/], password);
  }
});

t.test('letters need a sender, and an address that their links lead to', async (t) => {
  const mail = { SMTP_URL: 'smtps://facteur:s3cret%2F@smtp.example:465', MAIL_FROM: 'prepa@prepa.example' };
  t.same(loadConfig({ ...mail, PUBLIC_URL: 'https://prepa.example' }).mail, { smtpUrl: mail.SMTP_URL, from: mail.MAIL_FROM });
  t.equal(loadConfig({}).mail, null);
  t.same(faultsOf({ SMTP_URL: mail.SMTP_URL }), ['MAIL_FROM est obligatoire avec SMTP_URL', 'PUBLIC_URL est obligatoire avec SMTP_URL']);
  t.same(faultsOf({ ...production, SMTP_URL: mail.SMTP_URL }), ['MAIL_FROM est obligatoire avec SMTP_URL']);
  for (const url of ['https://smtp.example', 'smtp:', 'smtp.example', 'smtp://a:50%@smtp.example', 'smtp://a:%zz@smtp.example'])
    t.match(faultsOf({ ...mail, PUBLIC_URL: 'https://prepa.example', SMTP_URL: url }), [/^SMTP_URL doit être une adresse smtp/], url);
});

t.test('a fault names the setting, never its value', async (t) => {
  for (const fault of faultsOf({
    DATABASE_URL: 'mysql://prepa:s3cret@host',
    ALLOWED_EMAIL_DOMAINS: ',',
    DEMO_PASSWORD: 's3cret',
    SMTP_URL: 'smtp://a:s3cret%@b',
  })) {
    t.notMatch(fault, 's3cret');
  }
});

t.test('addresses and lists are brought into one form', async (t) => {
  t.equal(loadConfig({ PUBLIC_URL: 'https://Prepa.example/' }).publicUrl, 'https://prepa.example');
  t.same(loadConfig({ ALLOWED_EMAIL_DOMAINS: ' Gmail.com, ,camtel.cm ' }).allowedEmailDomains, ['gmail.com', 'camtel.cm']);
  const { zitopay } = loadConfig({ ZITOPAY_BASE_URL: 'http://127.0.0.1:9/' });
  t.match(zitopay, { baseUrl: 'http://127.0.0.1:9', scriptUrl: 'http://127.0.0.1:9/assets/js/payment.js' });
});

t.test('.env.example names every setting, and says only what holds', async (t) => {
  const lines = readFileSync(join(projectRoot, '.env.example'), 'utf8').split('\n');
  const example = Object.fromEntries(lines.filter((line) => /^[A-Z]/.test(line)).map((line) => line.split(/=(.*)/s).slice(0, 2)));
  t.same(loadConfig(example), loadConfig({}), 'the defaults');
  const source = readFileSync(join(projectRoot, 'src/platform/config.ts'), 'utf8');
  const known = [...source.matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name]) => name);
  t.same(
    known.filter((name) => !(String(name) in example)),
    [],
  );
});
