import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { call, createTestApp, sameOrigin } from '../../../../test/support/app.ts';
import { createAdministrator, createDiscipline, createDocument } from '../../../../test/support/factories.ts';
import { until } from '../../../../test/support/journey.ts';
import { offlineCalls } from '../../../../test/support/offline-calls.ts';
import { sql } from '../../../../test/support/sql.ts';
import { encodeText } from '../../../platform/http/text-encoding.ts';
import type { SizesAnswer, TextsAnswer } from '../../../shared/offline/offline-copy.ts';

// Texts of a large prepa are compressed in pieces, which are stored and made again after a change.

const home = await createTestApp(t);
const { app, databaseUrl } = home;
const { course, textsOf } = offlineCalls(home);
const query = <Row = Record<string, unknown>>(text: string, values?: unknown[]) => sql<Row>(databaseUrl, text, values);

/** Creates a prepa with this number of lessons of about 7 KB in one discipline, like an import. */
async function largePrepa(lessons: number) {
  const made = await course();
  const discipline = await createDiscipline(home, made.prepa.id);
  // The order of words differs in each paragraph, so that no two lessons are equal.
  await query(
    `insert into item (discipline_id, kind, titre, numero_page, contenu, created_at, updated_at)
     select $1, 'course', 'Leçon ' || n, n,
            (select string_agg('<p>' || (select string_agg(w, ' ' order by md5(w || n || p)) from unnest($3::text[]) w) || ' : ' || n * p || ' ; fin !</p>', '' order by p)
             from generate_series(1, 16) p), now(), now()
     from generate_series(1, $2) n`,
    [discipline.id, lessons, words],
  );
  return { ...made, discipline };
}

const words =
  `candidat épreuve concours fonction limite suite matrice vecteur énergie travail puissance tension courant réaction équilibre acide base loi décret
  article constitution fleuve plateau climat population commerce monnaie budget impôt contrat preuve juge appel recours ministre préfet commune région école
  langue phrase verbe sujet accord thèse plan exemple conclusion méthode mesure erreur unité`.split(/\s+/);

const sizesOf = async (base: string, session: string): Promise<SizesAnswer> =>
  (await call(app, { url: `${base}/tailles`, session })).json();
const took = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

t.test('sizes and texts of a newly imported prepa take much less time than Brotli at its best', async (t) => {
  const { base, learner, discipline } = await largePrepa(240);
  const sizes = await took(() => sizesOf(base, learner.session));
  let texts: TextsAnswer | undefined;
  const wholes: number[] = [];
  // A busy machine may delay a download, so the fastest of three imports counts.
  for (let imports = 0; imports < 3; imports += 1) {
    await query('update item set version = version + 1 where discipline_id = $1', [discipline.id]);
    wholes.push(
      await took(async () => {
        texts = await textsOf(base, learner.session);
      }),
    );
  }
  const whole = Math.min(...wholes);
  t.equal(texts?.items.length, 243);
  const best = await took(() => encodeText(JSON.stringify(texts), 'br'));
  t.ok(sizes < best / 8, `sizes took ${(sizes / best).toFixed(2)} of the time of Brotli at its best`);
  t.ok(whole < best / 2, `texts took ${(whole / best).toFixed(2)} of that time`);
});

t.test('a save makes the piece of its item again before a request; other pieces stay', async (t) => {
  const { base, learner, discipline } = await largePrepa(80);
  const before = await textsOf(base, learner.session);
  const fingerprints = async () =>
    (await query<{ fingerprint: string }>('select fingerprint from offline_piece where discipline_id = $1', [discipline.id])).map(
      (row) => row.fingerprint,
    );
  const kept = await fingerprints();
  const [, second] = before.items.filter(({ titre }) => titre.startsWith('Leçon'));
  const { session } = await createAdministrator(home);
  const saved = await call(app, {
    method: 'PUT',
    url: `/api/lecons/${second?.id}`,
    session,
    payload: { titre: 'Leçon remaniée', contenu: '<p>Un texte : le nouveau.</p>' },
  });
  t.equal(saved.statusCode, 200);
  // The outdated piece is deleted after the new one is stored.
  await until(async () => {
    const found = await fingerprints();
    return found.length === kept.length && found.some((fingerprint) => !kept.includes(fingerprint));
  });
  const now = await fingerprints();
  t.equal(now.filter((fingerprint) => kept.includes(fingerprint)).length, kept.length - 1);
  const after = await textsOf(base, learner.session);
  t.same(await fingerprints(), now, 'the download makes no further piece');
  t.match(
    after.items.find(({ id }) => id === second?.id),
    { titre: 'Leçon remaniée', contenu: '<p>Un texte\u00a0: le nouveau.</p>', version: 2 },
  );
  const others = ({ items }: TextsAnswer) => items.filter(({ id }) => id !== second?.id);
  t.same(others(after), others(before));
});

