import t from 'tap';
import { faultsOf, production } from '../../../test/support/settings.ts';
import { loadConfig } from '../../config.ts';

t.test('production refuses addresses that use http, or name this machine or a private network', async (t) => {
  const addresses = ['PUBLIC_URL', 'ZITOPAY_BASE_URL', 'ZITOPAY_SCRIPT_URL', 'NOTCHPAY_BASE_URL', 'NOTCHPAY_CHECKOUT_ORIGIN'];
  const notchpay = { NOTCHPAY_PUBLIC_KEY: 'pk_x', NOTCHPAY_HASH_KEY: 'hsk_c4Vb7Qe1s9Zp4xTm', PAYMENT_PROVIDERS: 'zitopay,notchpay' };
  const all = (address: (name: string, index: number) => string) =>
    faultsOf({ ...production, ...notchpay, ...Object.fromEntries(addresses.map((name, index) => [name, address(name, index)])) });

  t.same(
    all((_, index) => `https://lieu${index}.example`),
    [],
  );
  t.same(
    all((_, index) => `HTTP://lieu${index}.example`),
    addresses.map((name) => `${name} doit être une adresse https en production`),
  );
  const here = [
    ...['localhost', 'LOCALHOST.', 'api.localhost', 'localhost.localdomain', 'simulateur', 'prepa.local', 'api.internal'],
    ...['localhost..', 'nas.lan', 'api.home.arpa', '100.64.0.1'],
    ...[
      '127.0.0.1',
      '127.9.9.9:4010',
      '127.1',
      '0x7f000001',
      '2130706433',
      '0.0.0.0',
      '10.1.2.3',
      '172.16.0.1',
      '192.168.1.20',
      '169.254.1.1',
    ],
    ...['[::1]:4010', '[::]', '[::ffff:127.0.0.1]', '[fe80::1]', '[fd00::1]'],
  ];
  for (const host of here)
    t.same(
      all(() => `https://${host}`),
      addresses.map((name) => `${name} désigne cette machine ou un réseau privé, ce qui est refusé en production`),
      host,
    );
  for (const host of ['172.32.0.1', '11.0.0.1', '[2001:db8::1]', 'localhost.cm'])
    t.same(faultsOf({ ...production, ZITOPAY_BASE_URL: `https://${host}` }), [], host);
  for (const itself of ['PREPA.example', 'prepa.example.'])
    t.same(faultsOf({ ...production, ZITOPAY_BASE_URL: `https://${itself}/pay` }), [
      'ZITOPAY_BASE_URL désigne le site lui-même (PUBLIC_URL)',
    ]);
  t.same(
    faultsOf({ ...production, PUBLIC_URL: 'http://localhost:3000', ZITOPAY_BASE_URL: 'http://127.0.0.1:4010', PAYMENT_SIMULATION: 'on' }),
    [
      'PAYMENT_SIMULATION est refusé en production',
      'PUBLIC_URL doit être une adresse https en production',
      'PUBLIC_URL désigne cette machine ou un réseau privé, ce qui est refusé en production',
      'ZITOPAY_BASE_URL doit être une adresse https en production',
      'ZITOPAY_BASE_URL désigne cette machine ou un réseau privé, ce qui est refusé en production',
    ],
    'all faults are reported at once',
  );
  t.same(faultsOf({ ...production, NODE_ENV: 'test', PUBLIC_URL: 'http://localhost:3000', ZITOPAY_BASE_URL: 'http://127.0.0.1:4010' }), []);
});

t.test('production refuses values of the demonstration or an example, trust in every proxy, and simple tokens', async (t) => {
  const refused: Record<string, string>[] = [
    { ZITOPAY_RECEIVER: 'demo' },
    { NOTCHPAY_PUBLIC_KEY: 'pk_test_sim' },
    { NOTCHPAY_HASH_KEY: 'hsk_test_sim' },
    { DATABASE_URL: 'postgresql://user:password@host:5432/database' },
    { DATABASE_URL: 'postgresql://prepa:password@db.example/prepa' },
    { SMTP_URL: 'smtps://user:password@host:465', MAIL_FROM: 'prepa@prepa.example' },
  ];
  for (const settings of refused) {
    const [name = ''] = Object.keys(settings);
    t.same(faultsOf({ ...production, ...settings }), [`${name} porte une valeur d'exemple, d'essai ou de démonstration`], name);
  }
  for (const proxies of ['0.0.0.0/0', 'loopback, ::/0'])
    t.same(faultsOf({ ...production, TRUST_PROXY: proxies }), [
      "TRUST_PROXY laisserait n'importe qui choisir l'adresse dont il vient : nommez votre proxy",
    ]);
  const image = { ...production, CONTAINER_IMAGE: 'on' };
  t.same(faultsOf(image), ["TRUST_PROXY est obligatoire dans l'image : l'adresse ou la plage de votre proxy, ou none s'il n'y en a pas"]);
  for (const proxy of ['none', '172.16.0.0/12']) t.same(faultsOf({ ...image, TRUST_PROXY: proxy }), [], proxy);
  for (const token of ['aaaaaaaaaaaaaaaa', '1234123412341234', 'secretsecretsecret'])
    t.same(faultsOf({ ...production, METRICS_TOKEN: token }), ['METRICS_TOKEN est trop simple : tirez-le au hasard'], token);
  t.same(faultsOf({ ...production, METRICS_TOKEN: 'J7c0eQv1s9Zp4xTm', TRUST_PROXY: '10.0.0.0/8' }), []);
});

