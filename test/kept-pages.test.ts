// Slow: after each change all pages of two processes are compared with those of a third.
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { buildApp } from '../src/app.ts';
import { createTestApp, visit } from './support/app.ts';
import { createDiscipline, createEnrolment, createItem, createLearner, createPayment, createPrepa } from './support/factories.ts';
import { isLongForm } from './support/long-form.ts';
import { sql } from './support/sql.ts';

// Cached compressed pages and page frames: after each change, every process must serve the same pages as a newly started server.

const home = await createTestApp(t);
const { app, databaseUrl, kernel } = home;

const prepa = await createPrepa(home, { nom: 'Prépa ancienne' });
const discipline = await createDiscipline(home, prepa.id);
const lesson = await createItem(home, discipline.id, { titre: 'Leçon ancienne', contenu: '<p>Texte ancien</p>' });
const own = await createPrepa(home, { nom: 'Prépa étudiée' });
const ownDiscipline = await createDiscipline(home, own.id);
const ownLesson = await createItem(home, ownDiscipline.id);
const [learner, other] = [await createLearner(home), await createLearner(home)];
await createEnrolment(home, learner, own);

const pages = [
  '/',
  '/?connexion=1',
  '/?inscription=1&suite=/user/paiements',
  '/user/preparations',
  '/user/preparations?q=ancienne',
  '/user/dashboard',
  '/user/dashboard?q=ancienne',
  `/user/dashboard?paiement=${prepa.id}`,
  `/user/prepa/${own.id}`,
  `/user/prepa/${own.id}/${ownDiscipline.id}`,
  `/user/prepa/consultation/${prepa.id}`,
  `/user/prepa/consultation/${prepa.id}/${discipline.id}`,
  `/user/prepa/consultation/${prepa.id}/${discipline.id}?type=course&item=${lesson.id}`,
];
const viewers = { visitor: undefined, learner: learner.session, other: other.session };

/** Requests every page as each viewer; with `part` only one of three, so that the parts 0 to 2 cover all. */
async function readAll(from = app, part?: number): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  for (const [place, url] of pages.entries()) {
    for (const [turn, [viewer, session]] of Object.entries(viewers).entries()) {
      if (part !== undefined && (place + turn + part) % 3 > 0) continue;
      // A prefetch does not mark the item as read.
      const ahead = { accept: 'text/html', 'sec-purpose': 'prefetch', ...(session && { cookie: session }) };
      const { statusCode, headers, body } = await from.inject({ url, headers: ahead });
      answers.set(`${viewer} ${url}`, `${statusCode} ${headers.etag} ${headers.location}\n${body}`);
    }
  }
  return answers;
}

const second = await buildApp(kernel);
t.teardown(() => second.close());

const run = (text: string, values: unknown[]) => () => sql(databaseUrl, text, values);
const changes: [string, () => Promise<unknown>][] = [
  ['nothing', async () => {}],
  ['a prepa renamed', run(`update prepa set nom = 'Prépa nouvelle', version = version + 1 where id = $1`, [prepa.id])],
  ['its price', run('update prepa set prix = 21000, version = version + 1 where id = $1', [prepa.id])],
  ['its cover', run(`update prepa set image = 'covers/abc', version = version + 1 where id = $1`, [prepa.id])],
  ['a discipline added', () => createDiscipline(home, prepa.id)],
  ['a discipline renamed', run(`update discipline set nom = 'Autre nom', version = version + 1 where prepa_id = $1`, [prepa.id])],
  ['an item saved', run(`update item set contenu = '<p>Texte nouveau</p>', version = version + 1 where id = $1`, [lesson.id])],
  ['an item retitled behind the back of its version', run(`update item set titre = 'Titre nouveau' where id = $1`, [lesson.id])],
  ['an item added', () => createItem(home, ownDiscipline.id, { numeroPage: 2 })],
  ['an item read', run('insert into item_reading (user_id, item_id, read_at) values ($1, $2, now())', [learner.id, ownLesson.id])],
  ['a payment begun', () => createPayment(home, learner, prepa, 'pending')],
  ['a notification', run(`insert into notification (user_id, message, date_creation) values ($1, 'Une nouvelle', now())`, [learner.id])],
  ['a prepa more', () => createPrepa(home)],
  ['another enrolled', () => createEnrolment(home, other, own)],
  ['an access ended', run(`update enrolment set statut = 'cancelled' where user_id = $1`, [other.id])],
  ['a prepa withdrawn', run('update prepa set is_published = false, version = version + 1 where id = $1', [prepa.id])],
];

