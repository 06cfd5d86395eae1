import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { faultsOf, production } from '../../../test/support/settings.ts';
import { loadConfig, settingNames } from '../../config.ts';
import { projectRoot } from './project-root.ts';

t.test('without settings, the defaults work', async (t) => {
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
    landingFigures: 'specification',
    limits: {
      signInFailuresPerAccount: 10,
      signInWindowMinutes: 15,
      signInAttemptsPerAddress: 300,
      registrationsPerAddressHour: 100,
      paymentStartsPerLearner: 5,
    },
    payments: { providers: ['zitopay'], failuresBeforePause: 10, pauseMs: 30_000 },
    zitopay: { receiver: 'demo', baseUrl: 'http://127.0.0.1:4010' },
    notchpay: {
      publicKey: null,
      hashKey: null,
      baseUrl: 'http://127.0.0.1:4011',
      checkoutOrigin: 'http://127.0.0.1:4011',
      signatureHeader: 'x-notch-signature',
      signatureAlgorithm: 'sha256',
      timeoutMs: 10_000,
    },
    paymentSimulation: false,
    reconcile: { inServer: true, everySeconds: 30 },
  });
  t.equal(loadConfig(production).publishDrafts, true);
  t.equal(loadConfig(production).reconcile.inServer, true, 'the server also reconciles in production');
  t.same(loadConfig({}).administrators, { demandsSecondFactor: false, secretsKey: null });
  t.equal(loadConfig(production).administrators.demandsSecondFactor, true);
  t.equal(loadConfig({ ...production, SUPER_ADMIN_SECOND_FACTOR: 'optional' }).administrators.demandsSecondFactor, false);
  t.same(faultsOf({ ADMIN_SECRETS_KEY: 'trop courte', SUPER_ADMIN_SECOND_FACTOR: 'on' }), [
    'SUPER_ADMIN_SECOND_FACTOR doit valoir required ou optional',
    'ADMIN_SECRETS_KEY doit compter au moins 32 caractères',
  ]);
  t.same(faultsOf({ PUSH_PUBLIC_KEY: `B${'a'.repeat(86)}` }), ['PUSH_PRIVATE_KEY est obligatoire avec PUSH_PUBLIC_KEY']);
  t.same(faultsOf({ PUSH_PUBLIC_KEY: 'courte', PUSH_PRIVATE_KEY: 'a'.repeat(43) }), [
    'PUSH_PUBLIC_KEY doit être une clé publique de « prepa push keys »',
  ]);
  t.same(faultsOf({ ...production, ADMIN_SECRETS_KEY: 'a'.repeat(32) }), ['ADMIN_SECRETS_KEY est trop simple : tirez-la au hasard']);
  t.same(loadConfig({ PORT: '', PUBLIC_URL: '', LOG_LEVEL: '' }), loadConfig({}), 'an empty value counts as unset');
});

t.test('reports all faults at once, in French, each with the name of its setting', async (t) => {
  t.same(
    faultsOf({
      NODE_ENV: 'prod',
      PORT: 'abc',
      PUBLIC_URL: 'prepa.example',
      DATABASE_URL: 'mysql://x',
      LOG_LEVEL: 'loud',
      SUPPORT_EMAIL: 'x',
      ALLOWED_EMAIL_DOMAINS: ' , ',
      LANDING_FIGURES: 'auto',
      SIGN_IN_FAILURES_PER_ACCOUNT: '0',
      PAYMENT_SIMULATION: 'oui',
    }),
    [
      'NODE_ENV doit valoir development, test ou production',
      'PORT doit être un nombre entier',
      'PUBLIC_URL doit être une adresse http(s)',
      'DATABASE_URL doit être une adresse postgresql://',
      'LOG_LEVEL niveau inconnu',
      'SUPPORT_EMAIL doit être une adresse électronique',
      'ALLOWED_EMAIL_DOMAINS doit nommer au moins un domaine',
      'LANDING_FIGURES doit valoir specification ou database',
      'SIGN_IN_FAILURES_PER_ACCOUNT doit valoir au moins 1',
      'PAYMENT_SIMULATION doit valoir on ou off',
    ],
  );
  t.same(faultsOf({ PORT: '70000' }), ['PORT doit valoir au plus 65535']);
  t.same(faultsOf({ DATABASE_POOL_SIZE: '1', DATABASE_NAMED_STATEMENTS: 'jamais' }), [
    'DATABASE_NAMED_STATEMENTS doit valoir on ou off',
    'DATABASE_POOL_SIZE doit valoir au moins 2',
  ]);
  t.throws(() => loadConfig({ PORT: 'a', LOG_LEVEL: 'b' }), {
    message: 'Réglages incorrects : PORT doit être un nombre entier ; LOG_LEVEL niveau inconnu',
  });
});

