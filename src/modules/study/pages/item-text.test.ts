import { once } from 'node:events';
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import t from 'tap';
import { call, createTestApp } from '../../../../test/support/app.ts';
import {
  createDiscipline,
  createDocument,
  createEnrolment,
  createItem,
  createLearner,
  createPrepa,
} from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';
import { statementsDuring } from '../../../../test/support/statements.ts';

const home = await createTestApp(t);
const { app, clock, databaseUrl } = home;

const formula = '<span class="formula" data-latex="x &lt; 1"><math><mi>x</mi></math></span>';
const discipline = await createDiscipline(home, (await createPrepa(home)).id);
const lesson = await createItem(home, discipline.id, { titre: 'Limites', contenu: `<p>Soit ${formula} ; <code>data-latex="x"</code></p>` });
const subject = await createItem(home, discipline.id, { kind: 'pastExam', contenu: '<p>Énoncé</p>', corrige: '<p>42</p>' });
const learner = await createLearner(home);
await createEnrolment(home, learner, { id: discipline.prepaId, nom: 'ENS' }, 10);

const fetchText = (id: number, { session = learner.session, ...headers }: Record<string, string> = {}) =>
  app.inject({ url: `/api/items/${id}/texte`, headers: { cookie: session, 'sec-fetch-dest': 'empty', ...headers } });

t.test('the response holds text, correction and the rest, without data that only the editor needs', async (t) => {
  const [contenu, corrige, rest = ''] = (await fetchText(lesson.id)).body.split('<!---->');
  t.equal(contenu, '<p>Soit <span class="formula"><math><mi>x</mi></math></span>\u202f; <code>data-latex="x"</code></p>');
  t.same([corrige, JSON.parse(rest)], ['', { titre: 'Limites' }]);
  const document = await createDocument(home, subject.id, { nom: 'Sujet' });
  const parts = (await fetchText(subject.id)).body.split('<!---->');
  t.same(parts.slice(0, 2), ['<p>Énoncé</p>', '<p>42</p>']);
  t.match(JSON.parse(parts[2] ?? ''), { titre: subject.titre, corrige: true, documents: [{ id: document.id, nom: 'Sujet' }] });
});

t.test('a text is compressed ahead in an accepted encoding, has few headers, and gets a 304 when unchanged', async (t) => {
  const plain = (await fetchText(lesson.id)).body;
  const brotli = await fetchText(lesson.id, { 'accept-encoding': 'gzip, deflate, br' });
  t.equal(brotli.headers['content-encoding'], 'br');
  t.equal(brotliDecompressSync(brotli.rawPayload).toString(), plain);
  const gzip = await fetchText(lesson.id, { 'accept-encoding': 'gzip, br;q=0' });
  t.equal(gunzipSync(gzip.rawPayload).toString(), plain);
  t.same(
    Object.keys(brotli.headers)
      .filter((name) => !['date', 'content-length', 'set-cookie'].includes(name))
      .sort(),
    ['cache-control', 'content-encoding', 'content-type', 'etag', 'x-content-type-options'],
  );
  t.match(brotli.headers, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'private, no-cache' });
  const etag = String(brotli.headers.etag);
  const same = await fetchText(lesson.id, { 'if-none-match': etag });
  t.same([same.statusCode, same.body], [304, '']);
  await sql(databaseUrl, `update item set titre = 'Suites', version = version + 1 where id = $1`, [lesson.id]);
  const changed = await fetchText(lesson.id, { 'if-none-match': etag });
  t.equal(changed.statusCode, 200);
  t.match(changed.body, '"titre":"Suites"');
});

t.test('only a response that closes the connection has a Connection header', async (t) => {
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  /** Returns the header sections of the responses to `count` requests over one connection. */
  const heads = async (count: number, line: string) => {
    const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8');
    t.teardown(() => socket.destroy());
    let received = '';
    for (let asked = 1; asked <= count; asked += 1) {
      socket.write(`GET /api/items/${lesson.id}/texte HTTP/1.1\r\nHost: prepa\r\nCookie: ${learner.session}\r\n${line}\r\n`);
      while (received.split('"titre"').length <= asked) received += String((await once(socket, 'data'))[0]);
    }
    return received.toLowerCase();
  };
  t.notMatch(await heads(2, ''), /^(connection|keep-alive):/m);
  t.match(await heads(1, 'Connection: close\r\n'), /^connection: close/m);
});

t.test('a request sends two statements, three when the text is not cached, and counts as opening', async (t) => {
  await sql(databaseUrl, 'delete from item_reading');
  await sql(databaseUrl, 'update item set version = version + 1');
  const asked = async () => (await statementsDuring(() => fetchText(lesson.id))).length;
  t.same([await asked(), await asked()], [3, 2]);
  const marks = (await call(app, { url: `/api/disciplines/${discipline.id}/lus`, session: learner.session })).json();
  t.match(marks, { ouverts: [lesson.id], termines: [], dernier: { type: 'course', id: lesson.id } });
});

t.test('the text is sent only to learners with access to the item at this time', async (t) => {
  const stranger = await createLearner(home);
  const status = async (id: number, session: string) => (await fetchText(id, { session })).statusCode;
  t.equal((await app.inject({ url: `/api/items/${lesson.id}/texte` })).statusCode, 401);
  t.equal(await status(lesson.id, stranger.session), 403);
  t.equal(await status(2_000_000_000, learner.session), 404);
  clock.advance(11 * 24 * 3_600_000);
  t.equal(await status(lesson.id, learner.session), 403, 'the text is refused after the end of the access');
  t.same(await sql(databaseUrl, 'select from item_reading where user_id = $1', [stranger.id]), []);
});
