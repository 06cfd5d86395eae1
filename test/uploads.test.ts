// Slow: it waits for a store that hangs.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { backupSubject } from '../src/backup.ts';
import { loadConfig } from '../src/config.ts';
import { restoreBackup } from '../src/platform/backup/restore-backup.ts';
import { missingFiles } from '../src/platform/backup/stored-files.ts';
import { folderStores, openFileStores } from '../src/platform/files/open-stores.ts';
import { call, createTestApp, type TestApp } from './support/app.ts';
import { backUp, emptyDatabase, sourceOf } from './support/backups.ts';
import { createAdministrator, createDiscipline, createEnrolment, createItem, createLearner } from './support/factories.ts';
import { until } from './support/journey.ts';
import { picture, upload } from './support/multipart.ts';
import { createNetworkPath } from './support/network-path.ts';
import { pdf } from './support/pdf.ts';
import { openS3Server } from './support/s3-server.ts';
import { namesIn } from './support/site-files.ts';
import { sql } from './support/sql.ts';

// A site with pictures and documents in an S3 store: pages for learners, failures of the store, backups from and to the store.

const s3 = await openS3Server(t.testdir({}));
t.teardown(() => s3.close());
const inStore = (prefix: string, more: Record<string, string> = {}) => ({ ...s3.env, S3_PREFIX: prefix, ...more });

/** Creates a prepa with a cover, a picture in a paid text, and a document. */
async function withFiles(site: TestApp) {
  const { app } = site;
  const { session: editor, id } = await createAdministrator(site);
  const image = await picture('#be0050', 640, 360);
  const fields = { nom: 'ENS Yaoundé', description: 'Le concours.', prix: '15000', auteur: id };
  const created = (await upload(app, { method: 'POST', url: '/api/prepas', fields, image, session: editor })).json();
  await sql(site.databaseUrl, 'update prepa set is_published = true where id = $1', [created.id]);
  const discipline = await createDiscipline(site, created.id);
  const shown = (await upload(app, { method: 'POST', url: '/api/images', image: await picture('#0274d9'), session: editor })).json();
  const item = await createItem(site, discipline.id, { numeroPage: 2, contenu: `<p><img src="${shown.src}" alt=""></p>` });
  await sql(site.databaseUrl, 'insert into item_image (item_id, image_name) values ($1, $2)', [item.id, shown.src.replace('/media/', '')]);
  const bytes = pdf('fiche');
  const document = (
    await upload(app, {
      method: 'POST',
      url: `/api/lecons/${item.id}/documents`,
      fichier: bytes,
      fields: { nom: 'Été n°1' },
      session: editor,
    })
  ).json();
  const learner = await createLearner(site);
  await createEnrolment(site, learner, { id: created.id, nom: fields.nom });
  return { cover: created.image_url as string, src: shown.src as string, document: document.url as string, bytes, learner, editor, item };
}

t.test('a learner sees covers, paid pictures and documents from the store', async (t) => {
  const site = await createTestApp(t, inStore('lecture'));
  const { app } = site;
  const { cover, src, document, bytes, learner } = await withFiles(site);
  const whole = await app.inject(cover);
  t.equal(whole.statusCode, 200);
  t.match(whole.headers, {
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=31536000, immutable',
    'accept-ranges': 'bytes',
    'content-length': String(whole.rawPayload.length),
    etag: /^"[0-9a-f]{32}-960"$/,
    'x-content-type-options': 'nosniff',
  });
  t.equal(whole.headers['set-cookie'], undefined);
  t.equal((await app.inject({ url: cover, headers: { 'if-none-match': String(whole.headers.etag) } })).statusCode, 304);
  for (const address of [
    '/media/covers/absent-960.webp',
    '/media/covers/..%2fcontent%2fx.webp',
    '/media/covers/a/b.webp',
    '/media/covers/',
  ])
    t.equal((await app.inject(address)).statusCode, 404, address);

  const pictureOf = (session?: string) => app.inject({ url: src, headers: { accept: 'image/*', ...(session && { cookie: session }) } });
  t.match([(await pictureOf()).statusCode, (await pictureOf(learner.session)).headers['content-type']], [403, 'image/webp']);

  const asked = (headers: Record<string, string> = {}) => app.inject({ url: document, headers: { cookie: learner.session, ...headers } });
  const given = await asked({ 'sec-fetch-mode': 'cors' });
  t.same([given.statusCode, given.rawPayload.equals(bytes)], [200, true], 'a service worker is not redirected');
  t.match(given.headers, {
    'content-type': 'application/pdf',
    'content-length': String(bytes.length),
    'cache-control': 'private, no-cache',
    'content-security-policy': "default-src 'none'; sandbox",
    'content-disposition': `attachment; filename="Ete no1.pdf"; filename*=UTF-8''%C3%89t%C3%A9%20n%C2%B01.pdf`,
  });
  const part = await asked({ range: 'bytes=5-9' });
  t.same([part.statusCode, part.headers['content-range'], part.rawPayload], [206, `bytes 5-9/${bytes.length}`, bytes.subarray(5, 10)]);
  t.same((await asked({ range: 'bytes=-6' })).rawPayload, bytes.subarray(-6));
  t.match((await asked({ range: `bytes=${bytes.length}-` })).json(), { message: "Cette partie du fichier n'existe pas." });
  t.equal((await asked({ range: 'bytes=0-3', 'if-range': '"autre"' })).statusCode, 200);
});

