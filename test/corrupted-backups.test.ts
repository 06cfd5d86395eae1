// Slow: a backup is read once for each way of damaging it.
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import t, { type Test } from 'tap';
import { backupSubject } from '../src/backup.ts';
import { loadConfig } from '../src/config.ts';
import { createKernel } from '../src/kernel.ts';
import { manifestName, sealName, tablesName } from '../src/platform/backup/manifest.ts';
import { readBackup } from '../src/platform/backup/read-backup.ts';
import { restoreBackup } from '../src/platform/backup/restore-backup.ts';
import { openSnapshot } from '../src/platform/backup/snapshot.ts';
import { writeBackup } from '../src/platform/backup/write-backup.ts';
import { AppError } from '../src/platform/errors.ts';
import { folderStores } from '../src/platform/files/open-stores.ts';
import { TestClock } from './support/app.ts';
import {
  backUp,
  emptyDatabase,
  flipped,
  leftovers,
  type Pieces,
  putTogether,
  resealed,
  rewritten,
  sourceOf,
  takeApart,
  withPart,
} from './support/backups.ts';
import { createTestDatabase } from './support/database.ts';
import { createDiscipline, createDocument, createItem, createLearner, createPayment } from './support/factories.ts';
import { isLongForm } from './support/long-form.ts';
import { seeded, seedOfRun } from './support/random.ts';
import { sql } from './support/sql.ts';

const payments = 'tables/payment/000001.copy.gz';
const learners = 'tables/app_user/000001.copy.gz';
const picture = `media/content/${'0'.repeat(32)}.webp`;

