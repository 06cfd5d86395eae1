import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { faultsOf, production } from '../../../test/support/settings.ts';
import { loadConfig } from '../../config.ts';

const folder = t.testdir();
let files = 0;

function file(content: string): string {
  files += 1;
  const path = join(folder, String(files));
  writeFileSync(path, content);
  return path;
}

t.test('every secret can be read from a file', async (t) => {
  const config = loadConfig({
    PUBLIC_URL: 'https://prepa.example',
    MAIL_FROM: 'prepa@prepa.example',
    DATABASE_URL_FILE: file('postgresql://prepa:Qm4vT8zLr2XcWk6p@localhost/prepa\n'),
    SMTP_URL_FILE: file('smtps://prepa:mot%20de%20passe@poste.example\r\n'),
    METRICS_TOKEN_FILE: file('  J7c0eQv1s9Zp4xTm'),
    DEMO_PASSWORD_FILE: file('Autre-2026!'),
    ADMIN_SECRETS_KEY_FILE: file('une-cle-de-test-tiree-au-hasard-0123456789'),
    ZITOPAY_RECEIVER_FILE: file('maison'),
    NOTCHPAY_PUBLIC_KEY_FILE: file('pk_x'),
    NOTCHPAY_HASH_KEY_FILE: file('hsk_x'),
  });
  t.match(config, {
    databaseUrl: 'postgresql://prepa:Qm4vT8zLr2XcWk6p@localhost/prepa',
    mail: { smtpUrl: 'smtps://prepa:mot%20de%20passe@poste.example' },
    demoPassword: 'Autre-2026!',
    administrators: { secretsKey: 'une-cle-de-test-tiree-au-hasard-0123456789' },
    zitopay: { receiver: 'maison' },
    notchpay: { publicKey: 'pk_x', hashKey: 'hsk_x' },
  });
  t.equal(config.metricsToken, '  J7c0eQv1s9Zp4xTm', 'only the line break is removed');
});

t.test('an invalid file is a fault that does not quote the content', async (t) => {
  const { DATABASE_URL, ...withoutDatabase } = production;
  const fault = (DATABASE_URL_FILE: string) => faultsOf({ ...withoutDatabase, DATABASE_URL_FILE });
  t.same(
    fault(join(folder, 'absent')),
    ['DATABASE_URL_FILE : le fichier est illisible (ENOENT)'],
    'a missing file is not also reported as a missing setting',
  );
  t.same(fault(folder), ['DATABASE_URL_FILE : le fichier est illisible (EISDIR)']);
  t.same(fault(file('')), ['DATABASE_URL_FILE : le fichier est vide']);
  t.same(fault(file('\n')), ['DATABASE_URL_FILE : le fichier est vide']);
  t.same(fault(file(`${DATABASE_URL}\n\n`)), ['DATABASE_URL_FILE : le fichier doit tenir en une ligne de texte']);
  t.same(fault(file('a\0b')), ['DATABASE_URL_FILE : le fichier doit tenir en une ligne de texte']);
  t.same(fault(file('x'.repeat(70_000))), ['DATABASE_URL_FILE : le fichier est trop grand pour un secret']);
  t.same(fault(file('secretement')), ['DATABASE_URL doit être une adresse postgresql://']);
  t.same(fault(file('postgresql://prepa:court@localhost/prepa')), [
    'DATABASE_URL porte un secret de moins de 16 caractères : tirez-le au hasard',
  ]);
  t.same(faultsOf({ ...production, DATABASE_URL_FILE: file(DATABASE_URL) }), [
    "DATABASE_URL et DATABASE_URL_FILE sont réglés tous les deux : gardez l'un des deux",
  ]);
  t.same(faultsOf({ METRICS_TOKEN_FILE: file('court') }), ['METRICS_TOKEN doit compter au moins 16 caractères']);
  t.same(faultsOf({ PORT_FILE: join(folder, 'absent') }), [], 'PORT_FILE is ignored, since only secrets may be in files');
});

t.test('the server does not read settings for commands only', async (t) => {
  const hidden = { COMMANDS_DATABASE_URL_FILE: join(folder, 'absent'), MIGRATIONS_DATABASE_URL: 'mysql://x' };
  const read = loadConfig({ ...production, ...hidden });
  t.match(read, { commandsDatabaseUrl: null, migrationsDatabaseUrl: null });
  const other = 'postgresql://autre:Qm4vT8zLr2XcWk6p@localhost/prepa';
  t.match(loadConfig({ ...production, COMMANDS_DATABASE_URL_FILE: file(other) }, 'commands'), { commandsDatabaseUrl: other });
  t.same(faultsOf({ ...production, ...hidden }, 'commands'), [
    'COMMANDS_DATABASE_URL_FILE : le fichier est illisible (ENOENT)',
    'MIGRATIONS_DATABASE_URL doit être une adresse postgresql://',
  ]);
  t.same(faultsOf({ ...production, MIGRATIONS_DATABASE_URL: other.replace(/prepa$/, 'ancienne') }, 'commands'), [
    'MIGRATIONS_DATABASE_URL nomme une autre base que DATABASE_URL',
  ]);
});
