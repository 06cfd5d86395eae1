import { parseHTML } from 'linkedom';
import t from 'tap';
import { call, createTestApp, squeeze, visit } from '../../../../test/support/app.ts';
import { createAdministrator, createLearner } from '../../../../test/support/factories.ts';
import { assertValidHtml } from '../../../../test/support/page-checks.ts';
import { sql } from '../../../../test/support/sql.ts';
import { planOf, rowsRead, statementsDuring } from '../../../../test/support/statements.ts';

// A site with many prepas: each prepa can be found, and a page reads only its own rows.

const count = 250;
/** Names with wildcard characters, by the search text that must find them. */
const strange = { tarif_a: 'Concours tarif_a', 'a\\b': 'Concours a\\b' };
const home = await createTestApp(t);
const { app, databaseUrl } = home;
const [learner, administrator] = [await createLearner(home), await createAdministrator(home)];
await sql(
  databaseUrl,
  `insert into prepa (nom, description, prix, is_published, created_at, updated_at)
   select 'Concours ' || n || '.', case when n % 25 = 0 then 'Œuvres au programme' else 'Cours et sujets' end, 5000, true, now(), now() from generate_series(1, ${count}) n`,
);
await sql(
  databaseUrl,
  `insert into discipline (prepa_id, nom, description, created_at, updated_at) select id, 'D' || n, 'x', now(), now() from prepa, generate_series(1, 2) n order by id, n`,
);
for (const [index, nom] of Object.values(strange).entries())
  await sql(databaseUrl, 'update prepa set nom = $1 where nom = $2', [nom, `Concours ${201 + index}.`]);
await sql(databaseUrl, 'vacuum analyze prepa, discipline');

async function titles(url: string, session = learner.session) {
  const { body, statusCode } = await visit(app, url, session);
  t.equal(statusCode, 200, url);
  await assertValidHtml(t, body, url);
  const { document } = parseHTML(body);
  const texts = (selector: string) => [...document.querySelectorAll(selector)].map(({ textContent }) => squeeze(textContent));
  return {
    names: texts('.catalogue li.card .card__title'),
    found: texts('[data-found]')[0],
    pages: texts('.pagination .wide-only li'),
    document,
  };
}

t.test('the last prepa is on the last page and in the search', async (t) => {
  const last = `Concours ${count}.`;
  for (const [path, size] of [
    ['/user/dashboard', 10],
    ['/user/preparations', 30],
  ] as const) {
    const pages = Math.ceil(count / size);
    const first = await titles(path);
    t.equal(first.names.length, size);
    t.equal(first.pages.at(-1), String(pages));
    t.ok(first.pages.length <= 12, 'at most 12 pages have a link');
    const end = await titles(`${path}?page=${pages}`);
    t.same(end.names.at(-1), last);
    t.same((await titles(`${path}?page=999`)).names, end.names, 'a number beyond the last page shows the last page');
    t.same((await titles(`${path}?q=${encodeURIComponent(last)}`)).names, [last]);
    const works = await titles(`${path}?q=oeuvres`);
    t.same([works.names.length, works.found], [10, '10 préparations trouvées'], 'ligatures and capitals are ignored');
    t.same((await titles(`${path}?q=${encodeURIComponent('%')}`)).names, [], '% is matched literally');
    for (const [typed, nom] of Object.entries(strange))
      t.same((await titles(`${path}?q=${encodeURIComponent(typed)}`)).names, [nom], typed);
  }
  const listed = new Set<string>();
  for (let page = 1; page <= count / 10; page += 1)
    for (const name of (await titles(`/user/dashboard?page=${page}`)).names) listed.add(name);
  t.equal(listed.size, count, 'each prepa is on one page');
  const middle = await titles('/user/dashboard?page=12');
  t.same(middle.pages, ['1', '…', '10', '11', '12', '13', '14', '…', '25']);
});

t.test('a prepa of another page can be paid for and renewed from the dashboard', async (t) => {
  const [{ id } = { id: 0 }] = await sql<{ id: number }>(databaseUrl, 'select max(id) as id from prepa');
  const asked = await visit(app, `/user/dashboard?paiement=${id}`, learner.session);
  t.notMatch(asked.body, "Cette préparation n'est plus proposée.");
  t.match(asked.body, `Concours ${count}.`);
  await sql(
    databaseUrl,
    `insert into enrolment (user_id, prepa_id, prepa_nom, statut, date_inscription, date_expiration) values ($1, $2, 'x', 'expired', now(), now() - interval '1 day')`,
    [learner.id, id],
  );
  t.match((await visit(app, '/user/dashboard', learner.session)).body, new RegExp(`data-prepa-id="${id}"|paiement=${id}`));
});