/** Opens a small site with a payment, a picture and a document. */
async function openSite(t: Test) {
  const { url } = await createTestDatabase(t);
  const clock = new TestClock();
  const folders = t.testdir({ site: {}, restored: {}, again: {} });
  const dataDir = join(folders, 'site');
  const kernel = await createKernel(loadConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', DATA_DIR: dataDir }), { databaseUrl: url, clock });
  t.teardown(() => kernel.close());
  const home = { kernel, clock };
  const discipline = await createDiscipline(home);
  await createDocument(home, (await createItem(home, discipline.id)).id);
  await kernel.context.files.write(picture.replace('media/', ''), randomBytes(200_000));
  await sql(url, 'insert into content_image (name, uploaded_at) values ($1, now())', [picture.replace('media/', '')]);
  const [prepa] = await sql<{ id: number; nom: string; prix: number }>(url, 'select id, nom, prix from prepa');
  const pay = async (status: 'succeeded' | 'pending') =>
    createPayment(home, await createLearner(home), prepa as NonNullable<typeof prepa>, status);
  await pay('succeeded');
  await pay('succeeded');
  await pay('pending');
  return { url, dataDir, folders, pay };
}

t.test('a damaged backup is recognised, and nothing is restored', async (t) => {
  const site = await openSite(t);
  const older = await takeApart(await backUp(site.url, site.dataDir));
  await site.pay('succeeded');
  const whole = await backUp(site.url, site.dataDir);
  const good = await takeApart(whole);
  const target = await emptyDatabase(t, site.url);
  const folder = join(site.folders, 'restored');
  const restore = (bytes: Buffer, identity?: string) =>
    restoreBackup(sourceOf(bytes, identity), backupSubject(), { url: target, stores: folderStores(folder) });

  const without = (...names: string[]): Pieces => ({ ...good, entries: good.entries.filter(([name]) => !names.includes(name)) });
  const bytesOf = ({ entries }: Pieces, name: string) => entries.find(([other]) => other === name)?.[1] ?? Buffer.alloc(0);
  const swapped = (one: string, other: string) =>
    withPart(
      withPart(good, one, () => bytesOf(good, other)),
      other,
      () => bytesOf(good, one),
    );
  const exchanged = (one: number, other: number): Pieces => {
    const entries = good.entries.map((entry, index) => good.entries[index === one ? other : index === other ? one : index] ?? entry);
    return { ...good, entries };
  };
  const inserted = (name: string): Pieces => ({
    ...good,
    entries: [good.entries[0] as never, [name, Buffer.from('x')], ...good.entries.slice(1)],
  });
  const manifest = (change: (manifest: Pieces['manifest']) => object): Pieces =>
    resealed({ ...good, manifest: { ...good.manifest, ...change(structuredClone(good.manifest)) } });
  const dearer = rewritten((lines) => lines.replace(/\t(\d{3,6})\tXAF\t/, (_, amount) => `\t${Number(amount) + 5}\tXAF\t`));
  t.not(String(dearer(bytesOf(good, payments))), String(bytesOf(good, payments)), 'an amount was found');
  const oneMore = rewritten((lines) => lines + lines.slice(0, lines.indexOf('\n') + 1).replace(/^\d+/, '9999'));
  /** A forgery with valid checksums and seal, except for the totals. */
  const forged = (() => {
    const pieces = withPart(good, payments, dearer, true);
    const lines = gunzipSync(bytesOf(pieces, payments));
    const tables = pieces.manifest.tables.map((table) => (table.name === 'payment' ? { ...table, sha256: sha256(lines) } : table));
    return resealed({ ...pieces, manifest: { ...pieces.manifest, tables } });
  })();
  const cutAt = whole.indexOf(manifestName);

  const damaged: Record<string, Buffer | Pieces> = {
    'an empty file': Buffer.alloc(0),
    'something else': Buffer.from('bonjour\n'.repeat(1000)),
    'cut off in the middle of a part': whole.subarray(0, Math.floor(whole.length / 2)),
    'cut off between two parts': whole.subarray(0, cutAt),
    'broken off before the manifest': without(manifestName, sealName),
    'broken off before the seal': without(sealName),
    'cut off in its first kilobyte': whole.subarray(0, 700),
    'a bit flipped in the list of tables': withPart(good, tablesName, flipped),
    'a bit flipped in the payments': withPart(good, payments, flipped),
    'a bit flipped in the learners': withPart(good, learners, flipped),
    'a bit flipped in a picture': withPart(good, picture, flipped),
    'a bit flipped in the manifest': withPart(good, manifestName, flipped),
    'a bit flipped in the seal': withPart(good, sealName, (bytes) => flipped(bytes, 3)),
    'a bit flipped in the name of a part': flipped(whole, whole.indexOf(payments) + 8),
    'a table is missing': without(payments),
    'a picture is missing': without(picture),
    'the list of tables is missing': without(tablesName),
    "two tables have each other's rows": swapped(payments, learners),
    'two parts have changed places': exchanged(3, 4),
    'a part comes twice': { ...good, entries: [...good.entries.slice(0, 4), good.entries[3] as never, ...good.entries.slice(4)] },
    'a part that the manifest does not name': inserted('tables/payment/000009.copy.gz'),
    'a file after the manifest': { ...good, entries: [...good.entries, ['media/x.webp', Buffer.from('x')]] },
    'a row more': withPart(good, payments, oneMore),
    'a row more, with a manifest made to fit its bytes': withPart(good, payments, oneMore, true),
    'an amount changed, with a manifest made to fit its bytes': withPart(good, payments, dearer, true),
    'an amount changed, with a manifest made to fit its rows': forged,
    'the totals changed': manifest(({ totals }) => ({ totals: totals.map((row) => ({ ...row, amount: '1' })) })),
    'a state of payments left out of the totals': manifest(({ totals }) => ({ totals: totals.slice(1) })),
    'a count of rows changed': manifest(({ tables }) => ({ tables: tables.map((table) => ({ ...table, rows: table.rows + 1 })) })),
    'a column renamed': manifest(({ tables }) => ({
      tables: tables.map((table) => ({ ...table, columns: table.columns.toReversed() })),
    })),
    'a table left out of the manifest': manifest(({ tables }) => ({ tables: tables.filter(({ name }) => name !== 'app_user') })),
    'a manifest that is none': manifest(() => ({ snapshot: 'hier' })),
    'the manifest of an older backup': { ...good, entries: ends(good, older) },
    'the rows of an older backup': { ...older, entries: ends(older, good) },
    "an older backup's payments": withPart(good, payments, () => bytesOf(older, payments)),
    'a name that leads out of the folder': manifest(({ parts }) => ({
      parts: parts.map((part) => (part.name === picture ? { ...part, name: 'media/../../x.webp' } : part)),
    })),
  };
  for (const [name, backup] of Object.entries(damaged)) {
    const error = await restore(Buffer.isBuffer(backup) ? backup : await putTogether(backup)).catch((thrown: unknown) => thrown);
    t.ok(error instanceof AppError && /^BACKUP\.(DAMAGED|INCOMPLETE)$/.test(error.code), `${name}: ${error}`);
  }
  t.ok(Object.keys(damaged).length >= 20, `${Object.keys(damaged).length} ways`);

  const refused: Record<string, Pieces> = {
    'written by a later format': manifest(() => ({ format: 2 })),
    'with a migration that this code does not have': manifest(({ migrations }) => ({
      migrations: [...migrations, '20991231000000-later'],
    })),
    'with migrations in another order': manifest(({ migrations }) => ({ migrations: migrations.toReversed() })),
  };
  for (const [name, pieces] of Object.entries(refused)) {
    await t.rejects(restore(await putTogether(pieces)), { code: 'BACKUP.REFUSED', message: /version plus récente/ }, name);
  }

  const [key, otherKey] = [await generateX25519Identity(), await generateX25519Identity()];
  const secret = await backUp(site.url, site.dataDir, [await identityToRecipient(key)]);
  t.notMatch(secret.toString('latin1'), 'payment', 'the encrypted backup contains no readable table name');
  // age format: a header whose last line begins with ---, a nonce, then blocks of 64 KiB, each with an authentication tag of 16 bytes.
  const endOfBlock = secret.indexOf('\n', secret.indexOf('\n--- ') + 1) + 1 + 16 + 2 * (65_536 + 16);
  t.ok(secret.length > endOfBlock);
  const locked: [name: string, bytes: Buffer, identity: string | undefined, message: RegExp][] = [
    ['without a key', secret, undefined, /chiffrée/],
    ['with a key of somebody else', secret, otherKey, /n'ouvre pas/],
    ['a bit flipped in its middle', flipped(secret), key, /abîmée/],
    ['a bit flipped in its header', flipped(secret, 60), key, /abîmée|n'ouvre pas/],
    ['cut off', secret.subarray(0, secret.length - 100), key, /abîmée|incomplète/],
    ['cut off at the end of a block', secret.subarray(0, endOfBlock), key, /abîmée|incomplète/],
    ['cut off in its header', secret.subarray(0, 90), key, /abîmée/],
  ];
  for (const [name, bytes, identity, message] of locked) await t.rejects(restore(bytes, identity), { message }, `encrypted, ${name}`);

  t.same(await leftovers(target, folder), [], 'refused backups write neither rows nor files');
  await t.resolves(restore(await putTogether(good)), 'the same pieces as they were');
  const again = await emptyDatabase(t, site.url);
  await restoreBackup(sourceOf(secret, key), backupSubject(), { url: again, stores: folderStores(join(site.folders, 'again')) });
});

t.test('a flipped bit is recognised, or is in a part of the file that is not read', async (t) => {
  const { url, dataDir } = await openSite(t);
  const whole = await backUp(url, dataDir);
  const { totals } = backupSubject();
  const sound = await readBackup(sourceOf(whole), totals);
  const seed = seedOfRun();
  t.comment(`SEED=${seed}`);
  const random = seeded(seed);
  let recognised = 0;
  const rounds = isLongForm ? 150 : 50;
  for (let round = 0; round < rounds; round += 1) {
    const at = Math.floor(random() * whole.length);
    const found = await readBackup(sourceOf(flipped(whole, at)), totals).catch((error: unknown) => error);
    if (found instanceof AppError) recognised += 1;
    else if (JSON.stringify(found) !== JSON.stringify(sound)) t.fail(`byte ${at}: ${found}`);
  }
  t.ok(recognised > rounds / 5, `${recognised} of ${rounds} recognised, the others in the padding of tar`);
});

t.test('a full disk at any position: the backup reports it and ends', async (t) => {
  const { url, dataDir } = await openSite(t);
  const recipient = await identityToRecipient(await generateX25519Identity());
  for (const recipients of [[], [recipient]]) {
    for (const room of [0, 5_000, 100_000]) {
      let taken = 0;
      const disk = new Writable({
        write(chunk, _encoding, done) {
          taken += chunk.length;
          done(taken > room ? Object.assign(new Error('no space left'), { code: 'ENOSPC' }) : null);
        },
      });
      const snapshot = await openSnapshot(url);
      const written = writeBackup(snapshot, backupSubject(), disk, { stores: folderStores(dataDir), media: true, recipients });
      await t.rejects(written, { code: 'ENOSPC' }, `${room} bytes, ${recipients.length} keys`);
      await snapshot.close();
    }
  }
});

/** Returns the parts of one backup with the manifest and the seal of another. */
const ends = (pieces: Pieces, other: Pieces): Pieces['entries'] => [
  ...pieces.entries.filter(([name]) => name !== manifestName && name !== sealName),
  ...other.entries.filter(([name]) => name === manifestName || name === sealName),
];
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
