import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { call, createTestApp } from '../../../../test/support/app.ts';
import { createDiscipline, createDocument, createEnrolment, createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { offlineCalls } from '../../../../test/support/offline-calls.ts';
import { sql } from '../../../../test/support/sql.ts';
import { dayMs } from '../../../shared/dates.ts';
import type { SizesAnswer, TextsAnswer } from '../../../shared/offline/offline-copy.ts';
import { wholeItems } from '../../../shared/offline/text-change.ts';
import { keepContentImage, referToImages } from '../../content/items/images/image.service.ts';

// The texts of a kept prepa. Tests the API calls and compares the tables' rows.

const home = await createTestApp(t);
const { app, clock, kernel, databaseUrl } = home;
const { course, keep, textsOf } = offlineCalls(home);
const query = <Row = Record<string, unknown>>(text: string, values?: unknown[]) => sql<Row>(databaseUrl, text, values);
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

t.test('the texts of a prepa equal those of the study page, are compressed and have an ETag', async (t) => {
  const { prepa, maths, physics, lesson, exercise, subject, learner, base } = await course();
  const empty = await createDiscipline(home, prepa.id);
  const document = await createDocument(home, exercise.id, { nom: 'Fiche' });
  const answer = await call(app, { url: `${base}/textes`, session: learner.session, headers: { 'accept-encoding': 'gzip, br' } });
  t.equal(answer.headers['content-encoding'], 'gzip');
  t.match(answer.headers['cache-control'], 'private, no-cache');
  const texts = JSON.parse(gunzipSync(answer.rawPayload).toString('utf8')) as TextsAnswer;
  t.match(texts, { format: 1, prepa: { id: prepa.id, nom: 'ENS' } });
  t.equal(answer.headers.etag, `W/"${texts.tag}"`);
  t.same(
    texts.disciplines.map(({ id, items }) => [id, items.map((item) => item.id)]),
    [
      [maths.id, [lesson.id, exercise.id]],
      [physics.id, [subject.id]],
      [empty.id, []],
    ],
  );
  const [first, second] = texts.items;
  t.match(first, { id: lesson.id, kind: 'course', titre: lesson.titre, corrige: null, pictures: [], documents: [] });
  t.equal(first?.contenu, '<p>Une leçon\u00a0: le texte.</p>', 'French punctuation has non-breaking spaces');
  t.match(second, { duree: 30, corrige: '<p>42</p>', documents: [{ id: document.id, nom: 'Fiche', url: document.url }] });

  const again = await call(app, {
    url: `${base}/textes`,
    session: learner.session,
    headers: { 'if-none-match': String(answer.headers.etag) },
  });
  t.equal(again.statusCode, 304);
  const some = await textsOf(base, learner.session, `?disciplines=${physics.id}`);
  t.same(
    some.items.map(({ id }) => id),
    [subject.id],
  );
  t.not(some.tag, texts.tag);
  t.equal((await call(app, { url: `${base}/textes?disciplines=a`, session: learner.session })).statusCode, 400);
});

t.test('differences: changed items, changed documents and deleted items', async (t) => {
  const { prepa, maths, lesson, exercise, subject, learner, base } = await course();
  const before = await textsOf(base, learner.session);
  const differences = async (held: TextsAnswer): Promise<TextsAnswer> => {
    const tenus = held.disciplines.flatMap(({ items }) => items.map(({ id, version }) => [id, version]));
    const answer = await call(app, {
      method: 'POST',
      url: `${base}/differences`,
      session: learner.session,
      payload: { disciplines: null, tenus },
    });
    return answer.json();
  };
  const changed = (held: TextsAnswer) => differences(held).then(({ items }) => items.map(({ id }) => id));
  t.same(await differences(before), { ...before, items: [] });
  await query(`update item set contenu = '<p>Autre texte.</p>', version = version + 1 where id = $1`, [lesson.id]);
  t.same(await changed(before), [lesson.id]);
  const after = await differences(before);
  t.not(after.tag, before.tag);
  const document = await createDocument(home, exercise.id);
  t.same(await changed(after), [exercise.id], 'an item with a new document counts as changed');
  await query('delete from item_document where id = $1', [document.id]);
  t.same(await changed(after), []);
  await query('delete from item where id = $1', [subject.id]);
  t.same((await differences(after)).disciplines[1]?.items, []);
  await query('delete from discipline where id = $1', [maths.id]);
  const left = await differences(after);
  t.same([left.items, left.disciplines.length], [[], 1]);
  t.equal(left.prepa.id, prepa.id);
});

t.test('only the changes of a held text are sent, if its version is stored', async (t) => {
  const { exercise, learner, base } = await course();
  const long = (word: string) => `<p>${'Un exercice assez long. '.repeat(20)}${word}</p>`;
  const save = async (version: number, contenu: string, corrige: string | null) => {
    await query('update item set contenu = $2, corrige = $3, version = $4 where id = $1', [exercise.id, contenu, corrige, version]);
    await query(
      `insert into item_version (item_id, version, titre, contenu, corrige, saved_at, saved_by) values ($1, $2, 'T', $3, $4, now(), 'x')`,
      [exercise.id, version, contenu, corrige],
    );
  };
  await save(2, long('Avant'), '<p>Le corrigé : 42.</p>');
  const differences = async (held: TextsAnswer): Promise<TextsAnswer> => {
    const tenus = held.disciplines.flatMap(({ items }) => items.map(({ id, version }) => [id, version]));
    const payload = { disciplines: null, tenus, changements: true };
    return (await call(app, { method: 'POST', url: `${base}/differences`, session: learner.session, payload })).json();
  };
  /** Applies a response to the held items, like a device. */
  const taken = (held: TextsAnswer, answer: TextsAnswer) => {
    const whole = wholeItems(answer, new Map(held.items.map((item) => [item.id, item])));
    return held.items.map((item) => whole.find(({ id }) => id === item.id) ?? item);
  };
  let held = await textsOf(base, learner.session);
  const saves = [
    [3, long('Après'), '<p>Le corrigé : 43.</p>'],
    [4, long('Encore : autre chose'), null],
    [5, long('Encore : autre chose'), '<p>Le corrigé est revenu.</p>'],
  ] as const;
  for (const [version, contenu, corrige] of saves) {
    await save(version, contenu, corrige);
    const answer = await differences(held);
    t.same([answer.items.length, answer.changes?.length], [0, 1]);
    t.ok(JSON.stringify(answer.changes).length < 500, 'short');
    const now = await textsOf(base, learner.session);
    t.same(taken(held, answer), now.items);
    held = now;
  }
  await createDocument(home, exercise.id);
  t.same((await differences(held)).items.length, 1, 'new document: the whole item');
  const withDocument = await textsOf(base, learner.session);
  await save(6, long('Avec un document'), null);
  const answer = await differences(withDocument);
  t.same([answer.items.length, taken(withDocument, answer)], [0, (await textsOf(base, learner.session)).items]);
  await query(`update item set contenu = '<p>Tout autre.</p>', version = 7 where id = $1`, [exercise.id]);
  t.same((await differences(withDocument)).items.length, 1, 'completely new text: the whole item');
  await query('delete from item_version where item_id = $1', [exercise.id]);
  t.same((await differences(withDocument)).items.length, 1, 'version no longer stored: the whole item');
});

t.test('only learners with access get texts; downloads per hour are limited', async (t) => {
  const { base, learner, prepa } = await course();
  const [stranger, ended] = [await createLearner(home), await createLearner(home)];
  await createEnrolment(home, ended, prepa, -1);
  const appareil = randomUUID();
  const calls = [
    { url: `${base}/tailles` },
    { url: `${base}/textes` },
    { url: `${base}/marques` },
    { method: 'POST' as const, url: `${base}/garder`, payload: { appareil, disciplines: null } },
    { method: 'POST' as const, url: `${base}/differences`, payload: { disciplines: null, tenus: [] } },
  ];
  for (const options of calls) {
    t.equal((await call(app, options)).statusCode, 401, options.url);
    for (const { session } of [stranger, ended]) t.equal((await call(app, { ...options, session })).statusCode, 403, options.url);
    t.equal((await call(app, { ...options, session: learner.session })).statusCode, 200, options.url);
  }
  const hidden = await createPrepa(home, { isPublished: false });
  t.equal((await call(app, { url: `/api/hors-ligne/prepas/${hidden.id}/textes`, session: stranger.session })).statusCode, 404);
  const codes = [];
  for (let index = 0; index < 29; index += 1) codes.push((await call(app, { url: `${base}/textes`, session: learner.session })).statusCode);
  t.same([codes.filter((code) => code === 200).length, codes.at(-1)], [28, 429], '28 downloads and the two above reach the limit of 30');
  t.equal((await call(app, { url: `${base}/tailles`, session: learner.session })).statusCode, 200);
});

t.test('sizes: each picture once, measured from its file; documents; shares of disciplines; devices', async (t) => {
  const { prepa, maths, physics, lesson, exercise, subject, learner, base } = await course();
  const picture = await keepContentImage(kernel.fork(), kernel.context, png);
  const name = picture.src.slice('/media/'.length);
  const html = `<p>Voir.</p><figure><img src="/media/${name}" alt=""></figure>`;
  for (const { id } of [lesson, exercise, subject]) {
    await query('update item set contenu = $2, version = version + 1 where id = $1', [id, html]);
    await kernel.fork().transactional((tx) => referToImages(tx, id, [name]));
  }
  // A picture of an earlier version, and one whose file is missing.
  const [gone, missing] = ['content/00000000000000000000000000000000.webp', 'content/11111111111111111111111111111111.webp'];
  for (const each of [gone, missing]) await query('insert into content_image (name, uploaded_at) values ($1, now())', [each]);
  await kernel.fork().transactional((tx) => referToImages(tx, lesson.id, [gone, missing]));
  await query('update item set corrige = $2 where id = $1', [lesson.id, `<p><img src="/media/${missing}"></p>`]);
  await query('update content_image set octets = null');
  const document = await createDocument(home, subject.id);
  const size = await kernel.context.files.size(name);
  const octets = Number((await query<{ octets: number }>('select octets from item_document where id = $1', [document.id]))[0]?.octets);

  const { appareil } = await keep({ base, session: learner.session });
  const sizes: SizesAnswer = (await call(app, { url: `${base}/tailles`, session: learner.session })).json();
  t.match(sizes, {
    prepa: { id: prepa.id, nom: 'ENS' },
    end: clock.now().getTime() + 10 * dayMs,
    images: { nombre: 1, octets: size },
    documents: { nombre: 1, octets },
    disciplines: [
      { id: maths.id, contenus: 2, images: size, documents: 0 },
      { id: physics.id, contenus: 1, images: size, documents: octets },
    ],
    appareils: [{ nom: 'Chrome, Android', depuis: clock.now().getTime(), vu: clock.now().getTime() }],
  });
  const answer = await call(app, { url: `${base}/textes`, session: learner.session, headers: { 'accept-encoding': 'gzip' } });
  const exact: SizesAnswer = (await call(app, { url: `${base}/tailles`, session: learner.session })).json();
  t.same({ ...exact, textes: 0, disciplines: [] }, { ...sizes, textes: 0, disciplines: [] }, 'only texts were estimated');
  const shares = exact.disciplines.reduce((total, { textes }) => total + textes, 0);
  t.equal(shares, exact.textes, 'the shares add up to the total');
  t.ok(answer.rawPayload.length - exact.textes < 500, 'the transferred size, except for the names of disciplines');
  t.same(await query('select octets from content_image where name = $1', [name]), [{ octets: size }], 'the size is now stored');
  const [first] = (await textsOf(base, learner.session)).items;
  t.same(first?.pictures, [{ name: name.slice('content/'.length), octets: size }]);
  t.match(first?.contenu, `/media/${name}"`);
  t.notMatch(JSON.stringify(sizes), appareil);
});
