import { createPublicKey, randomUUID, verify } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { call, createTestApp, openCommands, submit, visit } from '../../../../test/support/app.ts';
import {
  createDiscipline,
  createDocument,
  createEnrolment,
  createItem,
  createLearner,
  createPrepa,
  type TestLearner,
} from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';
import { prune } from '../../../platform/pruning/pruning.ts';
import { dayMs } from '../../../shared/dates.ts';
import type { ContactAnswer, EndOfCopy, KeptMark, SignedEnd, SizesAnswer, TextsAnswer } from '../../../shared/offline/offline-copy.ts';
import { wholeItems } from '../../../shared/offline/text-change.ts';
import { keepContentImage, referToImages } from '../items/images/image.service.ts';

// What devices that keep a prepa ask of the server: through its calls, and compared with what the tables hold.

const home = await createTestApp(t);
const { app, databaseUrl, clock, kernel } = home;
const query = <Row = Record<string, unknown>>(text: string, values?: unknown[]) => sql<Row>(databaseUrl, text, values);

const chrome = 'Mozilla/5.0 (Linux; Android 14) Chrome/149.0';
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

async function course() {
  const prepa = await createPrepa(home, { nom: 'ENS' });
  const [maths, physics] = [await createDiscipline(home, prepa.id), await createDiscipline(home, prepa.id)];
  const lesson = await createItem(home, maths.id, { contenu: '<p>Une leçon : le texte.</p>' });
  const exercise = await createItem(home, maths.id, { kind: 'exercise', contenu: '<p>Calculer.</p>', corrige: '<p>42</p>', duree: 30 });
  const subject = await createItem(home, physics.id, { kind: 'pastExam', corrige: '<p>Oui.</p>' });
  const learner = await createLearner(home);
  await createEnrolment(home, learner, prepa, 10);
  return { prepa, maths, physics, lesson, exercise, subject, learner, base: `/api/hors-ligne/prepas/${prepa.id}` };
}

const keep = async (
  { base, session }: { base: string; session: string },
  appareil: string = randomUUID(),
  disciplines: number[] | null = null,
  nom?: string,
) => {
  const answer = await call(app, {
    method: 'POST',
    url: `${base}/garder`,
    session,
    payload: { appareil, disciplines, ...(nom && { nom }) },
    headers: { 'user-agent': chrome },
  });
  return { appareil, status: answer.statusCode, json: answer.json() };
};

async function contact(
  appareil: string,
  prepas: { id: number; disciplines?: number[] | null }[],
  session?: string,
): Promise<ContactAnswer> {
  const answer = await call(app, {
    method: 'POST',
    url: '/api/hors-ligne/contact',
    ...(session && { session }),
    payload: { appareil, prepas },
  });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return answer.json();
}

const stateOf = async (appareil: string, prepa: { id: number }, session?: string) => {
  const { prepas } = await contact(appareil, [{ id: prepa.id, disciplines: null }], session);
  const [{ state, reason } = { state: '?', reason: '?' }] = prepas;
  return reason === null ? state : `${state}: ${reason}`;
};

const textsOf = async (base: string, session: string, some = ''): Promise<TextsAnswer> =>
  (await call(app, { url: `${base}/textes${some}`, session })).json();