t.test('a page reads only its own prepas', async (t) => {
  // The first request of a session records its use with an additional statement. This page does it before the measured pages.
  await visit(app, '/admin/dashboard', administrator.session);
  // Changing the prepas drops the cached catalogue.
  await sql(databaseUrl, 'update prepa set prix = prix + 1');
  for (const [url, session, most] of [
    ['/user/dashboard?page=9', learner.session, 700],
    ['/admin/dashboard', administrator.session, 120],
  ] as const) {
    const sent = await statementsDuring(() => visit(app, url, session));
    t.ok(sent.length <= 4, `${url}: ${sent.length} statements`);
    const list = sent.find(({ text }) => text.includes('from prepa '));
    const read = rowsRead(await planOf(databaseUrl, list, { run: true }), 'prepa');
    t.ok(read <= most, `${url}: ${read} rows`);
  }
  const again = await statementsDuring(() => visit(app, '/user/dashboard?page=9', learner.session));
  t.notOk(
    again.some(({ text }) => text.includes('from prepa ')),
    'a cached page reads no prepa',
  );
});

t.test('lists of the API are paged arrays, with a link to the next page', async (t) => {
  for (const [path, session, rows] of [
    ['/api/prepas/published', undefined, count],
    ['/api/disciplines', undefined, 2 * count],
    ['/api/disciplines', administrator.session, 2 * count],
    ['/api/prepas', administrator.session, count],
  ] as const) {
    const ids: number[] = [];
    let url: string | undefined = path;
    for (let page = 0; url && page < 10; page += 1) {
      const answer = await call(app, { url, ...(session ? { session } : {}) });
      t.equal(answer.statusCode, 200, url);
      const found = answer.json() as { id: number }[];
      t.ok(found.length <= 100);
      ids.push(...found.map(({ id }) => id));
      url = /^<([^>]+)>; rel="next"$/.exec(String(answer.headers.link ?? ''))?.[1];
    }
    t.equal(ids.length, rows, path);
    t.equal(new Set(ids).size, rows, 'each row is listed once');
  }
  const searched = await call(app, { url: '/api/prepas?q=concours&limite=3', session: administrator.session });
  t.match(
    searched.headers.link,
    /^<\/api\/prepas\?apres=\d+&q=concours&limite=3>; rel="next"$/,
    'the link to the next page has the same search',
  );
  const own = await call(app, { url: '/disciplines?limite=3' });
  t.equal(own.json().length, 3);
  t.match(own.headers.link, /^<\/disciplines\?apres=\d+&limite=3>; rel="next"$/);
  for (const wrong of ['apres=x', 'limite=0', 'limite=9999', 'apres=-1&apres=2']) {
    const answer = await call(app, { url: `/api/disciplines?${wrong}` });
    t.same([answer.statusCode, answer.json().length], [200, 100], wrong);
  }
});

t.test('administrators turn pages, search, and open a prepa of any page', async (t) => {
  const screen = async (url: string) => {
    const { document } = await titles(url, administrator.session);
    const props = JSON.parse(document.querySelector('[data-island="admin-catalogue"]')?.getAttribute('data-props') ?? '{}');
    const names = (props.prepas as { nom: string }[]).map(({ nom }) => nom);
    return { names, props, next: document.querySelector('a[rel="next"]')?.getAttribute('href') ?? null };
  };
  const seen: string[] = [];
  let url: string | null = '/admin/dashboard';
  for (let page = 0; url && page < 10; page += 1) {
    const shown: Awaited<ReturnType<typeof screen>> = await screen(url);
    t.ok(shown.names.length <= 50);
    seen.push(...shown.names);
    url = shown.next;
  }
  t.equal(new Set(seen).size, count);
  t.same((await screen(`/admin/dashboard?q=${encodeURIComponent(`concours ${count}`)}`)).names, [`Concours ${count}.`]);
  const [{ id } = { id: 0 }] = await sql<{ id: number }>(databaseUrl, 'select max(id) as id from prepa');
  const opened = await screen(`/admin/dashboard?prepa=${id}`);
  t.same([opened.props.selected, opened.names[0], opened.names.length], [id, `Concours ${count}.`, 51]);
});

t.test('the sitemap lists every published prepa', async (t) => {
  const { body } = await visit(app, '/sitemap.xml');
  t.equal(body.split('/user/prepa/consultation/').length - 1, count);
});
