// Slow: backs up, restores and starts sites.
import { spawn } from 'node:child_process';
import { openSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import t, { type Test } from 'tap';
import { backupSubject } from '../src/backup.ts';
import { loadConfig } from '../src/config.ts';
import { migrateDatabase } from '../src/migrations.ts';
import { restoreBackup } from '../src/platform/backup/restore-backup.ts';
import { folderStores, openFileStores } from '../src/platform/files/open-stores.ts';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { backUp, emptyDatabase, leftovers, sourceOf } from '../test/support/backups.ts';
import { bareEnvironment } from '../test/support/process.ts';
import { namesIn } from '../test/support/site-files.ts';
import { holding, sql } from '../test/support/sql.ts';
import { asRole } from '../test/support/template.ts';
import { runPrepa } from '../test/support/terminal.ts';
import { siteEnvironment, withoutReplicas } from '../test/support/topology.ts';
import { createWorld } from '../test/support/world.ts';

interface Said {
  code: number | null;
  out: Buffer;
  error: string;
}

/** Runs `prepa` with these settings. `input` is its standard input, `output` the file that receives its standard output. */
async function prepa(env: Record<string, string>, args: string[], input?: Buffer, output?: string): Promise<Said> {
  const settings = { ...env, LOG_LEVEL: 'warn' };
  // Standard input or output is a pipe, so the command needs its own process.
  if (!args.includes('-')) {
    const { code, out, error } = await runPrepa(args, settings);
    return { code, out: Buffer.from(out), error };
  }
  const child = spawn(process.execPath, [join(projectRoot, 'dist/cli/main.js'), ...args], {
    cwd: tmpdir(),
    env: { ...bareEnvironment(), ...settings },
    stdio: ['pipe', output ? openSync(output, 'w') : 'pipe', 'pipe'],
  });
  const out: Buffer[] = [];
  let error = '';
  child.stdout?.on('data', (chunk) => out.push(chunk));
  child.stderr?.setEncoding('utf8').on('data', (chunk) => {
    error += chunk;
  });
  child.stdin?.on('error', () => {});
  child.stdin?.end(input);
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out: Buffer.concat(out), error })));
}

const storesOf = (env: Record<string, string>) => openFileStores(loadConfig({ ...env, LOG_LEVEL: 'silent' }));
const coversOf = (env: Record<string, string>) => namesIn(storesOf(env).media, 'covers');

/** Opens the demonstration site, and an empty database with an empty folder for the restoration. */
async function openSites(t: Test) {
  const { env, databaseUrl } = await createWorld(t, { demo: true });
  const folders = t.testdir({ restored: {}, sauvegardes: {} });
  const restored = { databaseUrl: await emptyDatabase(t, databaseUrl), dataDir: join(folders, 'restored') };
  return {
    env,
    databaseUrl,
    restored,
    elsewhere: {
      ...env,
      DATABASE_URL: asRole(restored.databaseUrl, 'web'),
      COMMANDS_DATABASE_URL: asRole(restored.databaseUrl, 'commands'),
      MIGRATIONS_DATABASE_URL: restored.databaseUrl,
      DATA_DIR: restored.dataDir,
      // The restored site has its own file store, wherever the tests keep files.
      ...siteEnvironment(restored.databaseUrl),
    },
    folder: join(folders, 'sauvegardes'),
  };
}

