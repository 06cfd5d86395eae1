import { randomUUID } from 'node:crypto';
import t from 'tap';
import { call, createTestApp } from '../../../../test/support/app.ts';
import { createAdministrator, createEnrolment, createItem, createLearner } from '../../../../test/support/factories.ts';
import { offlineCalls } from '../../../../test/support/offline-calls.ts';
import { choiceQuestion, numberQuestion, textQuestion } from '../../../../test/support/questions.ts';
import { sql } from '../../../../test/support/sql.ts';
import { dayMs } from '../../../shared/dates.ts';
import type { KeptItem, TextsAnswer } from '../../../shared/offline/offline-copy.ts';

// Questions of kept prepas: their keys in the texts of a copy, and answers given on devices, sent later.

const home = await createTestApp(t);
const { app, clock, databaseUrl } = home;
const { course, contact, keep, textsOf } = offlineCalls(home);
const administrator = await createAdministrator(home);
const query = <Row = Record<string, unknown>>(text: string, values?: unknown[]) => sql<Row>(databaseUrl, text, values);

let number = 0;
/** Creates a course with a question of each kind in a lesson, and a series of two questions. Ids of questions are new in each. */
async function asking() {
  number += 1;
  const own = String(number);
  const id = (name: string) => `${name}${own.padStart(12 - name.length, '0')}`;
  const made = await course();
  const choices = [
    { id: id('yes'), text: 'quatre', right: true, remark: 'Oui : deux et deux.' },
    { id: id('no'), text: 'cinq', remark: 'Un de trop.' },
  ];
  const text = (right: 0 | 1) =>
    `<p>Avant.</p>${choiceQuestion({ id: id('sum'), choices: choices.map((choice, index) => ({ ...choice, right: index === right })), points: 2 })}${numberQuestion(id('speed'), '3,5', { tolerance: '0,1' })}${textQuestion(id('who'), ['Ahidjo'])}`;
  const lesson = await createItem(home, made.maths.id, { numeroPage: 2, contenu: text(0) });
  const series = await createItem(home, made.maths.id, {
    kind: 'quiz',
    contenu: `${numberQuestion(id('one'), '1')}${numberQuestion(id('two'), '2')}`,
  });
  /** Stores the lesson with another right choice, as the administration does. */
  const changeKey = () =>
    call(app, {
      method: 'PUT',
      url: `/api/lecons/${lesson.id}`,
      session: administrator.session,
      payload: { titre: lesson.titre, discipline_id: made.maths.id, contenu: text(1) },
    });
  return { ...made, lesson, series, id, changeKey };
}
type Asking = Awaited<ReturnType<typeof asking>>;

const keptIn = (texts: TextsAnswer, { id }: { id: number }) => texts.items.find((item) => item.id === id) as KeptItem;

async function differences({ base }: Asking, session: string, tenus: [number, number][]): Promise<TextsAnswer> {
  const payload = { tenus, changements: true };
  return (await call(app, { method: 'POST', url: `${base}/differences`, session, payload })).json();
}

interface Sent {
  cle: string;
  type: string;
  item: number;
  le: number;
  reponse: object;
}
const entry = (item: { id: number }, reponse: object, le = clock.now().getTime()): Sent => ({
  cle: randomUUID(),
  type: 'lu',
  item: item.id,
  le,
  reponse,
});
async function send(session: string, entrees: Sent[]) {
  const { learner } = await contact(randomUUID(), [], session);
  const answer = await call(app, { method: 'POST', url: '/api/hors-ligne/marques', session, payload: { learner, entrees } });
  t.equal(answer.statusCode, 200, answer.body);
  t.same(
    answer.json().prises,
    entrees.map(({ cle }) => cle),
  );
}
const answersOf = (learner: { id: string }) =>
  query(
    'select cle, question_id, key_version, item_version, context, given, is_right, points::float8, answered_at, attempt_id from answer where user_id = $1 order by answered_at, cle',
    [learner.id],
  );

t.test('the texts of a copy have the keys of their questions, for learners with access alone', async (t) => {
  const { base, learner, lesson, series, maths, prepa } = await asking();
  const texts = await textsOf(base, learner.session);
  const { keys = [], contenu } = keptIn(texts, lesson);
  t.same(
    keys.map(({ kind, right, value, accepted, explanation }) => [kind, right.length, value, accepted, explanation]),
    [
      ['one', 1, '', [], '<p>Car 2 + 2 = 4.</p>'],
      ['number', 0, '3,5', [], '<p>Par le calcul.</p>'],
      ['text', 0, '', ['Ahidjo'], null],
    ],
  );
  const remarks = Object.values(keys[0]?.remarks ?? {}).sort();
  t.same(remarks, ['<p>Oui\u00a0: deux et deux.</p>', '<p>Un de trop.</p>'], 'with French spaces, as learners get them from the server');
  t.notMatch(contenu, 'deux et deux');
  t.equal(keptIn(texts, series).keys?.length, 2);
  t.notOk(
    texts.items.some(({ id, keys }) => keys && ![lesson.id, series.id].includes(id)),
    'other items have none',
  );

  const stranger = await createLearner(home);
  const former = await createLearner(home);
  await createEnrolment(home, former, prepa, -2, 'expired');
  for (const [session, status] of [
    ['', 401],
    [stranger.session, 403],
    [former.session, 403],
  ] as const)
    for (const request of [
      { url: `${base}/textes` },
      { url: `${base}/textes?disciplines=${maths.id}` },
      { method: 'POST', url: `${base}/differences`, payload: { tenus: [] } },
    ] as const) {
      const { statusCode, body } = await call(app, { ...request, ...(session && { session }) });
      t.equal(statusCode, status);
      t.notMatch(body, /deux et deux|Ahidjo/);
    }
});