function read({ said, signature }: EndOfCopy, jwk: object): SignedEnd {
  const key = createPublicKey({ key: jwk as never, format: 'jwk' });
  const isOurs = verify('sha256', Buffer.from(said), { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
  if (!isOurs) throw new Error('not signed by the site');
  return JSON.parse(said);
}

t.test('the texts of a prepa, as the study page writes them, compressed once and tagged', async (t) => {
  const { prepa, maths, physics, lesson, exercise, subject, learner, base } = await course();
  const empty = await createDiscipline(home, prepa.id);
  const document = await createDocument(home, exercise.id, { nom: 'Fiche' });
  const answer = await call(app, { url: `${base}/textes`, session: learner.session, headers: { 'accept-encoding': 'gzip, br' } });
  t.equal(answer.headers['content-encoding'], 'br');
  t.match(answer.headers['cache-control'], 'private, no-cache');
  const texts = JSON.parse(brotliDecompressSync(answer.rawPayload).toString('utf8')) as TextsAnswer;
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
  t.equal(first?.contenu, '<p>Une leçon\u00a0: le texte.</p>', 'with the spaces of French');
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

t.test('differences: what has changed, a document too, and what is gone', async (t) => {
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
  t.same(await changed(after), [exercise.id], 'an item comes again with another document');
  await query('delete from item_document where id = $1', [document.id]);
  t.same(await changed(after), []);
  await query('delete from item where id = $1', [subject.id]);
  t.same((await differences(after)).disciplines[1]?.items, []);
  await query('delete from discipline where id = $1', [maths.id]);
  const left = await differences(after);
  t.same([left.items, left.disciplines.length], [[], 1]);
  t.equal(left.prepa.id, prepa.id);
});

t.test('of a text that the device holds what has changed, where that is known', async (t) => {
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
  /** As a device does it. */
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
  t.same((await differences(held)).items.length, 1, 'another document: the whole item');
  const withDocument = await textsOf(base, learner.session);
  await save(6, long('Avec un document'), null);
  const answer = await differences(withDocument);
  t.same([answer.items.length, taken(withDocument, answer)], [0, (await textsOf(base, learner.session)).items]);
  await query(`update item set contenu = '<p>Tout autre.</p>', version = 7 where id = $1`, [exercise.id]);
  t.same((await differences(withDocument)).items.length, 1, 'another text: the whole item');
  await query('delete from item_version where item_id = $1', [exercise.id]);
  t.same((await differences(withDocument)).items.length, 1, 'a version that is not kept any more: the whole item');
});

t.test('only what may be read now; each learner may fetch so many in an hour, and what is kept counts elsewhere', async (t) => {
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
  t.same([codes.filter((code) => code === 200).length, codes.at(-1)], [28, 429], 'with the two before: 30');
  t.equal((await call(app, { url: `${base}/tailles`, session: learner.session })).statusCode, 200);
});

t.test('sizes: pictures each once and by their files, documents, shares of disciplines, devices', async (t) => {
  const { prepa, maths, physics, lesson, exercise, subject, learner, base } = await course();
  const picture = await keepContentImage(kernel.fork(), kernel.context, png);
  const name = picture.src.slice('/media/'.length);
  const html = `<p>Voir.</p><figure><img src="/media/${name}" alt=""></figure>`;
  for (const { id } of [lesson, exercise, subject]) {
    await query('update item set contenu = $2, version = version + 1 where id = $1', [id, html]);
    await kernel.fork().transactional((tx) => referToImages(tx, id, [name]));
  }
  // One that an earlier version has shown, and one that is missing.
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
    appareils: [{ nom: 'Chrome, Android', depuis: clock.now().getTime() }],
  });
  const answer = await call(app, { url: `${base}/textes`, session: learner.session, headers: { 'accept-encoding': 'br' } });
  t.equal(sizes.textes, answer.rawPayload.length, 'as they travel');
  const shares = sizes.disciplines.reduce((total, { textes }) => total + textes, 0);
  t.ok(Math.abs(shares - sizes.textes) <= sizes.disciplines.length, 'the shares are the whole');
  t.same(await query('select octets from content_image where name = $1', [name]), [{ octets: size }], 'known from now on');
  const [first] = (await textsOf(base, learner.session)).items;
  t.same(first?.pictures, [{ name: name.slice('content/'.length), octets: size }]);
  t.match(first?.contenu, `/media/${name}"`);
  t.notMatch(JSON.stringify(sizes), appareil);
});

t.test('a kept copy has an end that the site has signed, renewed at each contact', async (t) => {
  const { prepa, learner, base } = await course();
  const { appareil, json } = await keep({ base, session: learner.session });
  const end = clock.now().getTime() + 10 * dayMs;
  const said = read(json.end, json.publicKey);
  t.same(said, { learner: json.learner, device: json.device, prepa: prepa.id, end: end - 1, signedAt: clock.now().getTime() });
  t.notMatch(json.learner, learner.id);
  t.throws(() => read({ ...json.end, said: json.end.said.replace(String(end - 1), String(end + dayMs)) }, json.publicKey));
  t.same(Object.keys(json.publicKey).sort(), ['crv', 'kty', 'x', 'y'], 'nothing of the private key');

  await query(`update enrolment set date_expiration = date_expiration + interval '30 days' where user_id = $1`, [learner.id]);
  const answer = await contact(appareil, [{ id: prepa.id }], learner.session);
  const [kept] = answer.prepas;
  t.match(answer, { now: clock.now().getTime(), learner: json.learner });
  t.match(kept, { state: 'keep', reason: null, tag: (await textsOf(base, learner.session)).tag });
  t.equal(kept?.end && read(kept.end, json.publicKey).end, end - 1 + 30 * dayMs);
  t.same(await query('select secret from offline_device where secret = $1', [appareil]), [], 'the secret is stored hashed alone');
  const other = await createLearner(home);
  await createEnrolment(home, other, prepa);
  t.not((await keep({ base, session: other.session })).json.learner, json.learner);
});

t.test('three devices at a time, ten that ask at once; the message names them', async (t) => {
  const { learner, base, maths } = await course();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => keep({ base, session: learner.session }, randomUUID(), null, `Appareil ${index}`)),
  );
  const kept = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 409);
  t.same([kept.length, refused.length], [3, 7]);
  const rows = await query<{ nom: string }>(
    'select nom from offline_copy join offline_device on id = device_id where user_id = $1 order by nom',
    [learner.id],
  );
  t.equal(rows.length, 3);
  for (const { nom } of rows) t.match(refused[0]?.json.message, nom);
  t.match(refused[0]?.json.message, /^Cette préparation est déjà gardée sur 3 appareils : .* et Appareil \d \(depuis le /);
  const [one] = kept;
  if (!one) return;
  t.equal((await keep({ base, session: learner.session }, one.appareil, [maths.id])).status, 200, 'another choice on one of them');
  t.same(await query('select disciplines from offline_copy where device_id = $1', [one.json.device]), [{ disciplines: [maths.id] }]);
  const removal = { method: 'POST' as const, url: `${base}/retirer`, payload: { appareil: one.appareil } };
  t.equal((await call(app, removal)).statusCode, 204, 'whoever holds its secret');
  t.equal((await call(app, removal)).statusCode, 204);
  t.equal((await keep({ base, session: learner.session }, refused[0]?.appareil)).status, 200);
  t.equal((await keep({ base, session: learner.session }, 'pas un uuid')).status, 400);
  t.equal((await keep({ base, session: learner.session }, randomUUID(), [2_000_000_000])).status, 404);
});

