import type { OutgoingHttpHeaders } from 'node:http';
import t from 'tap';
import { call, createTestApp, visit } from '../../../../../test/support/app.ts';
import {
  createAdministrator,
  createDiscipline,
  createEnrolment,
  createLearner,
  createPrepa,
} from '../../../../../test/support/factories.ts';
import { picture, upload } from '../../../../../test/support/multipart.ts';
import { statementsDuring } from '../../../../../test/support/statements.ts';
import { dayMs } from '../../../../shared/dates.ts';

// Pictures of texts are loaded without a database query by a signed address and a pass. Without these, the access of the reader is
// looked up.

// Offline downloads are off, so that no background work follows a save.
const site = await createTestApp(t, { OFFLINE: 'off' });
const { app, clock } = site;
const { session: editor } = await createAdministrator(site);
const hourMs = 3_600_000;
let colours = 0;

/** Creates a prepa with two lessons, each with its own picture. The first lesson is the trial's. */
async function prepaWithPictures(isPublished = true) {
  const prepa = await createPrepa(site, { isPublished });
  const discipline = await createDiscipline(site, prepa.id);
  const items: { id: number; src: string }[] = [];
  for (const titre of ['Première', 'Deuxième']) {
    colours += 1;
    const image = await picture(`#${String(colours).padStart(6, '0')}`);
    const { src } = (await upload(app, { method: 'POST', url: '/api/images', image, session: editor })).json();
    const payload = { titre, discipline_id: discipline.id, contenu: `<p>Voici : <img src="${src}" alt="Une courbe"></p>` };
    const { id } = (await call(app, { method: 'POST', url: '/api/lecons', session: editor, payload })).json();
    items.push({ id, src });
  }
  const [free, paid] = items as [{ id: number; src: string }, { id: number; src: string }];
  return { prepa, discipline, free, paid, study: `/user/prepa/${prepa.id}/${discipline.id}` };
}
type Prepa = Awaited<ReturnType<typeof prepaWithPictures>>;

const shown = (html: string): string => /<img src="([^"]+)" alt="Une courbe"/.exec(html)?.[1] ?? 'none';
const paidPage = ({ study, paid }: Prepa) => `${study}?type=course&item=${paid.id}`;
const openPaid = async (prepa: Prepa, session: string) => shown((await visit(app, paidPage(prepa), session)).body);

/** Requests a picture with the headers that a page's <img> sends. */
const fetchPicture = (url: string, cookie?: string, headers: OutgoingHttpHeaders = {}) =>
  app.inject({ url, headers: { accept: 'image/avif,image/webp,*/*', ...(cookie && { cookie }), ...headers } });
const passOf = (answer: { cookies: { name: string; value: string }[] }) => answer.cookies.find(({ name }) => name === 'images')?.value;

async function enrolledIn({ prepa }: Prepa, days = 30) {
  const learner = await createLearner(site);
  await createEnrolment(site, learner, prepa, days);
  return learner;
}

t.test('a paid picture: its page signs the address, the first request returns a pass, the next needs no query', async (t) => {
  const prepa = await prepaWithPictures();
  const learner = await enrolledIn(prepa);
  const address = await openPaid(prepa, learner.session);
  t.match(address, new RegExp(`^${prepa.paid.src.replace('.', '\\.')}\\?acces=${prepa.prepa.id}\\.\\d+\\.[\\w-]{22}$`));
  const first = await fetchPicture(address, learner.session);
  t.equal(first.statusCode, 200);
  t.equal(first.headers['content-type'], 'image/webp');
  const cookie = first.cookies.find(({ name }) => name === 'images');
  t.match(cookie, { path: '/media/content/', httpOnly: true, sameSite: 'Lax' });
  const session = `${learner.session}; images=${passOf(first)}`;
  const sent = await statementsDuring(async () => {
    const next = await fetchPicture(address, session);
    t.equal(next.statusCode, 200);
    t.same(next.rawPayload, first.rawPayload);
    t.equal(passOf(next), undefined);
    // Browsers may cache the picture until its address expires; shared caches may not.
    const [, control, seconds = ''] = /^(private), max-age=(\d+), immutable$/.exec(String(next.headers['cache-control'])) ?? [];
    t.equal(control, 'private');
    t.equal(next.headers.vary, undefined, 'the response does not vary with the cookies');
    t.ok(Number(seconds) > 30 * 86_400 - 5 && Number(seconds) <= 60 * 86_400, seconds);
    t.equal((await fetchPicture(address, session, { 'if-none-match': String(next.headers.etag) })).statusCode, 304);
    t.equal((await fetchPicture(address, session, { range: 'bytes=0-3' })).statusCode, 206);
  });
  t.same(sent, [], 'no query is sent');
  const html = (await visit(app, paidPage(prepa), learner.session)).body;
  t.notMatch(html, `${prepa.paid.src}"`, 'the stored address is not in the page');
});

