import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { createTestApp } from '../../../test/support/app.ts';
import {
  createAdministrator,
  createDiscipline,
  createEnrolment,
  createItem,
  createLearner,
  createPrepa,
} from '../../../test/support/factories.ts';

const home = await createTestApp(t);
const { app } = home;
const learner = await createLearner(home);
const prepa = await createPrepa(home);
const discipline = await createDiscipline(home, prepa.id);
await createItem(home, discipline.id, { titre: 'Les tableaux', contenu: '<table><tbody><tr><td><p>Un</p></td></tr></tbody></table>' });
await createItem(home, discipline.id, { titre: 'Sans tableau', numeroPage: 2 });
await createEnrolment(home, learner, prepa);
const studyPage = `/user/prepa/${prepa.id}/${discipline.id}`;

/** Requests a page with these cookies and returns it with its links, inline style, policy and cookie. */
async function look(url: string, cookies: string[] = [], headers: Record<string, string> = {}) {
  const answer = await app.inject({ url, headers: { accept: 'text/html', cookie: cookies.join('; '), ...headers } });
  const html = answer.headers['content-encoding'] === 'gzip' ? gunzipSync(answer.rawPayload).toString() : answer.body;
  const [head = '', body = ''] = html.split('</head>');
  const links = (part: string) => [...part.matchAll(/<link rel="stylesheet" href="\/assets\/(\w+)-/g)].map(([, name]) => name);
  const css = /<style>([^<]*)<\/style>/.exec(head)?.[1] ?? null;
  const kept = answer.cookies.find(({ name }) => name === 'css');
  const policy = answer.headers['content-security-policy'] as string | undefined;
  return { answer, html, css, early: links(head), late: links(body), policy, kept, cookie: kept ? `${kept.name}=${kept.value}` : '' };
}

const sourceOf = (css: string | null) => `'sha256-${createHash('sha256').update(String(css)).digest('base64')}'`;

for (const [name, url, session] of [
  ['a page that is rendered', '/login', ''],
  ['a cached page', studyPage, learner.session],
] as const) {
  t.test(`${name}: inline rules and a late link on the first visit, then only the link`, async (t) => {
    const first = await look(url, [session]);
    t.match(first.css, /@layer tokens.*\.topbar\{/s);
    t.same([first.early, first.late], [[], ['main']]);
    t.match(first.policy, `style-src 'self' ${sourceOf(first.css)};`);
    t.ok(first.html.indexOf('<script') > first.html.indexOf('rel="stylesheet"'), 'scripts come after the sheet');
    t.match(first.kept, { path: '/', httpOnly: true, sameSite: 'Lax' });

    const second = await look(url, [session, first.cookie]);
    t.same([second.css, second.early, second.late, second.kept], [null, ['main'], [], undefined]);
    t.match(second.policy, "style-src 'self';");
    t.notMatch(first.html + second.html, /<!--(late-)?styles/);

    // Both variants have the same ETag, and a 304 leaves the stored policy unchanged.
    t.equal(second.answer.headers.etag, first.answer.headers.etag);
    const again = await look(url, [session, first.cookie], { 'if-none-match': String(first.answer.headers.etag) });
    t.match([again.answer.statusCode, again.policy], [304, undefined]);
  });
}

t.test('a page contains the rules that it needs and no others', async (t) => {
  const [trial, landing] = [await look(`/user/prepa/consultation/${prepa.id}/${discipline.id}`), await look('/')];
  t.match(trial.css, '.prose table');
  t.match(landing.css, '.hero{');
  t.notMatch(landing.css, /\.prose|\.study|\.columns|@font-face/);
  t.notMatch(trial.css, '.hero');
});

t.test('only pages with formulas preload the formula font', async (t) => {
  const formula = '<p>Soit <span class="formula" data-latex="x"><math><mi>x</mi></math></span>.</p>';
  const { id } = await createItem(home, discipline.id, { kind: 'exercise', titre: 'Une formule', contenu: formula });
  const corrected = await createItem(home, discipline.id, { kind: 'exercise', numeroPage: 2, corrige: formula });
  const { cookie: sheets } = await look(studyPage, [learner.session]);
  const fonts = async (url: string, cookies = [learner.session, sheets]) =>
    [...(await look(url, cookies)).html.matchAll(/<link rel="preload" href="[^"]+\.woff2" as="font"/g)].length;
  for (const item of [id, corrected.id]) {
    const url = `${studyPage}?type=exercise&item=${item}`;
    t.equal(await fonts(url, [learner.session]), 0, 'a first visit does not preload the font, which would move lines while they are read');
    t.equal(await fonts(url), 1, 'the next visit preloads the font');
  }
  for (const url of ['/', '/login', studyPage, `/user/prepa/consultation/${prepa.id}`, '/user/dashboard', '/user/preparations'])
    t.equal(await fonts(url), 0, url);
});

t.test('cached pages contain the rules for their text and for the personal part, compressed or not', async (t) => {
  const second = `${studyPage}?type=course&item=${(await look(studyPage, [learner.session])).html.match(/item=(\d+)"[^>]*>(?:(?!<\/a>).)*Sans tableau/)?.[1]}`;
  const [table, none] = [await look(studyPage, [learner.session]), await look(second, [learner.session])];
  t.match(table.css, '.prose table');
  t.match(none.css, '.menu__button');
  t.notMatch(none.css, '.prose table');
  const toast = Buffer.from(JSON.stringify([{ kind: 'success', message: 'Bonjour' }])).toString('base64url');
  t.match((await look(second, [learner.session, `flash=${toast}`])).css, '.toast--success');
  const packed = await look(studyPage, [learner.session], { 'accept-encoding': 'gzip' });
  t.equal(packed.answer.headers['content-encoding'], 'gzip');
  t.equal(packed.html, table.html);
});

t.test('a browser with one of two sheets gets both as late links, and then has both', async (t) => {
  const { cookie: main } = await look('/login');
  const first = await look('/user/dashboard', [learner.session, main]);
  t.same([first.early, first.late], [[], ['main', 'learner']]);
  t.match(first.css, /\.topbar\{.*\.columns/s);
  const second = await look('/user/dashboard', [learner.session, first.cookie]);
  t.same([second.css, second.early, second.late], [null, ['main', 'learner'], []]);
  t.same((await look('/login', [first.cookie])).early, ['main']);
  // A cookie that names sheets of another release is ignored.
  for (const foreign of ['css=abcd.efgh', 'css=', 'css=%00', `${main}x`]) t.same((await look('/login', [foreign])).late, ['main'], foreign);
});

t.test('error pages have inline rules too, and administration pages have links only', async (t) => {
  const form = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' };
  const refused = await app.inject({ method: 'POST', url: '/api/users/logout', headers: form });
  t.equal(refused.statusCode, 403);
  const css = /<style>([^<]*)<\/style>/.exec(refused.body)?.[1] ?? null;
  t.match(css, '.topbar{');
  t.match(refused.headers['content-security-policy'], sourceOf(css));
  const { session } = await createAdministrator(home);
  const screen = await look('/admin/dashboard', [session]);
  t.same([screen.css, screen.early, screen.late, screen.kept], [null, ['main', 'admin'], [], undefined]);
});
