// Slow: moves files to a store and back.
import { randomUUID } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { loadConfig } from '../src/config.ts';
import { folderStores, remoteStores } from '../src/platform/files/open-stores.ts';
import { createDiscipline, createDocument, createItem } from '../test/support/factories.ts';
import { openS3Server } from '../test/support/s3-server.ts';
import { namesIn } from '../test/support/site-files.ts';
import { sql } from '../test/support/sql.ts';
import { runPrepa } from '../test/support/terminal.ts';
import { createWorld } from '../test/support/world.ts';

const s3 = await openS3Server(t.testdir({}));
t.teardown(() => s3.close());
const { UPLOADS: _, ...named } = s3.env;

/** Opens a site that keeps five files in its folder, and whose settings name its own prefix of the bucket. */
async function openSite(t: Test) {
  const world = await createWorld(t, { env: { UPLOADS: 'folder' } });
  const env: Record<string, string> = { ...world.env, ...named, UPLOADS: 'folder', S3_PREFIX: randomUUID() };
  const { files } = world.kernel.context;
  const cover = `covers/${'a'.repeat(32)}`;
  const discipline = await createDiscipline(world);
  await sql(world.databaseUrl, 'update discipline set image = $1', [cover]);
  for (const end of ['-480.webp', '-960.webp', '-og.jpg']) await files.write(cover + end, Buffer.from(`une image${end}`));
  const image = `content/${'b'.repeat(32)}.webp`;
  await files.write(image, Buffer.from('une autre'));
  await sql(world.databaseUrl, 'insert into content_image (name, uploaded_at) values ($1, now())', [image]);
  await createDocument(world, (await createItem(world, discipline.id)).id);
  const prepa = async (args: string[], more: Record<string, string> = {}) => {
    const said = await runPrepa(args, { ...env, ...more });
    return { ...said, json: () => JSON.parse(said.out) };
  };
  const { uploads } = loadConfig({ ...env, LOG_LEVEL: 'silent' });
  return { world, env, image, cover, prepa, folder: folderStores(env.DATA_DIR ?? ''), store: remoteStores(uploads) };
}