t.test('a changed key reaches a device at its next contact, without the text, which has not changed', async (t) => {
  const made = await asking();
  const { base, learner, lesson, prepa, changeKey } = made;
  const { appareil } = await keep({ base, session: learner.session });
  const texts = await textsOf(base, learner.session);
  t.equal((await contact(appareil, [{ id: prepa.id }], learner.session)).prepas[0]?.tag, texts.tag);
  t.equal((await changeKey()).statusCode, 200);
  t.not((await contact(appareil, [{ id: prepa.id }], learner.session)).prepas[0]?.tag, texts.tag);
  const held = texts.items.map(({ id, version }): [number, number] => [id, version]);
  const { items, changes = [] } = await differences(made, learner.session, held);
  t.same(items, []);
  t.equal(changes.length, 1);
  t.equal(changes[0]?.contenu.texte, '');
  t.same(changes[0]?.keys?.[0]?.right, [keptIn(texts, lesson).keys?.[0]?.right[0]?.replace('yes', 'no0')]);
});

t.test('a device whose texts came without keys from an earlier release gets those with questions again', async (t) => {
  const made = await asking();
  const rows = await query<{ id: number; version: number }>(
    'select i.id, i.version from item i join discipline d on d.id = i.discipline_id where d.prepa_id = $1',
    [made.prepa.id],
  );
  const { items, changes } = await differences(
    made,
    made.learner.session,
    rows.map(({ id, version }) => [id, version]),
  );
  t.same(
    items.map(({ id, keys }) => [id, keys?.length]).sort(),
    [
      [made.lesson.id, 3],
      [made.series.id, 2],
    ].sort(),
  );
  t.equal(changes, undefined);
});

t.test('pictures of explanations are among those that a device keeps, and count', async (t) => {
  const { base, learner, lesson } = await asking();
  const name = 'content/0123456789abcdef0123456789abcdef.webp';
  await query('insert into content_image (name, uploaded_at, octets) values ($1, now(), 700)', [name]);
  await query('insert into item_image (item_id, image_name) values ($1, $2)', [lesson.id, name]);
  const explained = `jsonb_set(keys, '{0,explanation}', to_jsonb('<figure><img src="/media/${name}" alt="Figure"></figure><img src="https://ailleurs.cm/a.png" alt="">'::text))`;
  await query(`update item set keys = ${explained} where id = $1`, [lesson.id]);
  await query(`update question q set key = i.keys -> 0 from item i where i.id = q.item_id and q.item_id = $1 and q.position = 1`, [
    lesson.id,
  ]);
  t.same(keptIn(await textsOf(base, learner.session), lesson).pictures, [{ name: name.slice('content/'.length), octets: 700 }]);
  const sizes = (await call(app, { url: `${base}/tailles`, session: learner.session })).json();
  t.match(sizes, { images: { nombre: 1, octets: 700 }, distantes: 1 });
});

t.test(
  'answers of a device are judged as online and stored once, with their time; the online call with the same key adds none',
  async (t) => {
    const { learner, lesson, id } = await asking();
    const at = clock.now().getTime() - dayMs;
    const entries = [
      entry(lesson, { question: id('sum'), choix: [id('yes')] }, at),
      entry(lesson, { question: id('sum'), choix: [id('no')] }, at + 1_000),
      entry(lesson, { question: id('speed'), texte: ' 3.55 ' }, at + 2_000),
      entry(lesson, { question: id('who'), texte: 'AHIDJO' }, at + 3_000),
      entry(lesson, { question: id('who'), passe: true }, at + 4_000),
    ];
    await send(learner.session, entries);
    const answers = await answersOf(learner);
    t.match(
      answers.map(({ question_id, given, is_right, points, answered_at }) => [
        question_id,
        given,
        is_right,
        points,
        Number(answered_at) - at,
      ]),
      [
        [id('sum'), { choices: [id('yes')] }, true, 2, 0],
        [id('sum'), { choices: [id('no')] }, false, 0, 1_000],
        [id('speed'), { typed: '3.55' }, true, 1, 2_000],
        [id('who'), { typed: 'AHIDJO' }, true, 1, 3_000],
        [id('who'), { skipped: true }, false, 0, 4_000],
      ],
    );
    for (const row of answers) t.match(row, { key_version: 1, item_version: 1, context: 'text', attempt_id: null });
    t.match(await query('select read_at from item_reading where user_id = $1', [learner.id]), [{ read_at: new Date(at + 4_000) }]);
    await send(learner.session, [...entries].reverse());
    const [first] = entries;
    const online = await call(app, {
      method: 'POST',
      url: `/api/questions/${id('sum')}/reponse`,
      session: learner.session,
      payload: { cle: first?.cle, choix: [id('no')] },
    });
    t.match(online.json(), { juste: true }, 'the answer that came first');
    t.same(await answersOf(learner), answers);
  },
);