t.test('production refuses a database on another machine without verified encryption', async (t) => {
  const from = (where: string) => faultsOf({ ...production, DATABASE_URL: `postgresql://prepa:J7c0eQv1s9Zp4xTm${where}` });
  const fault =
    "DATABASE_URL mène à une autre machine sans chiffrement vérifié : ajoutez sslmode=verify-full, et sslrootcert=FICHIER si l'autorité est la vôtre";
  const verified = '?sslmode=verify-full';
  for (const here of [
    ...['@localhost/prepa', '@127.0.0.1:5432/prepa', '@[::1]/prepa', '@%2Fvar%2Frun%2Fpostgresql/prepa'],
    ...['@localhost/prepa?sslmode=disable', `@db.example/prepa${verified}`],
  ])
    t.same(from(here), [], here);
  t.same(faultsOf({ ...production, DATABASE_URL: 'postgresql:///prepa?host=/var/run/postgresql' }), []);
  for (const elsewhere of [
    ...['@db.example/prepa', '@db/prepa', '@10.0.0.7/prepa', '@[2001:db8::1]/prepa', '@localhost/prepa?host=db.example'],
    ...['@localhost/prepa?host=localhost&host=db.example', '@db.example/prepa?host='],
    ...['require', 'verify-ca', 'prefer', 'no-verify', 'disable'].map((mode) => `@db.example/prepa?sslmode=${mode}`),
    ...['@db.example/prepa?ssl=true', `@db.example/prepa${verified}&ssl=false`, `@db.example/prepa${verified}&uselibpqcompat=true`],
  ])
    t.same(from(elsewhere), [fault], elsewhere);
  t.same(faultsOf({ ...production, NODE_ENV: 'test', DATABASE_URL: 'postgresql://prepa:x@db.example/prepa' }), []);
  for (const address of ['10.0.0.7', '[2001:db8::1]'])
    t.same(from(`@${address}/prepa${verified}`), [
      "DATABASE_URL nomme une autre machine par son adresse IP, qu'aucun certificat ne vérifie ici : donnez son nom",
    ]);
  t.same(from(`@db.example/prepa${verified}&sslrootcert=/nulle/part.pem`), [
    'DATABASE_URL nomme un certificat illisible (sslrootcert, sslcert ou sslkey)',
  ]);
});

t.test('production refuses short random secrets', async (t) => {
  const settings = {
    PAYMENT_PROVIDERS: 'zitopay,notchpay',
    NOTCHPAY_PUBLIC_KEY: 'pk_x',
    NOTCHPAY_HASH_KEY: 'court',
    DATABASE_URL: 'postgresql://prepa:court@localhost/prepa',
  };
  t.same(
    faultsOf({ ...production, ...settings }),
    ['NOTCHPAY_HASH_KEY', 'DATABASE_URL'].map((name) => `${name} porte un secret de moins de 16 caractères : tirez-le au hasard`).reverse(),
  );
  t.same(faultsOf({ ...production, DATABASE_URL: 'postgresql://prepa@localhost/prepa' }), [], 'a role without a password is accepted');
  t.same(faultsOf({ ...production, ...settings, NODE_ENV: 'test' }), []);
});

t.test('read replicas: a list, with the same rules in production as for the database', async (t) => {
  const [first, second] = [
    'postgresql://web:Qm4vT8zLr2XcWk6p@localhost:5433/prepa',
    'postgresql://web:Jf5wq0ZbK3yXr7Nd@localhost:5434/prepa',
  ];
  const site = { ...production, DATABASE_URL: 'postgresql://web:Qm4vT8zLr2XcWk6p@localhost/prepa' };
  t.same(loadConfig(site).databaseReplicas, { urls: [], maxLagMs: 5000 });
  t.same(loadConfig({ ...site, DATABASE_REPLICA_URLS: `${first}, ${second}`, DATABASE_REPLICA_MAX_LAG_MS: '800' }).databaseReplicas, {
    urls: [first, second],
    maxLagMs: 800,
  });
  const faults = (DATABASE_REPLICA_URLS: string) => faultsOf({ ...site, DATABASE_REPLICA_URLS });
  t.same(faults(`${first},${second.replace('localhost', 'replica.example')}`), [
    "DATABASE_REPLICA_URLS mène à une autre machine sans chiffrement vérifié : ajoutez sslmode=verify-full, et sslrootcert=FICHIER si l'autorité est la vôtre",
  ]);
  t.same(faults(`${first},postgresql://web:court@localhost:5434/prepa`), [
    'DATABASE_REPLICA_URLS porte un secret de moins de 16 caractères : tirez-le au hasard',
  ]);
  t.same(faults(`${first},postgresql://user:password@host:5432/prepa`), [
    "DATABASE_REPLICA_URLS porte une valeur d'exemple, d'essai ou de démonstration",
  ]);
  t.same(faults(`${first},${second.replace('/prepa', '/autre')}`), ['DATABASE_REPLICA_URLS nomme une autre base que DATABASE_URL']);
  t.same(faults(`${first};${second}`).length, 1, 'a list separated by a semicolon is one invalid address');
  t.same(faultsOf({ DATABASE_REPLICA_URLS: 'mysql://localhost/prepa', DATABASE_REPLICA_MAX_LAG_MS: '5' }), [
    'DATABASE_REPLICA_URLS doit être une adresse postgresql://',
    'DATABASE_REPLICA_MAX_LAG_MS doit valoir au moins 100',
  ]);
});
