// Slow: each test sets up a site.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { isVapidPair } from '../src/modules/revision/index.ts';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { openPostOffice } from '../test/support/post-office.ts';
import { bareEnvironment } from '../test/support/process.ts';
import { sql } from '../test/support/sql.ts';
import { onServer } from '../test/support/template.ts';
import { runPrepa } from '../test/support/terminal.ts';
import { derivedRoles, withDrawn } from './setup/settings.ts';
import { writtenAs } from './setup/settings-file.ts';

// Tests `prepa setup` as a new operator runs it. The invalid host names stand for a domain and a provider that do not exist yet.

const server = process.env.TEST_DATABASE_URL ?? '';
let databases = 0;

/** Creates an empty database whose owner may create roles, as in docs/operations.md. Its roles are dropped after the test. */
async function emptyDatabase(t: Test): Promise<{ owner: string; name: string }> {
  databases += 1;
  const name = `setup_${process.pid}_${databases}`;
  const password = 'Qm4vT8zLr2XcWk6p';
  await sql(server, `create role ${name}_owner login createrole password '${password}'`);
  await sql(
    server,
    `create database ${name} owner ${name}_owner template template0 encoding UTF8 locale_provider icu icu_locale 'fr' locale 'C'`,
  );
  t.teardown(async () => {
    await sql(server, `drop database ${name} with (force)`);
    for (const role of ['web', 'commands', 'owner']) await sql(server, `drop role if exists ${name}_${role}`);
  });
  const url = new URL(onServer(server, name));
  Object.assign(url, { username: `${name}_owner`, password });
  return { owner: url.href, name };
}

const elsewhere = { PUBLIC_URL: 'https://prepa.invalid', ZITOPAY_BASE_URL: 'https://zitopay.invalid' };
const answers = { ...elsewhere, ZITOPAY_RECEIVER: 'maison', SUPPORT_EMAIL: 'aide@prepa.invalid', SUPPORT_PHONE: '+237 600 00 00 00' };
const asOptions = (settings: Record<string, string>) => Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);

/** Returns the variables that the shell reads from a file, as systemd and Compose do too. */
function sourced(file: string): Record<string, string> {
  const { stdout } = spawnSync('env', ['-i', 'sh', '-c', `set -a; . ${file}; exec env`], { encoding: 'utf8' });
  return Object.fromEntries(
    stdout.split('\n').flatMap((line) => (/^[A-Z]\w*_\w+=|^[A-Z]+_[A-Z_]+=/.test(line) ? [line.split(/=(.*)/s).slice(0, 2)] : [])),
  );
}