t.test('addresses are signed on every page that shows the text', async (t) => {
  const prepa = await prepaWithPictures();
  const learner = await enrolledIn(prepa);
  const address = await openPaid(prepa, learner.session);
  const text = await call(app, { url: `/api/items/${prepa.paid.id}/texte`, session: learner.session });
  t.equal(shown(text.body), address, 'the text for an open page has the signed address');
  const read = (await call(app, { url: `/api/lecons/${prepa.paid.id}`, session: learner.session })).json();
  t.match(read.contenu, `<img src="${prepa.paid.src}"`, 'the API returns the stored address');
  t.equal((await fetchPicture(prepa.paid.src, learner.session)).statusCode, 200);
  t.equal(
    (await app.inject({ url: prepa.paid.src, headers: { authorization: `Bearer ${learner.token}` } })).statusCode,
    200,
    'the stored address works with a bearer token',
  );
  const editorRead = (await call(app, { url: `/api/lecons/${prepa.paid.id}`, session: editor })).json();
  t.match(editorRead.contenu, `<img src="${prepa.paid.src}"`);
});

t.test("a reader's page pasted into the editor is stored with unsigned addresses", async (t) => {
  const prepa = await prepaWithPictures();
  const learner = await enrolledIn(prepa);
  const addresses = [
    await openPaid(prepa, learner.session),
    shown((await visit(app, prepa.study.replace('/prepa/', '/prepa/consultation/'))).body),
  ];
  const payload = {
    titre: 'Copie',
    discipline_id: prepa.discipline.id,
    contenu: addresses.map((src) => `<p><img src="${src}"></p>`).join(''),
  };
  const copy = (await call(app, { method: 'POST', url: '/api/lecons', session: editor, payload })).json();
  t.same(copy.remarques, []);
  t.match(copy.contenu, new RegExp(`src="${prepa.paid.src}".*src="${prepa.free.src}"`));
  // When the administration has its own host, addresses copied from the site are absolute.
  const whole = addresses.map((src) => `<p><img src="https://prepa.example${src}"></p>`).join('');
  const fromElsewhere = (
    await call(app, { method: 'POST', url: '/api/lecons', session: editor, payload: { ...payload, contenu: whole } })
  ).json();
  t.same(fromElsewhere.remarques, []);
  t.equal(fromElsewhere.contenu, copy.contenu);
});

t.test('a signed address from another account works only for readers with access of their own', async (t) => {
  const prepa = await prepaWithPictures();
  const other = await prepaWithPictures();
  const [mine, fellow, elsewhere, nowhere] = [
    await enrolledIn(prepa),
    await enrolledIn(prepa),
    await enrolledIn(other),
    await createLearner(site),
  ];
  const address = await openPaid(prepa, mine.session);
  const pass = passOf(await fetchPicture(address, mine.session));
  const elsewherePass = passOf(await fetchPicture(await openPaid(other, elsewhere.session), elsewhere.session));
  t.ok(pass && elsewherePass);
  const status = async (cookie?: string) => (await fetchPicture(address, cookie)).statusCode;
  t.equal(await status(fellow.session), 200, 'another enrolled learner gets the picture');
  t.equal(await status(`${fellow.session}; images=${pass}`), 200, 'the pass of another session is ignored, and the access is looked up');
  t.equal(await status(nowhere.session), 403);
  t.equal(await status(`${nowhere.session}; images=${pass}`), 403, 'the pass of another learner gives no access');
  t.equal(await status(`${elsewhere.session}; images=${elsewherePass}`), 403, 'a pass for another prepa gives no access');
  t.equal(await status(), 403, 'a visitor has no access');
  t.equal(await status(`images=${pass}`), 403, 'a pass without its session gives no access');
  t.equal(await status('userToken=fini'), 401, 'an ended session gets a 401');
  t.equal(await status(editor), 200, 'an administrator gets the picture');
  const refused = await fetchPicture(address, nowhere.session);
  t.match(refused.json(), { message: 'Cette image est réservée aux candidats inscrits à cette préparation.' });
  t.equal(refused.headers['cache-control'], 'no-store', 'refusals are not cached');
  const page = await visit(app, address, nowhere.session);
  t.equal(page.statusCode, 403);
  t.match(page.body, 'Cette image est réservée aux candidats inscrits');
  const visitor = await visit(app, address);
  t.equal(visitor.statusCode, 303);
  t.equal(
    visitor.headers.location,
    `/?connexion=1&suite=${encodeURIComponent(address)}`,
    'a visitor is redirected to the sign-in and back',
  );
});