t.test('limits without their own message are reported in French too', async (t) => {
  t.same(faultsOf({ SITE_NAME: 'x'.repeat(41), SUPPORT_PHONE: '1'.repeat(31) }), [
    'SITE_NAME est trop court, trop long ou incorrect',
    'SUPPORT_PHONE est trop court, trop long ou incorrect',
  ]);
});

t.test('production requires settings without a default, and refuses the payment simulation', async (t) => {
  t.same(faultsOf({ NODE_ENV: 'production', PAYMENT_SIMULATION: 'on' }), [
    'DATABASE_URL est obligatoire en production',
    'PUBLIC_URL est obligatoire en production',
    'ZITOPAY_RECEIVER est obligatoire en production avec zitopay',
    'PAYMENT_SIMULATION est refusé en production',
  ]);
  t.equal(loadConfig({ ...production, REFUSE_COMMON_PASSWORDS: 'off' }).refuseCommonPasswords, false);
  t.match([loadConfig(production), loadConfig({})], [{ notchpay: { acceptsSandbox: false } }, { notchpay: { acceptsSandbox: true } }]);
  t.same(faultsOf({ ...production, PAYMENT_SIMULATION: '1' }), ['PAYMENT_SIMULATION est refusé en production']);
  t.same(
    faultsOf({ NODE_ENV: 'production', PORT: 'abc' }).sort(),
    [
      'DATABASE_URL est obligatoire en production',
      'PORT doit être un nombre entier',
      'PUBLIC_URL est obligatoire en production',
      'ZITOPAY_RECEIVER est obligatoire en production avec zitopay',
    ],
    'missing settings are reported together with the other faults',
  );
  t.match(loadConfig(production), { environment: 'production', paymentSimulation: false, publicUrl: 'https://prepa.example' });
  t.same(faultsOf({ NODE_ENV: 'test', PAYMENT_SIMULATION: 'on' }), []);
});