t.test('without questions: creates settings, roles, tables and the first keys, and changes nothing in a second run', async (t) => {
  const { owner, name } = await emptyDatabase(t);
  const post = await openPostOffice(t);
  const folder = join(t.testdir(), 'prepa');
  const env = { MIGRATIONS_DATABASE_URL: owner, SMTP_URL: post.url, MAIL_FROM: 'site@prepa.invalid' };
  const args = ['setup', '--folder', folder, '--yes', '--json', ...asOptions({ ...answers, SITE_NAME: 'Prépa à moi' })];

  const early = await runPrepa(args, env);
  t.equal(early.code, 1);
  t.match(
    early.error,
    /^Rien n'a été écrit :\n {2}PUBLIC_URL : prepa\.invalid n'a pas d'adresse[^\n]*\n {2}ZITOPAY_RECEIVER : zitopay : zitopay\.invalid : /m,
  );
  t.throws(() => readdirSync(folder), 'the settings folder is not created');
  t.same(await sql(onServer(server, name), "select from pg_class where relname = 'migration'"), [], 'no table is created');

  const done = await runPrepa([...args, '--anyway'], env);
  t.equal(done.code, 0, done.error);
  t.match(done.error, /ok {5}127\.0\.0\.1:\d+ répond/);
  const said = JSON.parse(done.out);
  t.same(said.roles, [`${name}_web`, `${name}_commands`]);
  t.match(said.keys, { adminKey1: /\S{8}/, adminKey2: /\S{8}/ });
  t.same(
    ['prepa.env', 'commands.env', 'owner.env'].map((file) => (statSync(join(folder, file)).mode & 0o777).toString(8)),
    ['640', '600', '600'],
  );
  const settings = sourced(join(folder, 'prepa.env'));
  t.match(settings, { NODE_ENV: 'production', ...answers, SITE_NAME: 'Prépa à moi', SMTP_URL: post.url });
  t.notOk('MIGRATIONS_DATABASE_URL' in settings || 'COMMANDS_DATABASE_URL' in settings, 'the server does not get the other addresses');
  t.match(settings.DATABASE_URL, new RegExp(`//${name}_web:[0-9a-f]{48}@`));
  const all = { ...settings, ...sourced(join(folder, 'commands.env')), ...sourced(join(folder, 'owner.env')) };
  t.equal((await runPrepa(['db', 'status'], all)).code, 0, 'the commands can connect, and no migration is pending');
  t.equal((await sql(settings.DATABASE_URL ?? '', 'select current_user as who'))[0]?.who, `${name}_web`);

  const before = readFileSync(join(folder, 'prepa.env'), 'utf8');
  const again = await runPrepa([...args, '--anyway'], env);
  t.equal(again.code, 1);
  t.match(again.error, /^Déjà écrit : .*prepa\.env.*--overwrite/);
  t.equal(readFileSync(join(folder, 'prepa.env'), 'utf8'), before);

  const drawn = await runPrepa([...args, '--anyway', '--overwrite'], env);
  t.equal(drawn.code, 1, 'the random passwords of the first run are lost');
  t.match(drawn.error, `le rôle ${name}_commands existe déjà`);
  const { DATABASE_URL = '', COMMANDS_DATABASE_URL = '' } = all;
  const replaced = await runPrepa([...args, '--anyway', '--overwrite'], { ...env, DATABASE_URL, COMMANDS_DATABASE_URL });
  t.equal(replaced.code, 0, replaced.error);
  t.equal(
    sourced(join(folder, 'prepa.env')).ADMIN_SECRETS_KEY,
    settings.ADMIN_SECRETS_KEY,
    'the key is unchanged, so the codes of authenticator apps stay valid',
  );
  const pushKeys = (read: Record<string, string>) => [read.PUSH_PUBLIC_KEY, read.PUSH_PRIVATE_KEY];
  t.ok(isVapidPair({ publicKey: settings.PUSH_PUBLIC_KEY ?? '', privateKey: settings.PUSH_PRIVATE_KEY ?? '' }));
  t.same(pushKeys(sourced(join(folder, 'prepa.env'))), pushKeys(settings), 'learners keep their reminders');
  const kept = readdirSync(folder).filter((file) => /^prepa\.env\.\d{8}T\d{6}Z$/.test(file));
  t.equal(kept.length, 1);
  t.equal(readFileSync(join(folder, kept[0] ?? ''), 'utf8'), before, 'the earlier file is renamed');
});