t.test('invalid signatures are ignored', async (t) => {
  const prepa = await prepaWithPictures();
  const other = await prepaWithPictures();
  const learner = await enrolledIn(prepa);
  const address = await openPaid(prepa, learner.session);
  const pass = passOf(await fetchPicture(address, learner.session)) as string;
  const session = `${learner.session}; images=${pass}`;
  const access = address.split('=')[1] as string;
  const [id, day, signature] = access.split('.') as [string, string, string];
  const forged = [
    `${other.paid.src}?acces=${access}`,
    `${other.paid.src}?acces=${id}.${Number(day) + 1}.${signature}`,
    `${other.paid.src}?acces=${other.prepa.id}.${day}.${signature}`,
    `${other.paid.src}?acces=${access}&acces=${access}`,
    `${other.paid.src}?acces=`,
    other.paid.src,
  ];
  for (const url of forged) t.equal((await fetchPicture(url, session)).statusCode, 403, url);
  const libre = `/media/libre/${other.paid.src.split('/').at(-1)}`;
  for (const url of [libre, `${libre}?acces=${day}.${signature}`, `${libre}?acces=${access}`]) {
    const sentOn = await fetchPicture(url, session);
    t.match([sentOn.statusCode, sentOn.headers.location, sentOn.headers['cache-control']], [302, other.paid.src, 'private, no-store'], url);
  }
  const [end, prepas, mark] = pass.split('.') as [string, string, string];
  const otherAddress = await openPaid(other, (await enrolledIn(other)).session);
  for (const made of [
    `${end}.${other.prepa.id}.${mark}`,
    `${end}.${prepas}-${other.prepa.id}.${mark}`,
    `${Number(end) + dayMs}.${other.prepa.id}.${mark}`,
    '',
    '1.1.1',
    'x'.repeat(3000),
  ]) {
    t.equal((await fetchPicture(otherAddress, `${learner.session}; images=${made}`)).statusCode, 403, made.slice(0, 40));
  }
  for (const url of ['/media/content/../covers/x.webp', '/media/content/%2e%2e/x', '/media/content/', `${prepa.paid.src}/x`])
    t.equal((await fetchPicture(url, session)).statusCode, 404, url);
});

t.test('access is checked again for an expired address, and a newly loaded page has a new address', async (t) => {
  const prepa = await prepaWithPictures();
  const learner = await enrolledIn(prepa, 200);
  const { body, headers } = await visit(app, paidPage(prepa), learner.session);
  const address = shown(body);
  const end = Number(address.split('.').at(-2)) * dayMs;
  const was = clock.now().getTime();
  t.ok(end - was > 30 * dayMs && end - was <= 60 * dayMs);
  // Shortly before the end. A page rendered now has a later end.
  clock.advance(end - was - 1000);
  t.teardown(() => clock.advance(was - clock.now().getTime()));
  const again = await enrolledIn(prepa, 200);
  const late = await fetchPicture(address, again.session);
  t.equal(late.headers['cache-control'], 'private, max-age=1, immutable');
  const pass = passOf(late);
  clock.advance(2000);
  const session = `${again.session}; images=${pass}`;
  const ended = await fetchPicture(address, session);
  t.match(
    [ended.statusCode, ended.headers['cache-control']],
    [200, 'private, no-cache'],
    'after the expiry of the address, the access of an enrolled learner is looked up',
  );
  t.equal((await fetchPicture(address, (await createLearner(site)).session)).statusCode, 403);
  const renewed = await visit(app, paidPage(prepa), again.session);
  t.not(renewed.headers.etag, headers.etag);
  const fresh = shown(renewed.body);
  t.not(fresh, address);
  t.match((await fetchPicture(fresh, session)).headers['cache-control'], /^private, max-age=\d{7}, immutable$/);
});