t.test('payment providers, and their settings in production', async (t) => {
  const { ZITOPAY_RECEIVER: _, ...bare } = production;
  const notchpay = { NOTCHPAY_PUBLIC_KEY: 'pk_x', NOTCHPAY_HASH_KEY: 'hsk_c4Vb7Qe1s9Zp4xTm' };
  const zitopayMissing = 'ZITOPAY_RECEIVER est obligatoire en production avec zitopay';
  const notchpayMissing = [
    'NOTCHPAY_PUBLIC_KEY est obligatoire en production avec notchpay',
    'NOTCHPAY_HASH_KEY est obligatoire en production avec notchpay',
  ];
  t.same(
    loadConfig({ PAYMENT_PROVIDERS: ' notchpay , zitopay' }).payments.providers,
    ['notchpay', 'zitopay'],
    'providers keep the order of the setting',
  );
  t.same(faultsOf({ ...bare, PAYMENT_PROVIDERS: 'zitopay' }), [zitopayMissing]);
  t.same(faultsOf({ ...bare, PAYMENT_PROVIDERS: 'notchpay' }), notchpayMissing);
  t.same(faultsOf({ ...bare, PAYMENT_PROVIDERS: 'zitopay,notchpay' }), [zitopayMissing, ...notchpayMissing]);
  t.same(faultsOf({ ...bare, ...notchpay, PAYMENT_PROVIDERS: 'notchpay' }), []);
  t.same(faultsOf({ ...bare, PAYMENT_PROVIDERS: 'notchpay', NOTCHPAY_HASH_KEY: 'hsk_c4Vb7Qe1s9Zp4xTm' }), [notchpayMissing[0]]);
  t.same(faultsOf({ PAYMENT_PROVIDERS: 'notchpay' }), [], 'outside production no keys are needed');
  t.match(loadConfig({ ...bare, ...notchpay, PAYMENT_PROVIDERS: 'notchpay' }).notchpay, {
    baseUrl: 'https://api.notchpay.co',
    checkoutOrigin: 'https://pay.notchpay.co',
    publicKey: 'pk_x',
    hashKey: 'hsk_c4Vb7Qe1s9Zp4xTm',
  });
  const plain = { NOTCHPAY_BASE_URL: 'http://api.example', NOTCHPAY_CHECKOUT_ORIGIN: 'http://pay.example' };
  t.same(faultsOf({ ...production, ...notchpay, ...plain, PAYMENT_PROVIDERS: 'notchpay' }), [
    'NOTCHPAY_BASE_URL doit être une adresse https en production',
    'NOTCHPAY_CHECKOUT_ORIGIN doit être une adresse https en production',
  ]);
  t.equal(faultsOf({ ...production, ...plain }).length, 2, 'a provider no longer chosen is still used for its open payments');
  for (const choice of ['paypal', 'zitopay,zitopay', 'zitopay,', ',', 'Zitopay', 'zitopay notchpay'])
    t.same(
      faultsOf({ PAYMENT_PROVIDERS: choice }),
      ['PAYMENT_PROVIDERS doit nommer zitopay, notchpay ou les deux, une fois chacun, séparés par une virgule'],
      choice,
    );
  t.same(
    faultsOf({
      NOTCHPAY_PUBLIC_KEY: 'a b',
      NOTCHPAY_HASH_KEY: 'clé',
      NOTCHPAY_BASE_URL: 'x',
      NOTCHPAY_CHECKOUT_ORIGIN: 'https://a/b',
      NOTCHPAY_SIGNATURE_HEADER: 'x: y',
      NOTCHPAY_SIGNATURE_ALGORITHM: 'md5',
      NOTCHPAY_TIMEOUT_MS: '1',
      PAYMENT_PROVIDER_FAILURES: '0',
    }),
    [
      'PAYMENT_PROVIDER_FAILURES doit valoir au moins 1',
      'NOTCHPAY_PUBLIC_KEY doit tenir en 200 caractères sans espace ni accent',
      'NOTCHPAY_HASH_KEY doit tenir en 200 caractères sans espace ni accent',
      'NOTCHPAY_BASE_URL doit être une adresse http(s)',
      "NOTCHPAY_CHECKOUT_ORIGIN doit s'arrêter après le nom du site",
      "NOTCHPAY_SIGNATURE_HEADER doit être un nom d'en-tête",
      'NOTCHPAY_SIGNATURE_ALGORITHM doit valoir sha256 ou sha512',
      'NOTCHPAY_TIMEOUT_MS doit valoir au moins 100',
    ],
  );
  t.match(loadConfig({ NOTCHPAY_BASE_URL: 'http://127.0.0.1:9/v1/', NOTCHPAY_SIGNATURE_HEADER: 'X-NOTCHPAY-SIGNATURE' }).notchpay, {
    baseUrl: 'http://127.0.0.1:9/v1',
    checkoutOrigin: 'http://127.0.0.1:9',
    signatureHeader: 'x-notchpay-signature',
  });
});

t.test("a provider's address contains no password, and paths can be appended to it", async (t) => {
  const secret = 'https://somebody:secret@api.example';
  const names = ['ZITOPAY_BASE_URL', 'ZITOPAY_SCRIPT_URL', 'NOTCHPAY_BASE_URL'];
  t.same(
    faultsOf(Object.fromEntries(names.map((name) => [name, secret]))),
    names.map((name) => `${name} doit être une adresse sans nom d'utilisateur ni mot de passe`),
  );
  for (const rest of ['?key=1', '#v1'])
    t.same(faultsOf({ ZITOPAY_BASE_URL: `https://api.example/v1${rest}` }), ["ZITOPAY_BASE_URL doit s'arrêter après le chemin"]);
  t.same(faultsOf({ ZITOPAY_SCRIPT_URL: 'https://api.example/payment.js?v=2' }), []);
});

