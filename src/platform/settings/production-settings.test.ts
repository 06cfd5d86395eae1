import t from 'tap';
import { faultsOf, production } from '../../../test/support/settings.ts';

t.test('production talks to nobody in the clear, nor to this machine, nor to what is no public site', async (t) => {
  const addresses = ['PUBLIC_URL', 'ZITOPAY_BASE_URL', 'ZITOPAY_SCRIPT_URL', 'NOTCHPAY_BASE_URL', 'NOTCHPAY_CHECKOUT_ORIGIN'];
  const notchpay = { NOTCHPAY_PUBLIC_KEY: 'pk_x', NOTCHPAY_HASH_KEY: 'hsk_x', PAYMENT_PROVIDERS: 'zitopay,notchpay' };
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
    'all at once',
  );
  t.same(faultsOf({ ...production, NODE_ENV: 'test', PUBLIC_URL: 'http://localhost:3000', ZITOPAY_BASE_URL: 'http://127.0.0.1:4010' }), []);
});

t.test('production takes no value of the demonstration, of an example or of everybody', async (t) => {
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
  for (const token of ['aaaaaaaaaaaaaaaa', '1234123412341234', 'secretsecretsecret'])
    t.same(faultsOf({ ...production, METRICS_TOKEN: token }), ['METRICS_TOKEN est trop simple : tirez-le au hasard'], token);
  t.same(faultsOf({ ...production, METRICS_TOKEN: 'J7c0eQv1s9Zp4xTm', TRUST_PROXY: '10.0.0.0/8' }), []);
});