t.test('backup --verify restores into a temporary database, starts the server on it and cleans up', async (t) => {
  const { env, databaseUrl, folder } = await openSites(t);
  const databases = () => sql(databaseUrl, "select datname from pg_database where datname like 'prepa_essai_%'");
  const { code, out, error } = await prepa(env, ['backup', folder, '--media', '--verify', '--json']);
  t.equal(code, 0, error);
  const said = JSON.parse(out.toString());
  t.equal(statSync(said.file).mode & 0o777, 0o600, 'only the owner can read the file');
  t.same(
    readdirSync(folder).map((name) => join(folder, name)),
    [said.file],
  );
  const [counted] = await sql<{ items: number }>(databaseUrl, 'select count(*)::int as items from item');
  t.ok(said.drill.rows > (counted?.items ?? 0));
  t.ok(said.drill.files > 0);
  t.match(said.drill.pages, ['/', '/user/preparations', /^\/user\/prepa\/consultation\/\d+$/, /^\/media\//]);
  t.ok(said.drill.rtoSeconds > 0 && said.drill.rpoSeconds >= 0);
  t.same(await databases(), []);
  t.same(
    readdirSync(env.DATA_DIR ?? '').filter((name) => name.startsWith('.')),
    [],
  );

  const french = await prepa(env, ['restore', said.file, '--verify']);
  t.match(french.out.toString(), /^Restaurée à part et comparée : .*toutes les sommes égales\.\n(.*\n)+RPO .* s : .* RTO .* s : /);
});

t.test('an encrypted backup through a pipe is restored on another machine', async (t) => {
  const { env, restored, elsewhere, folder } = await openSites(t);
  const key = await generateX25519Identity();
  const keyFile = join(folder, 'key.txt');
  writeFileSync(keyFile, `# created: 2026-11-22T10:00:00+01:00\n${key}\n`);
  const encrypting = { ...env, BACKUP_RECIPIENT: await identityToRecipient(key) };
  const { code, out, error } = await prepa(encrypting, ['backup', '-', '--media']);
  t.equal(code, 0, error);
  t.match(error, /^État du .* tables, .* lignes, .* fichiers\.\n/);
  t.equal(out.subarray(0, 21).toString(), 'age-encryption.org/v1');

  const locked = await prepa(elsewhere, ['restore', '-'], out);
  t.equal(locked.code, 1);
  t.match(locked.error, 'Cette sauvegarde est chiffrée : donnez le fichier de la clé privée avec --identity.');
  const cut = await prepa(elsewhere, ['restore', '-', '--identity', keyFile], out.subarray(0, -200));
  t.equal(cut.code, 1);
  t.match(cut.error, /^Cette sauvegarde est (abîmée|incomplète) : .* Rien n'a été changé\.\n$/);
  t.same(await leftovers(restored.databaseUrl, restored.dataDir), []);

  const done = await prepa(elsewhere, ['restore', '-', '--identity', keyFile], out);
  t.equal(done.code, 0, done.error);
  t.match(done.out.toString(), /^Restauré en .* s\.\n/);
  const [row] = await sql<{ items: number }>(restored.databaseUrl, 'select count(*)::int as items from item');
  t.ok((row?.items ?? 0) > 0);
  t.same(await coversOf(elsewhere), await coversOf(env));

  const asked = await prepa(encrypting, ['backup', folder, '--verify']);
  t.equal(asked.code, 2);
  t.match(asked.error, 'Une sauvegarde chiffrée se vérifie avec sa clé privée : --identity FICHIER.');
});

t.test('restore replaces existing data only with --overwrite', async (t) => {
  const { env, databaseUrl, restored, elsewhere, folder } = await openSites(t);
  const { out } = await prepa(env, ['backup', folder, '--media', '--json']);
  const { file } = JSON.parse(out.toString()) as { file: string };
  const { file: rowsOnly } = JSON.parse((await prepa(env, ['backup', folder, '--json'])).out.toString()) as { file: string };
  const withoutFiles = { DATA_DIR: join(folder, 'elsewhere'), ...siteEnvironment(`${databaseUrl}_bare`), ...withoutReplicas };
  const bare = await prepa({ ...elsewhere, ...withoutFiles }, ['restore', rowsOnly, '--json']);
  t.equal(bare.code, 0, bare.error);
  t.match(JSON.parse(bare.out.toString()).missing, [/^media\/covers\//], 'missing pictures are reported');
  await sql(restored.databaseUrl, 'drop schema public cascade; create schema public');

  await sql(restored.databaseUrl, 'create table other (id int)');
  const full = await prepa(elsewhere, ['restore', file]);
  t.equal(full.code, 1);
  t.match(full.error, /^Cette base de données n'est pas vide : .*--overwrite\. Rien n'a été changé\.\n$/);
  await sql(restored.databaseUrl, 'drop table other');
  const { media } = storesOf(elsewhere);
  await media.write('a.webp', Buffer.from('x'));
  const occupied = await prepa(elsewhere, ['restore', file]);
  t.equal(occupied.code, 1);
  t.match(occupied.error, /^Le (dossier|compartiment) .* contient déjà des fichiers : /);
  t.same(await sql(restored.databaseUrl, "select relname from pg_class where relnamespace = 'public'::regnamespace"), []);

  const replaced = await prepa(elsewhere, ['restore', file, '--overwrite']);
  t.equal(replaced.code, 0, replaced.error);
  t.equal(String(await media.read('a.webp')), 'x');
  await sql(restored.databaseUrl, 'delete from item');
  const again = await prepa(elsewhere, ['restore', rowsOnly, '--overwrite']);
  t.match(again.out.toString(), /sans les images ni les documents\.\n/, 'restoring a backup without files leaves the pictures in place');
  const items = (url: string) => sql(url, 'select count(*) from item');
  t.same(await items(restored.databaseUrl), await items(databaseUrl));

  const inUse = await holding(restored.databaseUrl, 'select 1', () => prepa(elsewhere, ['restore', file, '--overwrite']));
  t.equal(inUse.code, 1);
  t.match(inUse.error, /connexion\(s\) sont ouvertes sur cette base de données : arrêtez d'abord les serveurs/);
});

t.test('an older backup is migrated, a backup with unknown tables is refused', async (t) => {
  const { restored, databaseUrl } = await openSites(t);
  const { databaseUrl: target, dataDir } = restored;
  const before = await emptyDatabase(t, databaseUrl);
  await migrateDatabase(before, { to: '20261122174546-finished-readings' });
  await sql(
    before,
    "insert into prepa (nom, description, prix, created_at, updated_at, is_published) values ('Avant', 'd', 5000, now(), now(), true)",
  );
  await restoreBackup(sourceOf(await backUp(before, dataDir)), backupSubject(), { url: target, stores: folderStores(dataDir) });
  t.same(await sql(target, 'select nom from prepa'), [{ nom: 'Avant' }]);
  t.same(await sql(target, 'select count(*)::int as reports from item_report'), [{ reports: 0 }]);
  const migrations = (url: string) => sql(url, 'select name from migration order by id');
  t.same(await migrations(target), await migrations(databaseUrl));

  await sql(target, 'create table by_hand (id int)');
  const strange = await emptyDatabase(t, databaseUrl);
  await t.rejects(
    restoreBackup(sourceOf(await backUp(target, dataDir)), backupSubject(), { url: strange, stores: folderStores(dataDir) }),
    {
      message: "La table by_hand de la sauvegarde n'est faite par aucune migration.",
    },
  );
  t.same(await leftovers(strange, dataDir), [], 'the refused restore leaves the target empty');
});

t.test('wrong usage, an empty database and an unwritable target are reported', async (t) => {
  const { env, elsewhere, folder } = await openSites(t);
  t.equal((await prepa(env, ['backup', '-', '--verify'])).code, 2);
  const absent = await prepa(elsewhere, ['restore', join(folder, 'absent.tar')]);
  t.equal(absent.code, 1);
  t.match(absent.error, /^Il n'y a pas de sauvegarde /);
  const empty = await prepa(elsewhere, ['backup', folder]);
  t.equal(empty.code, 1);
  t.match(empty.error, "Il n'y a rien à sauvegarder : cette base de données n'a pas de tables.");
  const nowhere = await prepa(env, ['backup', '/dev/null/x']);
  t.equal(nowhere.code, 1);
  t.match(nowhere.error, /^Impossible d'écrire la sauvegarde/);
  const full = await prepa(env, ['backup', '-'], undefined, '/dev/full');
  t.equal(full.code, 1);
  t.match(full.error, /^Le disque est plein/);
  t.same(readdirSync(folder), []);
});