let before = await readAll();
for (const [index, [what, change]] of changes.entries()) {
  t.test(`after a change every process serves current pages: ${what}`, async (t) => {
    await change();
    const fresh = await buildApp(kernel);
    t.teardown(() => fresh.close());
    // This process is read first: with a delayed replica it waits until the change has arrived there.
    const found = await readAll();
    const expected = await readAll(fresh);
    t.equal(expected.size, pages.length * 3);
    t.same(found, expected);
    // The other process serves each viewer every third page, starting with another page after each change. The long form reads all pages.
    const elsewhere = await readAll(second, isLongForm ? undefined : index % 3);
    t.same(elsewhere, new Map([...expected].filter(([page]) => elsewhere.has(page))));
    t.ok(elsewhere.size >= pages.length);
    const changed = [...expected].filter(([page, answer]) => before.get(page) !== answer);
    t.equal(changed.length > 0, what !== 'nothing');
    for (const [page, answer] of expected) {
      for (const { username, email } of [learner, other]) {
        const seen = answer.includes(username) || answer.includes(email);
        if (seen) t.ok(page.startsWith(username === learner.username ? 'learner' : 'other'), `${page} names ${username}`);
      }
    }
    before = expected;
  });
}

t.test("frame and learner's part together equal the page rendered at once", async (t) => {
  const both = await buildApp(kernel);
  t.teardown(() => both.close());
  const page = { title: 'Préparations disponibles', noindex: true, learnerCss: true, catalogue: null, error: 'Erreur', paymentIsland: '' };
  const toasts = [{ kind: 'info' as const, message: 'Un message' }];
  both.get('/once', (_request, reply) => reply.page('portal/preparations', { ...page, toasts }));
  both.get('/framed', (_request, reply) => reply.framedPage('portal/preparations', { ...page, toasts }));
  both.get('/shared', (_request, reply) => reply.sharedPage('portal/preparations', page));
  for (const session of [undefined, learner.session]) {
    const once = await visit(both, '/once', session);
    t.equal(once.statusCode, 200);
    for (const time of ['first', 'again']) t.equal((await visit(both, '/framed', session)).body, once.body, time);
    // The inline style of a first visit depends on the page's elements, including messages.
    const unstyled = (html: string) => html.replace(/<style>.*?<\/style>/s, '');
    const plain = unstyled(once.body).replace(/<div class="toast toast--info"[\s\S]*?<\/div>\n/, '');
    t.not(plain, unstyled(once.body));
    t.equal(unstyled((await visit(both, '/shared', session)).body), plain);
  }
});

t.test('pages are compressed completely, and an unchanged page is a 304 with few headers', async (t) => {
  for (const url of pages) {
    const headers = { accept: 'text/html', cookie: learner.session, 'accept-encoding': 'gzip, br' };
    const first = await app.inject({ url, headers });
    if (first.statusCode !== 200) continue;
    const plain = await visit(app, url, learner.session);
    const encoding = first.headers['content-encoding'];
    if (encoding === 'gzip') t.equal(gunzipSync(first.rawPayload).toString(), plain.body, url);
    t.equal(plain.headers.etag, first.headers.etag, url);
    const again = await app.inject({ url, headers: { ...headers, 'if-none-match': String(first.headers.etag) } });
    t.equal(again.statusCode, 304, url);
    t.equal(again.body, '');
    const { date, connection, ...said } = again.headers;
    t.same(Object.keys(said).sort(), ['cache-control', 'etag', 'vary'], url);
    for (const name of ['etag', 'cache-control', 'vary']) t.equal(said[name], first.headers[name], `${url}: ${name}`);
    t.equal(
      (await app.inject({ url, headers: { ...headers, cookie: other.session, 'if-none-match': String(first.headers.etag) } }))
        .statusCode === 304,
      false,
    );
  }
});

t.test('a flash message is added to a cached page, and not stored in the cache', async (t) => {
  const flash = `flash=${Buffer.from(JSON.stringify([{ kind: 'info', message: 'Pour une fois' }])).toString('base64url')}`;
  for (const url of ['/', '/user/dashboard', `/user/prepa/consultation/${own.id}`, '/user/preparations']) {
    const cookie = `${other.session}; ${flash}`;
    const told = await app.inject({ url, headers: { accept: 'text/html', cookie } });
    t.match(told.body, 'Pour une fois', url);
    t.match(
      told.cookies.find(({ name }) => name === 'flash'),
      { value: '' },
    );
    t.notMatch((await visit(app, url, other.session)).body, 'Pour une fois', url);
  }
});