t.test('a pass ends after an hour, or earlier when the access ends', async (t) => {
  const prepa = await prepaWithPictures();
  const learner = await createLearner(site);
  const enrolled = await createEnrolment(site, learner, prepa.prepa, 0.02);
  const address = await openPaid(prepa, learner.session);
  const first = await fetchPicture(address, learner.session);
  const end = Number(passOf(first)?.split('.')[0]);
  t.equal(end - clock.now().getTime(), 0.02 * dayMs, 'the pass ends with the access');
  const was = clock.now().getTime();
  t.teardown(() => clock.advance(was - clock.now().getTime()));
  clock.advance(0.02 * dayMs + 1);
  t.equal((await fetchPicture(address, `${learner.session}; images=${passOf(first)}`)).statusCode, 403, `enrolment ${enrolled} has ended`);
  const other = await enrolledIn(prepa);
  const pass = passOf(await fetchPicture(address, other.session));
  clock.advance(hourMs);
  t.ok(
    passOf(await fetchPicture(address, `${other.session}; images=${pass}`)),
    'after an hour the access is looked up, and a new pass is set',
  );
});

t.test("the trial's pictures are public until their address expires", async (t) => {
  const prepa = await prepaWithPictures();
  const address = shown((await visit(app, prepa.study.replace('/prepa/', '/prepa/consultation/'))).body);
  t.match(address, new RegExp(`^/media/libre/${prepa.free.src.split('/').at(-1)}\\?acces=\\d+\\.[\\w-]{22}$`));
  const sent = await statementsDuring(async () => {
    const answer = await fetchPicture(address, 'userToken=x');
    t.equal(answer.statusCode, 200);
    t.match(answer.headers['cache-control'], /^public, max-age=\d+, immutable$/);
    t.equal(answer.headers['set-cookie'], undefined);
  });
  t.same(sent, []);
  t.equal((await fetchPicture(prepa.free.src)).statusCode, 200, "the trial's picture is public under its stored address too");
  t.equal((await fetchPicture(prepa.free.src)).headers['cache-control'], 'private, no-cache');
  const was = clock.now().getTime();
  t.teardown(() => clock.advance(was - clock.now().getTime()));
  clock.advance(61 * dayMs);
  const ended = await fetchPicture(address);
  t.equal(ended.statusCode, 302);
  t.equal((await fetchPicture(String(ended.headers.location))).statusCode, 200);
});

t.test('unpublished, unused and missing pictures', async (t) => {
  const hidden = await prepaWithPictures(false);
  const learner = await enrolledIn(hidden);
  const stranger = await createLearner(site);
  for (const { src } of [hidden.free, hidden.paid]) {
    t.equal((await fetchPicture(src, learner.session)).statusCode, 200);
    t.equal((await fetchPicture(src, stranger.session)).statusCode, 404);
    t.equal((await visit(app, src)).statusCode, 404);
  }
  const { src } = (await upload(app, { method: 'POST', url: '/api/images', image: await picture('#ffeedd'), session: editor })).json();
  t.equal((await fetchPicture(src, editor)).statusCode, 200, 'the editor shows images of unsaved texts');
  t.equal((await fetchPicture(src, learner.session)).statusCode, 404);
  const nothing = '/media/content/00000000000000000000000000000000.webp';
  for (const session of [undefined, learner.session, editor]) t.equal((await fetchPicture(nothing, session)).statusCode, 404);
});

t.test('visitors without a valid address are limited by network, learners are not', async (t) => {
  const prepa = await prepaWithPictures();
  const learner = await enrolledIn(prepa);
  const from = async (remoteAddress: string, cookie?: string) =>
    (await app.inject({ url: prepa.paid.src, remoteAddress, headers: cookie ? { cookie } : {} })).statusCode;
  await Promise.all(Array.from({ length: 600 }, (_, index) => from(`2001:db8:7:7::${index.toString(16)}`)));
  t.equal(await from('2001:db8:7:7:1::1'), 429, 'another address of the same /64 network is limited');
  t.equal(await from('2001:db8:7:8::1'), 403, 'the next /64 network is not limited');
  t.equal(await from('2001:db8:7:7:1::1', learner.session), 200);
});

t.test('signed in as learner and administrator: administration pages show the pictures of the administrator', async (t) => {
  const prepa = await prepaWithPictures();
  const both = `${(await createLearner(site)).session}; ${editor}`;
  t.equal((await fetchPicture(prepa.paid.src, both, { referer: 'http://localhost/admin/contenus' })).statusCode, 200);
});