async function keeping(t: Test) {
  const made = await course();
  const { appareil, json } = await keep({ base: made.base, session: made.learner.session });
  t.equal(await stateOf(appareil, made.prepa, made.learner.session), 'keep');
  return { ...made, appareil, device: json.device as number };
}

/** Another session of the same learner, on another device. */
async function anotherSession({ id }: TestLearner): Promise<string> {
  const token = randomUUID();
  await query(
    `insert into session (id, user_id, expires_at, created_at) values (encode(sha256(convert_to($1, 'UTF8')), 'hex'), $2, $3, $4)`,
    [token, id, new Date(clock.now().getTime() + 30 * dayMs), clock.now()],
  );
  return `userToken=${token}`;
}

t.test('contact: what ends a copy, with a session and without', async (t) => {
  const one = await keeping(t);
  t.equal(await stateOf(one.appareil, one.prepa), 'sign-in', 'without a session, until its end');
  t.equal(await stateOf(randomUUID(), one.prepa, one.learner.session), 'remove: device-removed', 'a device that nobody knows');
  t.equal(await stateOf(one.appareil, { id: 2_000_000_000 }, one.learner.session), 'remove: prepa-gone');
  t.equal(await stateOf(one.appareil, await createPrepa(home), one.learner.session), 'remove: device-removed', 'one that it does not keep');
  t.equal(await stateOf(one.appareil, one.prepa, (await createLearner(home)).session), 'remove: other-account');
  await query('update enrolment set date_expiration = $2 where user_id = $1', [one.learner.id, clock.now()]);
  t.equal(await stateOf(one.appareil, one.prepa, one.learner.session), 'remove: ended');
  t.equal(await stateOf(one.appareil, one.prepa), 'remove: ended');
  await query(`update enrolment set date_expiration = date_expiration + interval '1 day', statut = 'cancelled' where user_id = $1`, [
    one.learner.id,
  ]);
  t.equal(await stateOf(one.appareil, one.prepa, one.learner.session), 'remove: ended', 'taken back');

  const two = await keeping(t);
  await query('delete from discipline where id = $1', [two.maths.id]);
  const chosen = await contact(two.appareil, [{ id: two.prepa.id, disciplines: [two.maths.id] }], two.learner.session);
  t.match(chosen.prepas, [{ state: 'remove', reason: 'prepa-gone', end: null, tag: null }]);
  t.equal(await stateOf(two.appareil, two.prepa, two.learner.session), 'keep', 'the others are there');
  await query('update enrolment set prepa_id = null where prepa_id = $1', [two.prepa.id]);
  await query('delete from prepa where id = $1', [two.prepa.id]);
  t.equal(await stateOf(two.appareil, two.prepa, two.learner.session), 'remove: prepa-gone');
  t.equal(await stateOf(two.appareil, two.prepa), 'remove: prepa-gone');
});