t.test('checks each setting by its type', async (t) => {
  for (const url of ['https://prepa.example/site', 'https://prepa.example/?a=1', 'https://prepa.example/#a']) {
    t.same(faultsOf({ PUBLIC_URL: url }), ["PUBLIC_URL doit s'arrêter après le nom du site"], url);
  }
  for (const proxy of ['nginx', '10.0.0.0/33', '10.0.0.1, ', '::/129']) {
    t.same(faultsOf({ TRUST_PROXY: proxy }), ['TRUST_PROXY doit nommer loopback, des adresses ou des plages, ou valoir none'], proxy);
  }
  for (const proxies of ['10.0.0.0/0', 'loopback, ::/00'])
    t.same(
      faultsOf({ TRUST_PROXY: proxies }),
      ["TRUST_PROXY laisserait n'importe qui choisir l'adresse dont il vient : nommez votre proxy"],
      proxies,
    );
  t.same(faultsOf({ PORT: '  ', SESSIONS_PER_LEARNER: '\t' }), [
    'PORT doit être un nombre entier',
    'SESSIONS_PER_LEARNER doit être un nombre entier',
  ]);
  t.equal(loadConfig({ PORT: ' 4000 ' }).port, 4000);
  t.same(faultsOf({ TRUST_PROXY: 'loopback, 10.0.0.0/8, ::1' }), []);
  t.equal(loadConfig({ TRUST_PROXY: 'none' }).trustProxy, false);
  for (const keys of ['ssh-ed25519 AAAA', 'age1court', `AGE-SECRET-KEY-1${'Q'.repeat(58)}`]) {
    t.same(faultsOf({ BACKUP_RECIPIENT: keys }), ['BACKUP_RECIPIENT doit nommer des clés publiques age (age1…)'], keys);
  }
  for (const password of ['court', 'sansmajuscule1!', 'SansChiffre!']) {
    t.match(faultsOf({ DEMO_PASSWORD: password }), [/^DEMO_PASSWORD doit compter 8 caractères/], password);
  }
});

t.test('e-mails need a sender and a public address for their links', async (t) => {
  const mail = { SMTP_URL: 'smtps://facteur:s3cret%2F@smtp.example:465', MAIL_FROM: 'prepa@prepa.example' };
  t.same(loadConfig({ ...mail, PUBLIC_URL: 'https://prepa.example' }).mail, { smtpUrl: mail.SMTP_URL, from: mail.MAIL_FROM });
  t.equal(loadConfig({}).mail, null);
  t.same(faultsOf({ SMTP_URL: mail.SMTP_URL }), ['MAIL_FROM est obligatoire avec SMTP_URL', 'PUBLIC_URL est obligatoire avec SMTP_URL']);
  t.same(faultsOf({ ...production, SMTP_URL: mail.SMTP_URL }), ['MAIL_FROM est obligatoire avec SMTP_URL']);
  for (const url of [
    'https://smtp.example',
    'smtp:',
    'smtp.example',
    'smtp://a:50%@smtp.example',
    'smtp://a:%zz@smtp.example',
    'smtp://a:ab%cdef@smtp.example',
  ])
    t.match(faultsOf({ ...mail, PUBLIC_URL: 'https://prepa.example', SMTP_URL: url }), [/^SMTP_URL doit être une adresse smtp/], url);
});

t.test('reports an invalid % in a setting together with all other faults', async (t) => {
  const fault = "porte un % qui n'encode aucun caractère : % s'écrit %25";
  const good = 'postgresql://prepa:s3cret@db.example/prepa';
  for (const url of [
    'postgresql://prepa:sekret%zz@db.example/x%zz',
    'postgresql://prepa:50%@db.example/prepa',
    'postgresql://prepa:ab%cdef@db.example/prepa',
    'postgresql://pre%pa:s3cret@db.example/prepa',
    'postgresql://prepa:s3cret@db%zz.example/prepa',
    'postgresql://db.example/prepa?password=50%',
  ]) {
    t.same(faultsOf({ DATABASE_URL: url, PORT: 'abc' }), ['PORT doit être un nombre entier', `DATABASE_URL ${fault}`], url);
    t.ok(faultsOf({ ...production, DATABASE_URL: url }).includes(`DATABASE_URL ${fault}`), `refused in production: ${url}`);
    t.same(faultsOf({ DATABASE_URL: good, DATABASE_REPLICA_URLS: `${good},${url}` }), [`DATABASE_REPLICA_URLS ${fault}`], url);
    for (const name of ['COMMANDS_DATABASE_URL', 'MIGRATIONS_DATABASE_URL'])
      t.same(faultsOf({ DATABASE_URL: good, [name]: url }, 'commands'), [`${name} ${fault}`], url);
  }
  t.same(faultsOf({ DATABASE_URL: 'postgresql://prepa:50%25%C3%A9@%2Fvar%2Frun/prepa' }), []);
});