t.test('files are moved to the store and back, compared, and removed on request', async (t) => {
  const { image, prepa, folder, store, env } = await openSite(t);
  const dry = await prepa(['uploads', 'move', '--to', 's3', '--dry-run', '--json']);
  t.match(dry.json(), { files: 5, copied: 5, alreadyThere: 0, missing: [], dryRun: true });
  t.equal(await store.media.isEmpty(), true);

  const early = await prepa(['uploads', 'move', '--to', 's3', '--remove-source']);
  t.equal(early.code, 2);
  t.match(early.error, "Le site lit encore dans l'ancien lieu : réglez UPLOADS=s3");

  // An interrupted run left the first file; the second has other contents under the same name.
  await store.media.write(image, Buffer.from('une autre'));
  await store.media.write(`covers/${'a'.repeat(32)}-og.jpg`, Buffer.from('abîmé'));
  const moved = await prepa(['uploads', 'move', '--to', 's3']);
  t.equal(moved.code, 0, moved.error);
  t.match(moved.out, / 5 fichier\(s\), .*\n {2}3 copié\(s\) et relu\(s\)\n {2}1 déjà là, à l'identique\n {2}1 remplacé\(s\)/);
  t.match(moved.out, 'Réglez maintenant UPLOADS=s3, redémarrez les serveurs, puis relancez cette commande.');
  for (const name of await namesIn(folder.media, 'covers'))
    t.ok((await folder.media.read(name))?.equals((await store.media.read(name)) as Buffer));
  t.equal((await namesIn(store.documents, '')).length, 1);

  const there = { UPLOADS: 's3' };
  t.match((await prepa(['uploads', 'move', '--to', 's3', '--json'], there)).json(), {
    copied: 0,
    alreadyThere: 5,
    removed: 0,
    missing: [],
  });
  t.match((await prepa(['uploads', 'move', '--to', 's3', '--remove-source', '--json'], there)).json(), { alreadyThere: 5, removed: 5 });
  const left = readdirSync(join(env.DATA_DIR ?? '', 'media'), { recursive: true, withFileTypes: true });
  t.same(
    left.filter((entry) => entry.isFile()),
    [],
  );

  t.match((await prepa(['uploads', 'move', '--to', 'folder', '--json'], there)).json(), { files: 5, copied: 5, missing: [] });
  t.match((await prepa(['uploads', 'move', '--to', 'folder', '--remove-source', '--json'])).json(), { removed: 5 });
  t.equal(await store.media.isEmpty(), true);
  t.equal(await store.documents.isEmpty(), true);
});

t.test('damaged or missing files are reported and left untouched', async (t) => {
  const { prepa, folder, store, env, image } = await openSite(t);
  const [document = ''] = await namesIn(folder.documents, '');
  writeFileSync(join(env.DATA_DIR ?? '', 'documents', document), 'autre chose');
  await folder.media.remove([image]);
  const said = await prepa(['uploads', 'move', '--to', 's3', '--json']);
  t.equal(said.code, 1);
  t.match(said.json(), {
    files: 4,
    copied: 3,
    damaged: [`documents/${document}`],
    missing: [`media/${image}`],
  });
  t.equal(await store.documents.isEmpty(), true);
  const without = await prepa(['uploads', 'move', '--to', 's3'], { S3_BUCKET: '' });
  t.match([without.code, without.error], [1, /Les réglages ne nomment aucun magasin S3 : réglez S3_ENDPOINT/]);
  const nowhere = await prepa(['uploads', 'move', '--to', 'ailleurs']);
  t.equal(nowhere.code, 2);
  const away = await prepa(['uploads', 'move', '--to', 's3'], { S3_ENDPOINT: 'http://127.0.0.1:2' });
  t.match(
    [away.code, away.error],
    [1, /^Le magasin de fichiers S3 n'a pas fait ce qui lui était demandé \(.*ECONNREFUSED.*\) : « prepa doctor » dit pourquoi\.\n$/],
  );
});

t.test('a picture in the store that the site reads is not overwritten by the other store', async (t) => {
  const { prepa, folder, store, image } = await openSite(t);
  const there = { UPLOADS: 's3' };
  t.equal((await prepa(['uploads', 'move', '--to', 's3'])).code, 0);
  await folder.media.write(image, Buffer.alloc(0));
  const [document = ''] = await namesIn(folder.documents, '');
  await store.documents.write(document, Buffer.from('abîmé'));

  const dry = await prepa(['uploads', 'move', '--to', 's3', '--dry-run', '--json'], there);
  t.equal(dry.code, 1);
  t.match(dry.json(), { differing: [`media/${image}`], replaced: 1, missing: [] });
  const said = await prepa(['uploads', 'move', '--to', 's3', '--remove-source'], there);
  t.equal(said.code, 1);
  t.match(said.out, `DIFFÈRE  media/${image} : le site en lit un autre dans le nouveau lieu ; les deux sont laissés`);
  t.match(said.out, "4 retiré(s) de l'ancien lieu");
  t.equal(String(await store.media.read(image)), 'une autre');
  t.equal((await folder.media.read(image))?.length, 0, 'the differing file is not removed from the source');
  t.ok(
    (await store.documents.read(document))?.subarray(0, 4).equals(Buffer.from('%PDF')),
    'the damaged document is replaced, because its name is a hash of its content',
  );
});

t.test('doctor tests the store and names the remedy', async (t) => {
  const { prepa, store } = await openSite(t);
  const line = async (more: Record<string, string> = {}) => {
    const { checks } = (await prepa(['doctor', '--json'], { UPLOADS: 's3', ...more })).json() as {
      checks: { name: string; ok: boolean; detail: string }[];
    };
    const { ok, detail } = checks.find(({ name }) => name === 'Magasin des fichiers') ?? { ok: null, detail: 'no such check' };
    return [ok, detail];
  };
  t.match(await line(), [
    true,
    /^le compartiment prepa-essais .* : écriture, lecture, liste et effacement possibles, fermé aux accès publics$/,
  ]);
  t.equal(await store.documents.isEmpty(), true, 'the test file is deleted');
  t.match(await line({ S3_SECRET_ACCESS_KEY: 'une-autre-cle' }), [false, /SignatureDoesNotMatch\) : vérifiez S3_SECRET_ACCESS_KEY/]);
  t.match(await line({ S3_ACCESS_KEY_ID: 'inconnue' }), [false, /InvalidAccessKeyId\) : vérifiez S3_ACCESS_KEY_ID/]);
  t.match(await line({ S3_BUCKET: 'absent' }), [false, /NoSuchBucket\) : créez-le, ou vérifiez S3_BUCKET/]);
  t.match(await line({ S3_ENDPOINT: 'http://127.0.0.1:2' }), [false, /ECONNREFUSED\) : vérifiez S3_ENDPOINT/]);
  t.match(await line({ S3_PUBLIC_ENDPOINT: 'http://127.0.0.1:2' }), [
    false,
    /les adresses signées mènent à 127\.0\.0\.1:2, qui ne répond pas/,
  ]);
  t.match(await line({ S3_PUBLIC_ENDPOINT: 'http://127.0.0.1:2', S3_SIGNED_SECONDS: '0' }), [true]);
  const open = await openS3Server(t.testdir({}), { isOpen: true });
  t.teardown(() => open.close());
  t.match(await line(open.env), [false, /est ouvert à tous : fermez-le aux accès publics/]);
});