t.test('contact: how its session ended', async (t) => {
  const elsewhere = await keeping(t);
  const other = await anotherSession(elsewhere.learner);
  t.equal((await call(app, { method: 'DELETE', url: '/api/users/sessions', session: other })).statusCode, 200);
  t.equal(await stateOf(elsewhere.appareil, elsewhere.prepa, elsewhere.learner.session), 'remove: session-ended');
  t.equal(await stateOf(elsewhere.appareil, elsewhere.prepa), 'remove: session-ended');
  // The session's row goes a week later; what is known of the device stays.
  await query('delete from session where user_id = $1 and ended is not null', [elsewhere.learner.id]);
  t.equal(await stateOf(elsewhere.appareil, elsewhere.prepa), 'remove: session-ended');
  t.equal((await keep(elsewhere.learner && { base: elsewhere.base, session: other })).status, 200, 'and its place is free');
  t.equal(await stateOf(elsewhere.appareil, elsewhere.prepa, other), 'keep', 'signed in again on it before that, the learner keeps it');
  t.equal(await stateOf(elsewhere.appareil, elsewhere.prepa), 'sign-in');

  const expired = await keeping(t);
  await query('update session set expires_at = $2 where user_id = $1', [expired.learner.id, clock.now()]);
  t.equal(await stateOf(expired.appareil, expired.prepa, expired.learner.session), 'sign-in', 'a session that ends by itself');
  await query('update app_user set blocked_at = now() where id = $1', [expired.learner.id]);
  t.equal(await stateOf(expired.appareil, expired.prepa), 'remove: session-ended', 'blocked after that');

  const signedOut = await keeping(t);
  t.equal((await call(app, { method: 'POST', url: '/api/users/logout', session: signedOut.learner.session })).statusCode, 200);
  t.same(await query('select from offline_copy where device_id = $1', [signedOut.device]), []);
  t.equal(await stateOf(signedOut.appareil, signedOut.prepa), 'remove: session-ended');
});

t.test('an ended device that comes back finds its place taken', async (t) => {
  const { appareil, base, learner, prepa, device } = await keeping(t);
  await query(`update offline_device set ended = 'devices' where id = $1`, [device]);
  for (let index = 0; index < 3; index += 1) t.equal((await keep({ base, session: learner.session })).status, 200);
  t.equal(await stateOf(appareil, prepa, learner.session), 'remove: device-removed');
  t.equal((await query('select from offline_copy where prepa_id = $1', [prepa.id])).length, 3);
});