t.test('a fault names the setting, never its value', async (t) => {
  for (const fault of faultsOf({
    DATABASE_URL: 'mysql://prepa:s3cret@host',
    ALLOWED_EMAIL_DOMAINS: ',',
    DEMO_PASSWORD: 's3cret',
    SMTP_URL: 'smtp://a:s3cret%@b',
    NOTCHPAY_PUBLIC_KEY: 's3cret é',
    NOTCHPAY_HASH_KEY: 's3cret é',
  })) {
    t.notMatch(fault, 's3cret');
  }
});

t.test('rules stricter than the specification are off by default, or on in production only', async (t) => {
  const off = { adminUrl: null, confirmEmail: false, hstsSubdomains: false };
  t.match(loadConfig({}), { ...off, refuseCommonPasswords: false, limits: { sessionsPerLearner: 0 }, zitopay: { hasWidget: true } });
  t.match(loadConfig(production), { ...off, refuseCommonPasswords: true, limits: { sessionsPerLearner: 5 }, zitopay: { hasWidget: true } });
});

t.test('normalises addresses and lists', async (t) => {
  t.equal(loadConfig({ PUBLIC_URL: 'https://Prepa.example/' }).publicUrl, 'https://prepa.example');
});

t.test("the administration's host must differ from the site's", async (t) => {
  const site = { PUBLIC_URL: 'https://prepa.example' };
  t.equal(loadConfig({ ...site, ADMIN_URL: 'https://admin.prepa.example/' }).adminUrl, 'https://admin.prepa.example');
  t.same(faultsOf({ ADMIN_URL: 'https://admin.prepa.example' }), ['PUBLIC_URL est obligatoire avec ADMIN_URL']);
  for (const url of ['https://prepa.example', 'https://PREPA.example:8443'])
    t.same(faultsOf({ ...site, ADMIN_URL: url }), ['ADMIN_URL doit nommer un autre hôte que PUBLIC_URL'], url);
  t.match(faultsOf({ ...production, ADMIN_URL: 'http://admin.prepa.cm' }), ['ADMIN_URL doit être une adresse https en production']);
  t.same(loadConfig({ ALLOWED_EMAIL_DOMAINS: ' Gmail.com, ,camtel.cm ' }).allowedEmailDomains, ['gmail.com', 'camtel.cm']);
  const key = `age1${'q'.repeat(58)}`;
  t.same(loadConfig({ BACKUP_RECIPIENT: ` ${key},, ${key}` }).backup.recipients, [key, key]);
  const { zitopay } = loadConfig({ ZITOPAY_BASE_URL: 'http://127.0.0.1:9/' });
  t.match(zitopay, { baseUrl: 'http://127.0.0.1:9', scriptUrl: 'http://127.0.0.1:9/assets/js/payment.js' });
});

t.test('.env.example lists every setting with its real default', async (t) => {
  const lines = readFileSync(join(projectRoot, '.env.example'), 'utf8').split('\n');
  const example = Object.fromEntries(lines.filter((line) => /^[A-Z]/.test(line)).map((line) => line.split(/=(.*)/s).slice(0, 2)));
  t.same(loadConfig(example), loadConfig({}), '.env.example has the defaults');
  const sources = globSync('src/**/{config,*settings,*definitions}.ts', { cwd: projectRoot }).map((path) =>
    readFileSync(join(projectRoot, path), 'utf8'),
  );
  const known = sources.flatMap((source) => [...source.matchAll(/^ +([A-Z][A-Z\d_]+): /gm)].map(([, name]) => name));
  t.same(
    known.filter((name) => !(String(name) in example)),
    [],
  );
  const { all, secrets } = settingNames();
  t.same(Object.keys(example).sort(), [...all].sort(), 'every setting that the code reads is listed');
  const saysOfFiles = lines.slice(0, lines.indexOf('')).join(' ');
  t.same(
    saysOfFiles.match(/[A-Z]\w+_\w+(?=[, .])/g)?.sort(),
    [...secrets].sort(),
    'the head of .env.example lists the settings that may be in files',
  );
});