t.test('settings from the environment are written to the right files, other variables are not', async (t) => {
  const { owner, name } = await emptyDatabase(t);
  const place = t.testdir();
  const [folder, ownerFile, keyFile] = [join(place, 'prepa'), join(place, 'owner'), join(place, 'key')];
  writeFileSync(ownerFile, `${owner}\n`);
  writeFileSync(keyFile, 'kV8zLr2XcWk6pQm4vT8zLr2XcWk6pQm4vT\n');
  const own = {
    METRICS_TOKEN: 'qT4vQ8zLr2XcWk6pJm5sYd7b',
    S3_ACCESS_KEY_ID: 'AKIA4QVT7RZLX2PMWK9D',
    S3_SECRET_ACCESS_KEY: 'nT4vQ8zLr2XcWk6pJm5sYd7b',
    COMMANDS_DATABASE_URL: onServer(owner, name).replace(`${name}_owner`, `${name}_commands`),
    SITE_NAME: 'Prépa à nous',
  };
  const ofImage = {
    NODE_ENV: 'development',
    HOST: '0.0.0.0',
    PORT: '4000',
    DATA_DIR: '/data',
    CONTAINER_IMAGE: 'on',
    SHUTDOWN_DRAIN_MS: '3000',
  };
  const files = { MIGRATIONS_DATABASE_URL_FILE: ownerFile, ADMIN_SECRETS_KEY_FILE: keyFile };
  const env = { ...own, ...ofImage, ...files, TRUST_PROXI: 'x', SITE_CITY: 'Douala', SMTP_URL_FILE: join(place, 'none') };
  const args = ['setup', '--folder', folder, '--yes', '--anyway', ...asOptions({ ...answers, SITE_CITY: 'Kribi', SMTP_URL_FILE: '' })];

  const done = await runPrepa(args, env);
  t.equal(done.code, 0, done.error);
  t.match(done.error, /^Pris de l'environnement : .*\bMETRICS_TOKEN\b/m, 'the command prints the names it took');
  t.notMatch(done.error, own.METRICS_TOKEN);
  const { COMMANDS_DATABASE_URL, ...ofServer } = own;
  t.match(sourced(join(folder, 'prepa.env')), { ...ofServer, NODE_ENV: 'production', DATA_DIR: '/var/lib/prepa', SITE_CITY: 'Kribi' });
  const text = readFileSync(join(folder, 'prepa.env'), 'utf8');
  t.notMatch(text, /^(HOST|PORT|PATH|HOME|CONTAINER_IMAGE|SHUTDOWN_DRAIN_MS|TRUST_PROXI|COMMANDS_\w+|MIGRATIONS_\w+)=/m);
  t.match(text, `\nADMIN_SECRETS_KEY_FILE=${keyFile}\n`, 'a secret stays in its own file');
  t.notMatch(text, /^ADMIN_SECRETS_KEY=/m);
  t.same(sourced(join(folder, 'commands.env')).COMMANDS_DATABASE_URL, COMMANDS_DATABASE_URL);
  t.same(sourced(join(folder, 'owner.env')).MIGRATIONS_DATABASE_URL_FILE, ownerFile);

  const { DATABASE_URL = '' } = sourced(join(folder, 'prepa.env'));
  const { ADMIN_SECRETS_KEY_FILE: _key, ...rest } = env;
  const replaced = await runPrepa([...args, '--overwrite', '--set', `MIGRATIONS_DATABASE_URL=${owner}`], { ...rest, DATABASE_URL });
  t.equal(replaced.code, 0, `--set overrides the environment, with _FILE or without: ${replaced.error}`);
  t.match(
    readFileSync(join(folder, 'prepa.env'), 'utf8'),
    `\nADMIN_SECRETS_KEY_FILE=${keyFile}\n`,
    'the settings still name the key file of the authenticator codes',
  );
  t.same(sourced(join(folder, 'owner.env')).MIGRATIONS_DATABASE_URL, owner);

  const unreadable = await runPrepa([...args, '--overwrite'], { ...env, ADMIN_SECRETS_KEY_FILE: join(place, 'none') });
  t.equal(unreadable.code, 1);
  t.match(unreadable.error, "Rien n'a été écrit :\n  ADMIN_SECRETS_KEY_FILE : le fichier est illisible (ENOENT)");
});

t.test('unknown settings are refused, all at once, before anything else', async (t) => {
  const folder = join(t.testdir(), 'prepa');
  const wrong = asOptions({ TRUST_PROXI: 'x', PUBLIC_URL: 'nowhere', SITE_NAME_FILE: '/etc/hosts', PATH: '/bin' });
  t.same(await runPrepa(['setup', '--folder', folder, '--yes', ...wrong], {}), {
    code: 2,
    out: '',
    error: 'Réglages inconnus : TRUST_PROXI, SITE_NAME_FILE, PATH. .env.example les nomme tous.\n',
  });
  t.throws(() => readdirSync(folder), 'the settings folder is not created');
});

t.test('settings that production would refuse are refused, and faults of the database are reported', async (t) => {
  const folder = join(t.testdir(), 'prepa');
  const { owner, name } = await emptyDatabase(t);
  const setup = (more: Record<string, string>, env: Record<string, string> = { MIGRATIONS_DATABASE_URL: owner }) =>
    runPrepa(['setup', '--folder', folder, '--yes', '--anyway', ...asOptions({ ...answers, ...more })], env);
  t.match((await setup({ PUBLIC_URL: 'http://prepa.invalid' })).error, 'PUBLIC_URL doit être une adresse https en production');
  t.match((await setup({ ZITOPAY_RECEIVER: 'demo' })).error, "ZITOPAY_RECEIVER porte une valeur d'exemple");
  t.match((await setup({ PORT: 'abc' })).error, 'PORT doit être un nombre entier');
  t.match((await setup({ SITE_NAME: "L'école" })).error, 'SITE_NAME contient une apostrophe');
  t.match((await setup({}, {})).error, 'MIGRATIONS_DATABASE_URL est obligatoire');
  const bare = await setup({}, { MIGRATIONS_DATABASE_URL: owner.replace('Qm4v', 'ab%cdef') });
  t.match(bare.error, "Rien n'a été écrit :\n  MIGRATIONS_DATABASE_URL porte un % qui n'encode aucun caractère : % s'écrit %25");
  t.match((await runPrepa(['setup', '--set', 'rien'], {})).error, '--set attend NOM=VALEUR.');

  const strict = (url: string) => runPrepa(['setup', '--folder', folder, '--yes', ...asOptions(answers)], { MIGRATIONS_DATABASE_URL: url });
  t.match((await strict(owner.replace('Qm4v', 'Qm4w'))).error, 'refuse ce nom ou ce mot de passe : vérifiez cette adresse');
  await sql(server, `alter role ${name}_owner nocreaterole`);
  t.match((await strict(owner)).error, "ce rôle ne peut pas en créer d'autres");
  t.throws(() => readdirSync(folder), 'the settings folder is not created');
});

t.test('an unwritable folder is reported before anything is changed', async (t) => {
  const { owner, name } = await emptyDatabase(t);
  const place = t.testdir({ file: '' });
  const setup = (folder: string) =>
    runPrepa(['setup', '--folder', folder, '--yes', '--anyway', ...asOptions(answers)], { MIGRATIONS_DATABASE_URL: owner });
  const file = join(place, 'file');
  const notFolder = `${file} n'est pas un dossier : les réglages ne peuvent y être écrits. Choisissez-en un autre avec --folder.\n`;
  for (const folder of [file, join(file, 'prepa')]) t.same(await setup(folder), { code: 1, out: '', error: notFolder }, folder);
  // Root may write everywhere.
  if (process.getuid?.() !== 0) {
    chmodSync(place, 0o555);
    const closed = await setup(join(place, 'prepa'));
    t.equal(
      closed.error,
      `Les réglages ne peuvent être écrits dans ${place} (EACCES). Donnez-en le droit à qui lance cette commande, ou choisissez un autre dossier avec --folder.\n`,
    );
    chmodSync(place, 0o755);
  }
  t.same(await sql(onServer(server, name), "select from pg_class where relname = 'migration'"), [], 'no table is created');
});

/** Runs `prepa setup` at a terminal and waits for each question. Each entry of `pieces` is typed in one piece. */
async function typeAtTerminal(folder: string, pieces: string[]): Promise<{ code: number; shown: string }> {
  const command = `${process.execPath} ${join(projectRoot, 'dist/cli/main.js')} setup --folder ${folder} --set ZITOPAY_BASE_URL=https://zitopay.invalid`;
  const child = spawn('script', ['--quiet', '--return', '--echo', 'always', '--command', command, '/dev/null'], {
    cwd: tmpdir(),
    env: { ...bareEnvironment(), TERM: 'dumb', COLUMNS: '300' },
  });
  let shown = '';
  let answered = 0;
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    shown += chunk;
    // Types one piece per question: only the output after the last piece counts.
    if (!/( : |\] )$/.test(shown.slice(answered))) return;
    answered = shown.length;
    child.stdin.write(pieces.shift() ?? '\r');
  });
  const [code] = await once(child, 'close');
  return { code, shown };
}