t.test('after 90 days keys are forgotten, and devices that keep nothing that is paid for', async (t) => {
  const commands = await openCommands(t, home);
  const run = () =>
    prune(commands.fork(), commands.context, commands.prunings, { retention: commands.config.retention }).then(
      ({ offline_entries, offline_devices }) => [offline_entries, offline_devices],
    );
  await query('delete from offline_device');
  await query('delete from offline_entry');
  const [paid, ended, recent] = [await keeping(t), await keeping(t), await keeping(t)];
  const ago = (days: number) => new Date(clock.now().getTime() - days * dayMs);
  await query('update offline_device set seen_at = $1 where id <> $2', [ago(91), recent.device]);
  await query('update enrolment set date_expiration = $1 where user_id = any($2)', [ago(1), [ended.learner.id, recent.learner.id]]);
  for (const days of [89, 91])
    await query(`insert into offline_entry (user_id, cle, item_id, type, at, taken_at) values ($1, $2, $3, 'lu', $4, $4)`, [
      paid.learner.id,
      randomUUID(),
      paid.lesson.id,
      ago(days),
    ]);
  t.same(await run(), [1, 0], 'until 90 days after the end of what it keeps');
  await query('update enrolment set date_expiration = $1 where user_id = any($2)', [ago(91), [ended.learner.id, recent.learner.id]]);
  t.same(await run(), [0, 1]);
  t.same(
    (await query<{ id: number }>('select id from offline_device order by id')).map(({ id }) => id),
    [paid.device, recent.device],
  );
});

t.test('another account on the same device takes it over', async (t) => {
  const { appareil, base, learner, prepa, device } = await keeping(t);
  const next = await createLearner(home);
  await createEnrolment(home, next, prepa);
  const { status, json } = await keep({ base, session: next.session }, appareil);
  t.equal(status, 200);
  t.not(json.device, device, 'what was signed for the other one is not good for it');
  t.equal(await stateOf(appareil, prepa, learner.session), 'remove: other-account');
  t.equal(await stateOf(appareil, prepa, next.session), 'keep');
});

t.test('the profile names what keeps what, and takes it away by a plain form', async (t) => {
  const { appareil, learner, prepa, device } = await keeping(t);
  const stranger = await createLearner(home);
  t.notMatch((await visit(app, '/user/profil', stranger.session)).body, 'Préparations gardées');
  const page = await visit(app, '/user/profil', learner.session);
  t.match(page.body, /Préparations gardées hors connexion[\s\S]*Chrome, Android[\s\S]*ENS, depuis le/);
  t.notMatch(page.body, appareil);
  const own = (body: string) => body.split('Préparations gardées')[1]?.includes('Cet appareil');
  t.same([own(page.body), own((await visit(app, '/user/profil', await anotherSession(learner))).body)], [true, false]);
  const url = `/user/profil/hors-ligne/${device}/retirer`;
  t.equal((await submit(app, url, {}, stranger.session)).statusCode, 303);
  t.equal(await stateOf(appareil, prepa, learner.session), 'keep', "nobody else's");
  const answer = await submit(app, url, {}, learner.session);
  t.match([answer.statusCode, answer.headers.location], [303, '/user/profil']);
  t.equal(await stateOf(appareil, prepa, learner.session), 'remove: device-removed');
  t.equal(await stateOf(appareil, prepa), 'remove: device-removed');
  t.notMatch((await visit(app, '/user/profil', learner.session)).body, 'Préparations gardées');
  t.equal((await submit(app, url, {}, learner.session)).statusCode, 303, 'a second tap');
});

interface Sent {
  cle: string;
  type: string;
  item: number;
  le: number;
}
/** As the learner whose session it is, or in the name of another. */
const send = async (session: string, entrees: object[], of = session) => {
  const { learner } = await contact(randomUUID(), [], of);
  const answer = await call(app, { method: 'POST', url: '/api/hors-ligne/marques', session, payload: { learner, entrees } });
  return { status: answer.statusCode, prises: answer.json().prises as string[] };
};
const entry = (item: { id: number }, type: string, le: number): Sent => ({ cle: randomUUID(), type, item: item.id, le });

const marksOf = (userId: string) =>
  query(
    `select i.titre, r.read_at, r.finished_at, t.verdict, t.marked_at, t.times from item i left join item_reading r on r.item_id = i.id and r.user_id = $1
     left join practice t on t.item_id = i.id and t.user_id = $1 where r.item_id is not null or t.item_id is not null order by i.id`,
    [userId],
  );