t.test('what is no answer to a question counts as reading: an unknown or wrong one, and one outside of the paid days', async (t) => {
  const made = await asking();
  const { learner, lesson, id, prepa } = made;
  const other = await asking();
  const now = clock.now().getTime();
  await query('update question set usable = false where id = $1', [id('speed')]);
  await send(learner.session, [
    entry(lesson, { question: id('sum') }),
    entry(lesson, { question: id('sum'), choix: [id('yes'), id('no')] }),
    entry(lesson, { question: id('sum'), choix: ['choixinconnu'] }),
    entry(lesson, { question: id('who'), texte: ' ' }),
    entry(lesson, { question: id('who'), texte: 'x'.repeat(201) }),
    entry(lesson, { question: id('speed'), texte: '3,5' }),
    entry(lesson, { question: 'nowhere00000', texte: '3,5' }),
    entry(lesson, { question: 'pas un numéro', texte: '3,5' }),
    entry(lesson, { question: other.id('who'), texte: 'Ahidjo' }),
    { ...entry(lesson, { question: id('who'), texte: 'Ahidjo' }), type: 'termine' },
    { ...entry(lesson, 'rien' as never), le: now + dayMs },
  ]);
  t.same(await answersOf(learner), []);
  t.match(await query('select read_at from item_reading where user_id = $1', [learner.id]), [{ read_at: new Date(now) }]);

  const former = await createLearner(home);
  await createEnrolment(home, former, prepa, -2, 'expired');
  const [inside, after] = [
    entry(lesson, { question: id('who'), passe: true }, now - 3 * dayMs),
    entry(lesson, { question: id('who'), passe: true }, now - dayMs),
  ];
  await send(former.session, [inside, after]);
  t.match(await answersOf(former), [{ cle: inside.cle, answered_at: new Date(inside.le) }]);
  t.equal((await answersOf(former)).length, 1);
});

t.test('200 of the longest answers fit into one call', async (t) => {
  const { learner, lesson, id } = await asking();
  const long = '\u{1f4da}'.repeat(100);
  await send(
    learner.session,
    Array.from({ length: 200 }, () => entry(lesson, { question: id('who'), texte: long })),
  );
  t.equal((await answersOf(learner)).length, 200);
});

t.test('an answer that was judged on the device by an earlier key is judged by the present one', async (t) => {
  const { learner, lesson, id, changeKey } = await asking();
  const answered = entry(lesson, { question: id('sum'), choix: [id('yes')] });
  clock.advance(1_000);
  await changeKey();
  await send(learner.session, [answered]);
  t.match(await answersOf(learner), [{ key_version: 2, item_version: 2, is_right: false, points: 0 }]);
});

t.test('a series is finished when each of its questions was answered on devices, at the time of the last first answer', async (t) => {
  const { learner, series, id } = await asking();
  const at = clock.now().getTime() - dayMs;
  await send(learner.session, [entry(series, { question: id('two'), texte: '2' }, at + 5_000)]);
  const reading = () => query('select finished_at from item_reading where user_id = $1 and item_id = $2', [learner.id, series.id]);
  t.same(await reading(), [{ finished_at: null }]);
  await send(learner.session, [
    entry(series, { question: id('one'), texte: '0' }, at),
    entry(series, { question: id('one'), texte: '1' }, at + 9_000),
  ]);
  t.same(await reading(), [{ finished_at: new Date(at + 5_000) }]);
  t.match(await answersOf(learner), [{ context: 'series', attempt_id: null }, {}, {}]);
  const states = () =>
    query('select question_id, first_right, rest from question_state where user_id = $1 order by question_id', [learner.id]);
  t.same(await states(), [
    { question_id: id('one'), first_right: false, rest: 1 },
    { question_id: id('two'), first_right: true, rest: 0 },
  ]);
  await send(learner.session, [entry(series, { question: id('one'), texte: '1' }, at - 1_000)]);
  t.same(
    await states(),
    [
      { question_id: id('one'), first_right: true, rest: 1 },
      { question_id: id('two'), first_right: true, rest: 1 },
    ],
    'an earlier answer that arrives later is the first one',
  );
});
