import t from 'tap';
import { call, createTestApp, visit } from '../../../../../test/support/app.ts';
import {
  createAdministrator,
  createDiscipline,
  createEnrolment,
  createItem,
  createLearner,
  createPrepa,
} from '../../../../../test/support/factories.ts';
import { picture, upload } from '../../../../../test/support/multipart.ts';
import { pdf } from '../../../../../test/support/pdf.ts';
import { namesIn } from '../../../../../test/support/site-files.ts';
import { sql } from '../../../../../test/support/sql.ts';

// PDF documents attached to items: checked by their bytes, stored apart from public files, readable by everyone who may read the item.

const site = await createTestApp(t);
const { app } = site;
const { session } = await createAdministrator(site);
const { documents } = site.kernel.context;
const stored = () => namesIn(documents, '');

async function lesson(numeroPage = 1, isPublished = true) {
  const prepa = await createPrepa(site, { isPublished });
  const discipline = await createDiscipline(site, prepa.id);
  const item = await createItem(site, discipline.id, { numeroPage });
  return { prepa, discipline, item };
}
const attach = async (id: number, fichier: Buffer, rest: { fields?: Record<string, string>; fileName?: string } = {}) => {
  const answer = await upload(app, { method: 'POST', url: `/api/lecons/${id}/documents`, fichier, session, ...rest });
  return { status: answer.statusCode, body: answer.json() };
};