t.test('every change of an item changes the texts: a rendering without a new version, a document, a position, a deletion', async (t) => {
  const { base, learner, discipline } = await largePrepa(20);
  const items = async () => (await textsOf(base, learner.session)).items.filter(({ titre }) => titre.startsWith('Leçon'));
  const [first, second, third] = await items();
  if (!first || !second || !third) throw new Error('no lessons');
  await query(`update item set contenu = '<p>Dessiné : autrement.</p>' where id = $1`, [first.id]);
  t.match((await items())[0], { contenu: '<p>Dessiné\u00a0: autrement.</p>', version: first.version });
  const document = await createDocument(home, first.id, { nom: 'Fiche' });
  t.match((await items())[0]?.documents, [{ id: document.id, nom: 'Fiche' }]);
  await query(`update item_document set nom = 'Autre fiche' where id = $1`, [document.id]);
  t.match((await items())[0]?.documents, [{ id: document.id, nom: 'Autre fiche' }]);
  await query('update item set numero_page = 1000 where id = $1', [second.id]);
  t.equal((await items()).at(-1)?.id, second.id);
  await query('delete from item where id = $1', [third.id]);
  t.notOk((await items()).some(({ id }) => id === third.id));
  await query('delete from discipline where id = $1', [discipline.id]);
  t.same(await items(), []);
  t.same(await query('select fingerprint from offline_piece where discipline_id = $1', [discipline.id]), []);
});

t.test('concurrent downloads get the same texts, as one gzip stream or as plain JSON', async (t) => {
  const { base, learner } = await largePrepa(40);
  const url = `${base}/textes`;
  const [zipped, plain] = await Promise.all([
    call(app, { url, session: learner.session, headers: { 'accept-encoding': 'gzip, br' } }),
    call(app, { url, session: learner.session, headers: { 'accept-encoding': 'identity' } }),
  ]);
  t.same([zipped.headers['content-encoding'], plain.headers['content-encoding']], ['gzip', undefined]);
  t.same(JSON.parse(gunzipSync(zipped.rawPayload).toString()), plain.json());
  t.equal((await sizesOf(base, learner.session)).disciplines.at(-1)?.contenus, 40);
});

t.test('a difference of many items returns them all, in the order of the contents list', async (t) => {
  const { base, learner } = await largePrepa(100);
  const whole = await textsOf(base, learner.session);
  const held = whole.items.slice(0, 5).map(({ id, version }) => [id, version]);
  const payload = { disciplines: null, tenus: held, changements: true };
  const answer: TextsAnswer = (await call(app, { method: 'POST', url: `${base}/differences`, session: learner.session, payload })).json();
  t.same(answer.disciplines, whole.disciplines);
  const came = new Map(answer.items.map((item) => [item.id, item]));
  for (const item of whole.items.slice(5)) t.same(came.get(item.id), item);
});

t.test('no more pieces are made after the client has disconnected', async (t) => {
  const lessons = 320;
  const { base, learner, discipline } = await largePrepa(lessons);
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  const madeOf = async () =>
    (await query<{ pieces: number }>('select count(*)::int as pieces from offline_piece where discipline_id = $1', [discipline.id]))[0]
      ?.pieces ?? 0;
  for (const [path, body] of [
    ['textes', null],
    ['differences', JSON.stringify({ disciplines: null, tenus: [[1, 1]] })],
  ] as const) {
    const other = await largePrepa(lessons / 2);
    await query('delete from offline_piece where discipline_id = $1', [discipline.id]);
    const asking = request(`${origin}${base}/${path}`, {
      method: body === null ? 'GET' : 'POST',
      headers: {
        ...sameOrigin,
        cookie: learner.session,
        accept: 'application/json',
        ...(body !== null && { 'content-type': 'application/json' }),
      },
    });
    asking.on('error', () => undefined);
    asking.end(body ?? undefined);
    await until(async () => (await madeOf()) > 0);
    asking.destroy();
    // Pieces of both prepas take turns: without the abort, the first prepa would get as many meanwhile.
    await textsOf(other.base, other.learner.session);
    const made = await madeOf();
    t.ok(made < lessons / 32, `${path}: ${made} pieces`);
  }
});