t.test('at a terminal: asks again after an invalid answer, keeps an answer on request, and shows no secret', async (t) => {
  if (spawnSync('script', ['--version']).error) {
    t.pass('skipped: script (bsdutils) is missing');
    return;
  }
  const { owner } = await emptyDatabase(t);
  const folder = join(t.testdir(), 'prepa');
  const typed = [
    'prepa.invalid',
    'https://prepa.invalid',
    'o',
    owner,
    '',
    'maison',
    'oui',
    '',
    'aide@prepa.invalid',
    '+237 600 00 00 00',
    '',
    '',
  ];
  const { code, shown } = await typeAtTerminal(
    folder,
    typed.map((line) => `${line}\r`),
  );
  t.equal(code, 0, shown);
  t.match(shown, 'PUBLIC_URL doit être une adresse');
  t.match(shown, "prepa.invalid n'a pas d'adresse");
  t.match(shown, /Clé d'administration 1 : \S+/);
  t.notMatch(shown, 'Qm4vT8zLr2XcWk6p', 'the password of the database is not shown');
  t.match(sourced(join(folder, 'prepa.env')), {
    PUBLIC_URL: 'https://prepa.invalid',
    BACKUP_DIR: '/var/lib/prepa-backups',
    PAYMENT_PROVIDERS: 'zitopay',
  });
});

t.test('at a terminal: a secret typed ahead of its question is not shown, and does not answer another question', async (t) => {
  if (spawnSync('script', ['--version']).error) {
    t.pass('skipped: script (bsdutils) is missing');
    return;
  }
  const secret = 'postgresql://prepa_owner:Qm4vT8zLr2XcWk6p@127.0.0.1:1/prepa';
  const { code, shown } = await typeAtTerminal(join(t.testdir(), 'prepa'), [
    `https://prepa.invalid\r${secret}\r`,
    'n\r',
    `https://prepa.invalid\r${secret}`,
    'n\r',
    `prepa.invalid\r${secret}\r`,
    `https://prepa.invalid\r`,
    'o\r',
    `${secret}\r`,
    '\x03',
  ]);
  t.equal(code, 1, shown);
  t.equal(shown.match(/Adresse du site/g)?.length, 4, 'the question about the address is shown four times');
  t.equal(shown.match(/PUBLIC_URL doit être/g)?.length, 1);
  t.match(shown, "Il manque des réponses : rien n'a été écrit.");
  t.notMatch(shown, 'Qm4vT8zLr2XcWk6p', shown);
});

t.test('a file of answers that ends too early changes nothing', async (t) => {
  const place = t.testdir();
  const [folder, answersFile] = [join(place, 'prepa'), join(place, 'answers')];
  writeFileSync(answersFile, 'https://prepa.invalid\no\n');
  const { status, stderr } = spawnSync(
    'sh',
    ['-c', `${process.execPath} ${join(projectRoot, 'dist/cli/main.js')} setup --folder ${folder} < ${answersFile}`],
    {
      encoding: 'utf8',
      env: bareEnvironment(),
    },
  );
  t.equal(status, 1);
  t.match(stderr, "Il manque des réponses : rien n'a été écrit.");
});

t.test('a settings line is read the same by the shell, systemd, Compose and Node, or refused', async (t) => {
  t.equal(writtenAs('A_B', 'postgresql://a:b@c/d?sslmode=verify-full'), "A_B='postgresql://a:b@c/d?sslmode=verify-full'");
  t.equal(writtenAs('A_B', 'a+b/c='), 'A_B=a+b/c=');
  t.throws(() => writtenAs('A_B', 'a\nC_D=x'), 'a value cannot add a second line');
  t.throws(() => writtenAs('A_B', "l'un"));
});

t.test('roles are named after the owner, also for a socket address', async (t) => {
  const owner = 'postgresql://prepa_owner:x@%2Fvar%2Frun%2Fpostgresql/prepa';
  t.same(derivedRoles({ MIGRATIONS_DATABASE_URL: owner }), ['prepa_web', 'prepa_commands']);
  t.match(
    withDrawn({ MIGRATIONS_DATABASE_URL: owner }).settings.DATABASE_URL,
    /^postgresql:\/\/prepa_web:[0-9a-f]{48}@%2Fvar%2Frun%2Fpostgresql\/prepa$/i,
  );
  t.match(
    withDrawn({ MIGRATIONS_DATABASE_URL: 'postgresql:///prepa?host=/var/run/postgresql&user=prepa_owner&password=x' }).settings
      .DATABASE_URL,
    /user=prepa_web&password=[0-9a-f]{48}$/,
  );
});