t.test('the file store: required settings, and rules in production', async (t) => {
  const store = {
    S3_ENDPOINT: 'https://s3.eu-west-3.amazonaws.com/',
    S3_BUCKET: 'prepa-concours',
    S3_ACCESS_KEY_ID: 'AKIA4QVT7RZLX2PMWK9D',
    S3_SECRET_ACCESS_KEY: 'nT4vQ8zLr2XcWk6pJm5sYd7b',
  };
  t.same(loadConfig({}).uploads, { kept: 'folder', s3: null });
  t.match(loadConfig({ ...production, ...store, UPLOADS: 's3', S3_PREFIX: 'site/a' }).uploads, {
    kept: 's3',
    s3: { endpoint: 'https://s3.eu-west-3.amazonaws.com', publicEndpoint: 'https://s3.eu-west-3.amazonaws.com', prefix: 'site/a/' },
  });
  t.match(loadConfig(store).uploads, { kept: 'folder', s3: { bucket: 'prepa-concours', prefix: '', signedSeconds: 300, pathStyle: true } });
  t.same(faultsOf({ UPLOADS: 's3' }), [
    'S3_ENDPOINT est obligatoire avec UPLOADS=s3',
    'S3_BUCKET est obligatoire avec UPLOADS=s3',
    'S3_ACCESS_KEY_ID est obligatoire avec UPLOADS=s3',
    'S3_SECRET_ACCESS_KEY est obligatoire avec UPLOADS=s3',
  ]);
  t.same(
    faultsOf({ ...store, UPLOADS: 'minio', S3_ENDPOINT: 's3.example', S3_BUCKET: 'Prépa', S3_PREFIX: '../a', S3_SECRET_ACCESS_KEY: 'clé' }),
    [
      'UPLOADS doit valoir folder ou s3',
      'S3_ENDPOINT doit être une adresse http(s)',
      "S3_BUCKET doit être un nom de compartiment : 3 à 63 lettres minuscules, chiffres, '-' ou '.'",
      "S3_PREFIX doit être fait de lettres sans accent, de chiffres, de '-', '.', '_' et '/'",
      'S3_SECRET_ACCESS_KEY doit tenir en 200 caractères sans espace ni accent',
    ],
  );
  const inProduction = (more: Record<string, string>) => faultsOf({ ...production, ...store, UPLOADS: 's3', ...more });
  const unreached = (name: string) =>
    `${name} doit être une adresse https que les navigateurs atteignent : réglez S3_PUBLIC_ENDPOINT, ou S3_SIGNED_SECONDS=0`;
  t.same(inProduction({ S3_ENDPOINT: 'http://files.example' }), [
    'S3_ENDPOINT doit être une adresse https en production, sauf sur cette machine',
    unreached('S3_ENDPOINT'),
  ]);
  t.same(inProduction({ S3_ENDPOINT: 'http://10.0.0.7:9000', S3_SIGNED_SECONDS: '0' }), [
    'S3_ENDPOINT doit être une adresse https en production, sauf sur cette machine',
  ]);
  for (const endpoint of ['http://127.0.0.1:9000', 'http://localhost:9000', 'http://[::1]:9000']) {
    t.same(inProduction({ S3_ENDPOINT: endpoint }), [unreached('S3_ENDPOINT')], endpoint);
    t.same(inProduction({ S3_ENDPOINT: endpoint, S3_SIGNED_SECONDS: '0' }), [], endpoint);
    t.same(inProduction({ S3_ENDPOINT: endpoint, S3_PUBLIC_ENDPOINT: 'https://files.prepa.example' }), [], endpoint);
  }
  t.same(inProduction({ S3_PUBLIC_ENDPOINT: 'http://files.prepa.example' }), [unreached('S3_PUBLIC_ENDPOINT')]);
  t.same(inProduction({ S3_ACCESS_KEY_ID: 'minioadmin', S3_SECRET_ACCESS_KEY: 'minioadmin' }), [
    "S3_ACCESS_KEY_ID porte une valeur d'exemple, d'essai ou de démonstration",
    "S3_SECRET_ACCESS_KEY porte une valeur d'exemple, d'essai ou de démonstration",
  ]);
});