t.test('a document is attached under its name, shown with the item, downloaded entirely and by range, and removed', async (t) => {
  const { item } = await lesson();
  const bytes = pdf('fiche');
  const { status, body } = await attach(item.id, bytes, { fields: { nom: 'Fiche de révision n°1 – été.pdf' } });
  t.equal(status, 201, JSON.stringify(body));
  t.match(body, { nom: 'Fiche de révision n°1 – été', octets: bytes.length, url: /^\/documents\/\d+\// });
  t.match((await attach(item.id, bytes, { fileName: 'C:\\Cours\\Fonctions<b>.PDF' })).body, { nom: 'Fonctions b' });
  t.equal((await stored()).length, 1, 'identical files are stored once');
  const read = (await call(app, { url: `/api/lecons/${item.id}` })).json();
  t.same(read.documents[0], body);
  t.match((await call(app, { url: `/api/lecons/${item.id}`, session })).json().documents, [body, { nom: 'Fonctions b' }]);

  const whole = await visit(app, body.url);
  t.equal(whole.statusCode, 200);
  t.same(whole.rawPayload, bytes);
  t.match(whole.headers, {
    'content-type': 'application/pdf',
    'content-length': String(bytes.length),
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'private, no-cache',
  });
  t.match(
    whole.headers['content-disposition'],
    /^attachment; filename="Fiche de revision no1 - ete\.pdf"; filename\*=UTF-8''Fiche%20de%20r%C3%A9vision%20n%C2%B01%20%E2%80%93%20%C3%A9t%C3%A9\.pdf$/,
  );
  const part = (range: string, more = {}) => app.inject({ url: body.url, headers: { range, ...more } });
  const middle = await part('bytes=5-9');
  t.equal(middle.statusCode, 206);
  t.equal(middle.headers['content-range'], `bytes 5-9/${bytes.length}`);
  t.same(middle.rawPayload, bytes.subarray(5, 10));
  t.same((await part('bytes=-6')).rawPayload, bytes.subarray(-6));
  t.equal((await part(`bytes=${bytes.length}-`)).statusCode, 416);
  t.equal((await part('bytes=0-3', { 'if-range': '"autre"' })).statusCode, 200, 'a range of an outdated file gets the entire new file');
  t.equal((await app.inject({ url: body.url, headers: { 'if-none-match': whole.headers.etag as string } })).statusCode, 304);
  const head = await app.inject({ method: 'HEAD', url: body.url });
  t.match([head.statusCode, head.headers['content-length'], head.body], [200, String(bytes.length), '']);

  const remove = () => call(app, { method: 'DELETE', url: `/api/documents/${body.id}`, session });
  t.match((await remove()).json(), { message: 'Document supprimé avec succès' });
  t.equal((await remove()).statusCode, 404);
  t.equal((await stored()).length, 1, 'the file stays while another item has it');
  t.equal((await visit(app, body.url)).statusCode, 404);
  await call(app, { method: 'DELETE', url: `/api/lecons/${item.id}`, session });
  t.same(await stored(), [], 'the file is removed with its last item');
});

t.test('a document can be read by the readers of its item and by no other reader', async (t) => {
  const open = await lesson(1);
  const closed = await lesson(2);
  const hidden = await lesson(1, false);
  const [enrolled, stranger] = [await createLearner(site), await createLearner(site)];
  await createEnrolment(site, enrolled, closed.prepa, 1);
  await createEnrolment(site, enrolled, hidden.prepa, 1);
  const address = async ({ item }: { item: { id: number } }) => (await attach(item.id, pdf(`de ${item.id}`))).body.url as string;
  const urls = { open: await address(open), closed: await address(closed), hidden: await address(hidden) };
  const status = async (url: string, as?: string) => (await call(app, { url, ...(as ? { session: as } : {}) })).statusCode;
  const expected: Record<keyof typeof urls, [number, number, number, number]> = {
    open: [200, 200, 200, 200],
    closed: [403, 403, 200, 200],
    hidden: [404, 404, 200, 200],
  };
  for (const [name, [visitor, other, learner, administrator]] of Object.entries(expected) as [keyof typeof urls, number[]][]) {
    t.equal(await status(urls[name]), visitor, `${name}, visitor`);
    t.equal(await status(urls[name], stranger.session), other, `${name}, learner`);
    t.equal(await status(urls[name], enrolled.session), learner, `${name}, enrolled`);
    t.equal(await status(urls[name], session), administrator, `${name}, administrator`);
  }
  const page = await visit(app, urls.closed);
  t.equal(page.statusCode, 303, 'a visitor is redirected to the sign-in');
  t.equal(page.headers.location, `/?connexion=1&suite=${encodeURIComponent(urls.closed)}`);
  const refused = await visit(app, urls.closed, stranger.session);
  t.equal(refused.statusCode, 403);
  t.match(refused.body, 'Ce contenu est réservé aux candidats inscrits à cette préparation.');
  t.equal((await visit(app, urls.closed, 'userToken=fini')).statusCode, 303, 'an ended session is redirected');
  const file = (await stored())[0];
  t.equal((await visit(app, `/media/${file}`)).statusCode, 404, 'documents are not served with the pictures');
  t.equal((await visit(app, `/media/../documents/${file}`)).statusCode, 404);
  for (const url of ['/documents/2000000000/x.pdf', '/documents/abc/x.pdf']) t.equal((await visit(app, url)).statusCode, 404, url);
});

t.test('a document is checked by its bytes, and its name is stored as one line', async (t) => {
  const { item } = await lesson();
  const message = "Ce fichier n'est pas un document PDF.";
  const page = Buffer.from('<!doctype html><script>alert(1)</script>');
  const whole = pdf('x');
  const refused: Record<string, Buffer> = {
    HTML: page,
    'HTML before a PDF': Buffer.concat([page, whole]),
    'a script with the marks of a PDF': Buffer.from('alert(1)//%PDF-1.4 %%EOF'),
    'a picture': await picture(),
    'a picture before a PDF': Buffer.concat([await picture(), whole]),
    'an archive before a PDF': Buffer.concat([Buffer.from('PK\u0003\u0004'), whole]),
    text: Buffer.from('bonjour'),
    'the mark alone': Buffer.from('%PDF-'),
    'cut off': whole.subarray(0, -8),
    'an end long before the end': Buffer.concat([whole, Buffer.alloc(4000, 'x')]),
    'a mark far from the start': Buffer.concat([Buffer.alloc(2000, ' '), whole]),
  };
  for (const [name, bytes] of Object.entries(refused)) {
    t.match(await attach(item.id, bytes), { status: 400, body: { message, errors: [{ field: 'fichier', message }] } }, name);
  }
  t.equal(
    (await attach(item.id, Buffer.concat([Buffer.from('\n'), whole, Buffer.alloc(500)]))).status,
    201,
    'a few extra bytes before and after are accepted',
  );
  for (const [nom, expected] of [
    ['', 'fiche'],
    ['../../etc/passwd', 'passwd'],
    ['a\u0000b\nc\u202ed', 'a b c d'],
    ['.pdf', 'fiche'],
    ['x'.repeat(300), 'x'.repeat(150)],
  ] as const) {
    t.equal((await attach(item.id, whole, { fields: { nom } })).body.nom, expected, JSON.stringify(nom.slice(0, 20)));
  }
  const large = await attach(item.id, Buffer.concat([whole, Buffer.alloc(10 * 1024 * 1024), Buffer.from('%%EOF')]));
  t.match(large, { status: 413, body: { message: 'Le fichier dépasse 10 Mo.', errors: [{ field: 'fichier' }] } });
  t.match((await upload(app, { method: 'POST', url: `/api/lecons/${item.id}/documents`, session })).json().errors, [{ field: 'fichier' }]);
  t.equal((await attach(2_000_000_000, pdf('nulle part'))).status, 404);
  t.notOk(
    (await stored()).some((name) => name.length !== 68),
    'no partial file is left',
  );
});

t.test('an item has at most 20 documents, also with concurrent uploads, and a missing file is a 404', async (t) => {
  const { item, discipline } = await lesson();
  const answers = await Promise.all(Array.from({ length: 23 }, (_, index) => attach(item.id, pdf(`parmi ${index}`))));
  t.equal(answers.filter(({ status }) => status === 201).length, 20);
  t.equal(answers.filter(({ status }) => status === 400).length, 3);
  t.match(answers.find(({ status }) => status === 400)?.body.message, '20 documents au plus');
  const kept = await sql<{ id: number; file: string }>(site.databaseUrl, 'select id, file from item_document where item_id = $1', [
    item.id,
  ]);
  t.same((await stored()).filter((name) => kept.some(({ file }) => file === name)).length, 20);
  await documents.remove([kept[0]?.file as string]);
  t.equal((await visit(app, `/documents/${kept[0]?.id}/x.pdf`)).statusCode, 404);
  const before = (await stored()).length;
  t.equal((await call(app, { method: 'DELETE', url: `/api/disciplines/${discipline.id}`, session })).statusCode, 200);
  t.equal((await stored()).length, before - 19, 'deleting the discipline deletes the files');
});

t.test('the address of a document with the longest allowed name works', async (t) => {
  const { item } = await lesson();
  const { body } = await attach(item.id, pdf('long'), { fields: { nom: 'é'.repeat(150) } });
  t.equal((await visit(app, body.url)).statusCode, 200, body.url.length);
});