t.test('what was done on a device: opened last, finished first, the last verdict, practices counted as on the page', async (t) => {
  const { lesson, exercise, learner, base } = await course();
  const at = clock.now().getTime() - dayMs;
  const minute = 60_000;
  const entries = [
    entry(lesson, 'lu', at),
    entry(lesson, 'termine', at + 5 * minute),
    entry(lesson, 'termine', at + 3 * minute),
    entry(exercise, 'termine', at),
    entry(exercise, 'a_revoir', at + minute),
    entry(exercise, 'reussi', at + 3 * minute),
    entry(exercise, 'reussi', at + 3.5 * minute),
  ];
  const keys = entries.map(({ cle }) => cle);
  t.same(await send(learner.session, entries), { status: 200, prises: keys });
  const rows = await marksOf(learner.id);
  const expected = [
    {
      titre: lesson.titre,
      read_at: new Date(at + 5 * minute),
      finished_at: new Date(at + 3 * minute),
      verdict: null,
      marked_at: null,
      times: null,
    },
    {
      titre: exercise.titre,
      read_at: new Date(at + 3.5 * minute),
      // 'Terminé' alone does not finish an exercise with a correction.
      finished_at: new Date(at + minute),
      verdict: 'reussi',
      marked_at: new Date(at + 3.5 * minute),
      times: 2,
    },
  ];
  t.same(rows, expected);
  t.same(await send(learner.session, entries), { status: 200, prises: keys });
  t.same(await marksOf(learner.id), expected, 'once each');
  const { marques } = (await call(app, { url: `${base}/marques`, session: learner.session })).json() as { marques: KeptMark[] };
  t.same(marques, [
    { item: lesson.id, readAt: at + 5 * minute, finished: true, verdict: null, markedAt: null, times: 0 },
    { item: exercise.id, readAt: at + 3.5 * minute, finished: true, verdict: 'reussi', markedAt: at + 3.5 * minute, times: 2 },
  ]);
});

t.test('beside what is marked on the page: the same minute is the same practice', async (t) => {
  const { prepa, maths, exercise, learner } = await course();
  const mark = () =>
    submit(
      app,
      `/user/prepa/${prepa.id}/${maths.id}/entrainement`,
      { type: 'exercise', item: String(exercise.id), verdict: 'a_revoir' },
      learner.session,
    );
  await mark();
  const at = clock.now().getTime();
  clock.advance(10 * 60_000);
  await send(learner.session, [entry(exercise, 'reussi', at + 30_000), entry(exercise, 'reussi', at + 5 * 60_000)]);
  t.match(await marksOf(learner.id), [{ verdict: 'reussi', times: 2 }]);
  await mark();
  t.match(await marksOf(learner.id), [{ verdict: 'a_revoir', times: 3 }]);
  await send(learner.session, [entry(exercise, 'reussi', at + 6 * 60_000)]);
  t.match(await marksOf(learner.id), [{ verdict: 'a_revoir', times: 4 }], 'an older one changes no verdict');
});

t.test('what counts: what was open then, though it has ended; nothing that never was; no time after now', async (t) => {
  const { lesson, exercise, learner, prepa } = await course();
  const now = clock.now().getTime();
  const stranger = await createLearner(home);
  const foreign = [entry(lesson, 'lu', now), entry(exercise, 'reussi', now)];
  t.same((await send(stranger.session, foreign)).prises.length, 2);
  t.same(await marksOf(stranger.id), []);
  t.same(await query('select from offline_entry where user_id = $1', [stranger.id]), []);

  const past = await createLearner(home);
  await createEnrolment(home, past, prepa, -2, 'expired');
  await send(past.session, [entry(lesson, 'lu', now - 3 * dayMs), entry(exercise, 'lu', now - dayMs)]);
  t.match(await marksOf(past.id), [{ titre: lesson.titre, read_at: new Date(now - 3 * dayMs) }]);
  t.equal((await marksOf(past.id)).length, 1);

  const [enrolment] = await query<{ begun: Date }>('select date_inscription as begun from enrolment where user_id = $1', [learner.id]);
  await send(learner.session, [entry(lesson, 'lu', now + 5 * dayMs), entry(exercise, 'termine', 0)]);
  t.match(await marksOf(learner.id), [{ read_at: new Date(now) }, { read_at: enrolment?.begun, finished_at: null }]);

  const odd = [
    { cle: 'pas un uuid', type: 'lu', item: lesson.id, le: now },
    { cle: randomUUID(), type: 'autre', item: lesson.id, le: now },
    { cle: randomUUID(), type: 'lu', item: 2_000_000_000, le: now },
    { cle: randomUUID(), type: 'lu', item: 1.5, le: now },
    { cle: randomUUID(), type: 'reussi', item: lesson.id, le: now },
  ];
  t.same(await send(learner.session, odd), { status: 200, prises: odd.map(({ cle }) => cle) });
  t.equal(
    (
      await send(
        learner.session,
        Array.from({ length: 201 }, () => entry(lesson, 'lu', now)),
      )
    ).status,
    400,
  );
  t.equal((await call(app, { method: 'POST', url: '/api/hors-ligne/marques', payload: { entrees: [] } })).statusCode, 401);
});