t.test('a document redirects learners with access to a URL that expires', async (t) => {
  const site = await createTestApp(t, inStore('adresses', { S3_SIGNED_SECONDS: '3' }));
  const { document, bytes, learner } = await withFiles(site);
  const go = (cookie?: string) =>
    site.app.inject({ url: document, headers: { accept: 'text/html', 'sec-fetch-mode': 'navigate', ...(cookie && { cookie }) } });
  const sent = await go(learner.session);
  t.match([sent.statusCode, sent.headers['cache-control']], [302, 'private, no-store']);
  const address = String(sent.headers.location);
  const answer = await fetch(address);
  t.match(answer.headers.get('content-disposition'), /^attachment; filename="Ete no1\.pdf"/);
  t.equal(answer.headers.get('content-type'), 'application/pdf');
  t.ok(Buffer.from(await answer.arrayBuffer()).equals(bytes));
  const stranger = await createLearner(site);
  for (const [who, cookie, status] of [
    ['a learner without access', stranger.session, 403],
    ['a visitor', undefined, 303],
    ['an ended session', 'userToken=fini', 303],
  ] as const) {
    const refused = await go(cookie);
    t.equal(refused.statusCode, status, who);
    t.notMatch(`${refused.headers.location} ${refused.body}`, 'X-Amz', who);
  }
  await until(async () => (await fetch(address)).status === 403);
  t.pass('the URL has expired');
  t.not((await go(learner.session)).headers.location, address, 'the next request gets another URL');
  const served = await createTestApp(t, inStore('servis', { S3_SIGNED_SECONDS: '0' }));
  const other = await withFiles(served);
  const direct = await served.app.inject({
    url: other.document,
    headers: { cookie: other.learner.session, accept: 'text/html', 'sec-fetch-mode': 'navigate' },
  });
  t.equal(direct.statusCode, 200, 'with S3_SIGNED_SECONDS=0 there is no redirect');
});

const away = { message: 'Les images et les documents sont momentanément inaccessibles. Réessayez dans un instant.' };

/** Returns every upload, and the rows that each must not leave behind. */
async function uploadsOf(site: TestApp) {
  const { session, id } = await createAdministrator(site);
  const discipline = await createDiscipline(site);
  const item = await createItem(site, discipline.id);
  const image = await picture('#123456');
  const { app } = site;
  const fields = { nom: 'Une autre', description: 'Le concours.', prix: '15000', auteur: id };
  const count = async (table: string) => (await sql<{ n: number }>(site.databaseUrl, `select count(*)::int as n from ${table}`))[0]?.n;
  return {
    send: [
      () => upload(app, { method: 'POST', url: '/api/prepas', fields, image, session }),
      () => upload(app, { method: 'POST', url: '/api/images', image, session }),
      () => upload(app, { method: 'POST', url: `/api/lecons/${item.id}/documents`, fichier: pdf('fiche'), session }),
    ],
    rows: () => Promise.all(['prepa', 'content_image', 'item_document'].map(count)),
  };
}

async function assertRefused(t: Test, site: TestApp, status = 503, body: object = away) {
  const { send, rows } = await uploadsOf(site);
  const before = await rows();
  for (const one of send) {
    const answer = await one();
    t.match([answer.statusCode, answer.json()], [status, body]);
    t.notMatch(answer.body, /X-Amz|AWS4|essai-/);
  }
  t.same(await rows(), before, 'no row was added');
}