t.test("nobody's entries go to the account of whoever has signed in meanwhile", async (t) => {
  const { lesson, learner, prepa, base } = await course();
  const next = await createLearner(home);
  await createEnrolment(home, next, prepa);
  const entries = [entry(lesson, 'termine', clock.now().getTime())];
  t.same(await send(next.session, entries, learner.session), { status: 409, prises: undefined });
  t.same(await query('select from item_reading where user_id = any($1)', [[next.id, learner.id]]), []);
  t.equal((await send(learner.session, entries)).status, 200);
  t.equal((await marksOf(learner.id)).length, 1);
  const { learner: named } = await contact(randomUUID(), [], next.session);
  t.match(
    (await call(app, { url: `${base}/marques`, session: next.session })).json(),
    { learner: named },
    'what is read names its learner too',
  );
});

t.test('the same entries in any order, in any calls, repeated, from two devices at once: the same rows', async (t) => {
  const { prepa, lesson, exercise, subject } = await course();
  const items = [lesson, exercise, subject];
  const begin = clock.now().getTime() - 2 * dayMs;
  // Close to each other, so that practices run together and fall apart again.
  let state = 7;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  const types = ['lu', 'termine', 'reussi', 'a_revoir'];
  const entries = Array.from({ length: 300 }, () =>
    entry(items[random(3)] ?? lesson, types[random(4)] ?? 'lu', begin + random(600) * 20_000),
  );
  const shuffled = <Value>(values: Value[]) =>
    values
      .map((value) => ({ value, order: random(1e9) }))
      .sort((one, other) => one.order - other.order)
      .map(({ value }) => value);
  const parts = (values: Sent[], size: number) =>
    Array.from({ length: Math.ceil(values.length / size) }, (_, index) => values.slice(index * size, (index + 1) * size));
  const results = [];
  for (const size of [200, 37, 1]) {
    const learner = await createLearner(home);
    await createEnrolment(home, learner, prepa, 10);
    const device = async (own: Sent[]) => {
      for (const part of parts(own, size)) t.equal((await send(learner.session, part)).status, 200);
    };
    // What both have, what one sends twice.
    const [one, two] = [shuffled(entries), shuffled(entries)];
    const half = size === 1 ? [one.slice(0, 150), [...one.slice(150), ...two.slice(0, 20)]] : [one, two];
    await Promise.all(half.map((own) => device(own ?? [])));
    results.push(await marksOf(learner.id));
    const taken = entries.filter(({ item, type }) => item !== lesson.id || type === 'lu' || type === 'termine').length;
    t.equal((await query('select from offline_entry where user_id = $1', [learner.id])).length, taken);
  }
  t.same(results[1], results[0]);
  t.same(results[2], results[0]);
  // What the page would have counted, one after the other.
  for (const [index, { id }] of items.entries()) {
    const times = entries.filter(({ item, type }) => item === id && ['reussi', 'a_revoir'].includes(type)).map(({ le }) => le);
    const ordered = times.sort((a, b) => a - b);
    const counted = id === lesson.id ? null : ordered.filter((at, place) => place === 0 || at - (ordered[place - 1] ?? 0) >= 60_000).length;
    t.equal(results[0]?.[index]?.times, counted);
  }
});