t.test('a store that hangs: a French error within the time limit, nothing stored partially, and recovery afterwards', async (t) => {
  const path = await createNetworkPath(t, s3.url);
  const site = await createTestApp(t, inStore('silence', { S3_ENDPOINT: path.url, S3_TIMEOUT_MS: '300' }));
  const { cover } = await withFiles(site);
  const before = await namesIn(site.kernel.context.files, 'covers');
  path.cut();
  path.close('reset');
  await assertRefused(t, site);
  const shown = await call(site.app, { url: cover });
  t.match([shown.statusCode, shown.headers['retry-after'], shown.headers['cache-control'], shown.json()], [503, '5', 'no-store', away]);
  t.equal((await call(site.app, { url: '/readyz' })).statusCode, 200, 'the site is still ready');
  path.restore();
  await until(async () => (await site.app.inject(cover)).statusCode === 200);
  t.same(await namesIn(site.kernel.context.files, 'covers'), before);
  const { send } = await uploadsOf(site);
  for (const one of send) t.equal((await one()).statusCode, 201);
});

t.test('an unreachable store, and one that refuses the key', async (t) => {
  await assertRefused(t, await createTestApp(t, inStore('loin', { S3_ENDPOINT: 'http://127.0.0.1:2' })));
  await assertRefused(t, await createTestApp(t, inStore('cle', { S3_SECRET_ACCESS_KEY: 'une-autre-cle-secrete' })));
});

/** Starts a server that replaces the store and fails. */
async function inItsPlace(t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

t.test('a full store: 507, like a full disk', async (t) => {
  const endpoint = await inItsPlace(t, (request, response) => {
    if (request.method === 'HEAD') return response.writeHead(404).end();
    if (request.method === 'POST') return response.end('<DeleteResult></DeleteResult>');
    return response.writeHead(507).end('<Error><Code>XMinioStorageFull</Code></Error>');
  });
  const body = { message: "Le serveur n'a plus de place pour ce fichier : rien n'a été enregistré. Prévenez le support." };
  await assertRefused(t, await createTestApp(t, inStore('plein', { S3_ENDPOINT: endpoint })), 507, body);
});

t.test('a store that sends half a file: the download does not look complete', async (t) => {
  const endpoint = await inItsPlace(t, (_request, response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write(Buffer.alloc(400), () => response.destroy());
  });
  const site = await createTestApp(t, inStore('moitie', { S3_ENDPOINT: endpoint, S3_TIMEOUT_MS: '1000' }));
  const origin = await site.app.listen({ host: '127.0.0.1', port: 0 });
  const answer = await fetch(`${origin}/media/covers/${'a'.repeat(32)}-960.webp`);
  t.equal(answer.headers.get('content-length'), '1000');
  await t.rejects(answer.arrayBuffer());
  await t.rejects(site.kernel.context.documents.read('a.pdf'), { name: 'StoreFault', message: 'GET documents/a.pdf: broken off' });
});

t.test('a backup of a site with a store can be restored to a folder, and the reverse', async (t) => {
  const site = await createTestApp(t, inStore('sauvegarde'));
  const { bytes } = await withFiles(site);
  const subject = backupSubject();
  const stores = openFileStores(site.kernel.config);
  const [folder, elsewhere] = [folderStores(t.testdir({})), openFileStores(loadConfig({ NODE_ENV: 'test', ...inStore('restauration') }))];
  const first = await emptyDatabase(t, site.databaseUrl);
  const manifest = await restoreBackup(sourceOf(await backUp(site.databaseUrl, stores)), subject, { url: first, stores: folder });
  t.same(manifest.absent, []);
  t.same(await missingFiles(first, folder, subject), []);
  const second = await emptyDatabase(t, site.databaseUrl);
  await restoreBackup(sourceOf(await backUp(first, folder)), subject, { url: second, stores: elsewhere });
  t.same(await missingFiles(second, elsewhere, subject), []);
  for (const there of [folder, elsewhere]) {
    t.same(await namesIn(there.media, 'covers'), await namesIn(stores.media, 'covers'));
    t.same(await namesIn(there.media, 'content'), await namesIn(stores.media, 'content'));
    const [document = ''] = await namesIn(there.documents, '');
    t.ok((await there.documents.read(document))?.equals(bytes));
  }
  await t.rejects(
    restoreBackup(sourceOf(await backUp(first, folder)), subject, { url: await emptyDatabase(t, first), stores: elsewhere }),
    {
      message: /^Le compartiment .* contient déjà des fichiers : .*S3_PREFIX/,
    },
  );
});
