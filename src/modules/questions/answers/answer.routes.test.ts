import t from 'tap';
import { call, createTestApp, submit, visit } from '../../../../test/support/app.ts';
import { createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { choiceQuestion, numberQuestion, textQuestion } from '../../../../test/support/questions.ts';
import { sql } from '../../../../test/support/sql.ts';
import { dayMs } from '../../../shared/dates.ts';

const home = await createTestApp(t);
const { app, databaseUrl, clock } = home;

const choices = [
  { id: 'choicefour01', text: '4', right: true, remark: 'Oui, quatre.' },
  { id: 'choicefive01', text: '5', remark: 'Un de trop.' },
];
const prepa = await createPrepa(home, { nom: 'ENS' });
const discipline = await createDiscipline(home, prepa.id);
await createItem(home, discipline.id, {
  contenu: choiceQuestion({
    id: 'opensum00001',
    choices: [
      { id: 'x1', text: 'a', right: true },
      { id: 'x2', text: 'b' },
    ],
  }),
});
const lesson = await createItem(home, discipline.id, {
  numeroPage: 2,
  contenu: `<p>Avant</p>${choiceQuestion({ id: 'sumquestion1', choices, points: 2 })}${numberQuestion('speedanswer1', '3,5', { tolerance: '0,1', unit: 'm/s' })}${textQuestion('whoquestion1', ['Ahidjo', 'Ahmadou Ahidjo', 'AHIDJO', ' Âhmadou  ahidjo', 'A. Ahidjo', 'le Président', 'un cinquième'])}`,
});
const learner = await createLearner(home);
const stranger = await createLearner(home);
await createEnrolment(home, learner, { id: prepa.id, nom: 'ENS' }, 10);

const enrolled = async () => {
  const other = await createLearner(home);
  await createEnrolment(home, other, { id: prepa.id, nom: 'ENS' }, 10);
  return other;
};

let keys = 0;
const newKey = (): string => {
  keys += 1;
  return `00000000-0000-4000-8000-${String(keys).padStart(12, '0')}`;
};
const answer = (id: string, body: object, session: string | null = learner.session) =>
  call(app, {
    method: 'POST',
    url: `/api/questions/${id}/reponse`,
    payload: { cle: newKey(), ...body },
    ...(session && { session }),
  });
const rows = () =>
  sql<{ question_id: string; is_right: boolean; points: string }>(
    databaseUrl,
    'select * from answer where user_id = $1 order by answered_at, cle',
    [learner.id],
  );

t.test('choices have letters, in the text and in the feedback', async (t) => {
  const { body } = await visit(app, `/user/prepa/${prepa.id}/${discipline.id}?type=course&item=${lesson.id}`, learner.session);
  t.match(body, /<label class="question__choice"><input [^>]*value="choicefour01"><span><strong>A\.<\/strong> 4<\/span>/);
  t.match(body, '<strong>B.</strong> 5');
  const { html } = (await answer('sumquestion1', { choix: ['choicefour01'] }, (await enrolled()).session)).json();
  t.match(html, '<strong>A.</strong> 4');
  t.match(html, '<strong>B.</strong> 5');
});

t.test('an answer is judged, explained and stored with its points', async (t) => {
  const wrong = await answer('sumquestion1', { choix: ['choicefive01'], numero: 1 });
  t.equal(wrong.statusCode, 200);
  const { juste, html } = wrong.json();
  t.equal(juste, false);
  for (const words of [
    'Question 1',
    '2 points',
    'Réponse fausse',
    'Faux, votre réponse',
    'Un de trop.',
    'Oui, quatre.',
    'Car 2 + 2 = 4.',
    'Réessayer',
  ])
    t.match(html, words);
  const right = await answer('sumquestion1', { choix: ['choicefour01'] });
  t.match(right.json().html, 'Juste, votre réponse');
  t.equal(right.json().juste, true);
  t.same(
    (await rows()).map(({ question_id, is_right, points }) => [question_id, is_right, Number(points)]),
    [
      ['sumquestion1', false, 0],
      ['sumquestion1', true, 2],
    ],
  );
});

t.test('a number and a short text', async (t) => {
  const number = (await answer('speedanswer1', { texte: '3,6 m/s' })).json();
  t.equal(number.juste, true);
  t.match(number.html, 'Réponse attendue');
  t.match(number.html, '3,5 m/s (à 0,1 près)');
  const wrong = (await answer('whoquestion1', { texte: '<b>Biya</b>' })).json();
  t.equal(wrong.juste, false);
  t.match(wrong.html, '&lt;b&gt;Biya&lt;/b&gt;');
  t.match(
    wrong.html,
    'Réponse attendue\u00a0: <strong>Ahidjo</strong></p><p>Aussi accepté\u00a0: Ahmadou Ahidjo\u202f; A. Ahidjo\u202f; le Président</p>',
  );
  t.equal((await answer('whoquestion1', { texte: ' ahidjo ' })).json().juste, true);
  t.equal((await answer('whoquestion1', { passe: true })).json().juste, false);
});

t.test('text that cannot be stored is left out, and a text that is no number is asked for again', async (t) => {
  t.equal((await answer('whoquestion1', { texte: 'ahi\0djo\ud83d' })).json().juste, true);
  const before = (await rows()).length;
  const reply = await answer('speedanswer1', { texte: 'trois et demi' });
  t.equal(reply.statusCode, 400);
  t.match(reply.json().message, 'Écrivez un nombre, par exemple 12 ou 3,5, seul ou suivi de m/s.');
  t.equal((await answer('speedanswer1', { texte: '3,6 M/S.' })).json().juste, true);
  t.equal((await answer('speedanswer1', { texte: '3,6', passe: 'non' })).statusCode, 400);
  t.equal((await rows()).length, before + 1);
});

t.test("the key of an answer to another question tells nothing of this one's", async (t) => {
  const cle = newKey();
  await answer('sumquestion1', { cle, choix: ['choicefour01'] });
  const reply = await answer('whoquestion1', { cle, passe: true });
  t.equal(reply.statusCode, 409);
  t.notMatch(reply.body, 'Ahidjo');
});

t.test('a repeated request counts once and tells the first answer', async (t) => {
  const before = (await rows()).length;
  const cle = newKey();
  const replies = await Promise.all([1, 2, 3].map(() => answer('sumquestion1', { cle, choix: ['choicefour01'] })));
  t.same(
    replies.map((reply) => reply.json().juste),
    [true, true, true],
  );
  const other = await answer('sumquestion1', { cle, choix: ['choicefive01'] });
  t.equal(other.json().juste, true);
  t.equal((await rows()).length, before + 1);
});

t.test('what cannot be judged is said in French and stores nothing', async (t) => {
  const before = (await rows()).length;
  for (const [body, words] of [
    [{}, 'Choisissez une réponse'],
    [{ choix: [] }, 'Choisissez une réponse'],
    [{ choix: ['other0000001'] }, 'rechargez la page'],
    [{ choix: ['choicefour01', 'choicefive01'] }, 'une seule réponse'],
    [{ texte: '4' }, 'Choisissez une réponse'],
  ] as const) {
    const reply = await answer('sumquestion1', body);
    t.equal(reply.statusCode, 400);
    t.match(reply.json().message, words);
  }
  t.match((await answer('whoquestion1', { texte: '  ' })).json().message, 'Écrivez une réponse');
  t.equal((await answer('missing00000', { passe: true })).statusCode, 404);
  t.equal((await answer('short', { passe: true })).statusCode, 400);
  t.equal((await rows()).length, before);
});

t.test('only readers of the text may answer; a reader without access is told why', async (t) => {
  const locked = await answer('sumquestion1', { choix: ['choicefour01'] }, stranger.session);
  t.equal(locked.statusCode, 403);
  t.match(locked.json().message, /Votre accès à ENS/);
  t.notMatch(locked.body, /Oui, quatre|Car 2/);
  t.equal((await answer('sumquestion1', { choix: ['choicefour01'] }, null)).statusCode, 401);
  t.equal((await answer('opensum00001', { choix: ['x1'] }, null)).json().juste, true, 'a visitor of the trial');
  t.equal((await answer('opensum00001', { choix: ['x2'] }, stranger.session)).json().juste, false);
  const [kept] = await sql<{ count: string }>(databaseUrl, 'select count(*) from answer where user_id = $1', [stranger.id]);
  t.equal(Number(kept?.count), 1);
});

t.test('a question with a fault, or one that the text no longer has, cannot be answered', async (t) => {
  const faulty = await createItem(home, discipline.id, { numeroPage: 3, contenu: choiceQuestion({ id: 'faulty000001', choices }) });
  for (const change of ['usable = false', 'position = null, usable = true']) {
    await sql(databaseUrl, `update question set ${change} where item_id = $1`, [faulty.id]);
    t.equal((await answer('faulty000001', { passe: true })).statusCode, 404);
  }
});

t.test('the state of a question: wrong until right on two different days, whatever the order in which answers arrive', async (t) => {
  const { recordAnswers } = await import('./answer.repository.ts');
  const person = await createLearner(home);
  // Hours of a day in Africa/Douala, whatever the present hour.
  const day = (days: number, hour = 10) => new Date((Math.floor(clock.now().getTime() / dayMs) * 24 + days * 24 + hour) * 3_600_000);
  const send = (isRight: boolean, at: Date) =>
    recordAnswers(home.kernel.fork(), person.id, [
      {
        cle: newKey(),
        questionId: 'sumquestion1',
        keyVersion: 1,
        itemVersion: 1,
        context: 'text',
        given: { choices: [isRight ? 'choicefour01' : 'choicefive01'] },
        isRight,
        points: 0,
        at,
      },
    ]);
  const state = async () =>
    (
      await sql<{ first_right: boolean; last_right: boolean; right_days: number; wrong: boolean }>(
        databaseUrl,
        'select first_right, last_right, right_days, wrong_at is not null as wrong from question_state where user_id = $1',
        [person.id],
      )
    )[0];
  await send(false, day(0));
  t.match(await state(), { first_right: false, last_right: false, right_days: 0, wrong: true });
  await send(true, day(1));
  await send(true, day(1, 11));
  t.match(await state(), { last_right: true, right_days: 1 });
  await send(true, day(3));
  t.match(await state(), { first_right: false, last_right: true, right_days: 2 });
  await send(false, day(2));
  t.match(await state(), { last_right: true, right_days: 1 }, 'a wrong answer between them arrives late');
});

t.test('two answers at the same time: the state has both', async (t) => {
  const { recordAnswers, storeAnswers } = await import('./answer.repository.ts');
  const person = await createLearner(home);
  const given = (isRight: boolean, at: number) => [
    {
      cle: newKey(),
      questionId: 'sumquestion1',
      keyVersion: 1,
      itemVersion: 1,
      context: 'text' as const,
      isRight,
      points: 0,
      given: { choices: [isRight ? 'choicefour01' : 'choicefive01'] },
      at: new Date(clock.now().getTime() + at),
    },
  ];
  const waits = () => sql(databaseUrl, `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
  const second = await home.kernel.fork().transactional(async (tx) => {
    await storeAnswers(tx, person.id, given(false, 0));
    const later = { stored: recordAnswers(home.kernel.fork(), person.id, given(true, 1_000)) };
    while ((await waits()).length === 0);
    return later;
  });
  await second.stored;
  t.match(
    await sql(databaseUrl, 'select first_right, last_right, wrong_at is not null as wrong from question_state where user_id = $1', [
      person.id,
    ]),
    [{ first_right: false, last_right: true, wrong: true }],
  );
});

t.test('tallies count each first answer, and forget an erased learner', async (t) => {
  const tally = async () =>
    (
      await sql<{ answered: number; right_first: number; skipped: number }>(
        databaseUrl,
        `select answered, right_first, skipped from question_tally where question_id = 'opensum00001'`,
      )
    )[0];
  const chosen = async () =>
    Object.fromEntries(
      (
        await sql<{ choice: string; chosen: number }>(
          databaseUrl,
          `select choice, chosen from choice_tally where question_id = 'opensum00001' order by choice`,
        )
      ).map(({ choice, chosen }) => [choice, chosen]),
    );
  const people = [await createLearner(home), await createLearner(home), await createLearner(home)] as const;
  await answer('opensum00001', { choix: ['x1'] }, people[0].session);
  await answer('opensum00001', { choix: ['x2'] }, people[0].session);
  await answer('opensum00001', { choix: ['x1'] }, people[1].session);
  await answer('opensum00001', { passe: true }, people[2].session);
  t.same(await tally(), { answered: 4, right_first: 2, skipped: 1 });
  t.same(await chosen(), { x1: 2, x2: 1 });
  await sql(databaseUrl, 'delete from question_state where user_id = any($1)', [[people[0].id, people[2].id]]);
  t.same(await tally(), { answered: 2, right_first: 1, skipped: 0 });
  t.same(await chosen(), { x1: 1, x2: 1 });
});

t.test('without scripts the form leads to the judged question, and back to its text', async (t) => {
  const post = (fields: Record<string, string>) => submit(app, '/user/questions/sumquestion1', fields, learner.session);
  const text = await visit(app, `/user/prepa/${prepa.id}/${discipline.id}?type=course&item=${lesson.id}`, learner.session);
  t.match(text.body, '<form class="question" id="q-sumquestion1" method="post" action="/user/questions/sumquestion1">');
  t.notMatch(text.body, /Un de trop|Oui, quatre|Car 2|Ahidjo|data-right/);
  const first = await post({ choix: 'choicefive01' });
  t.equal(first.statusCode, 303);
  t.equal((await post({ choix: 'choicefive01' })).headers.location, first.headers.location, 'the same answer within a minute counts once');
  const page = await visit(app, String(first.headers.location), learner.session);
  t.match(page.body, 'Réponse fausse');
  t.match(page.body, 'Un de trop.');
  t.match(page.body, `href="/user/prepa/${prepa.id}/${discipline.id}?type=course&amp;item=${lesson.id}#q-sumquestion1"`);
  const nothing = await post({});
  t.equal(nothing.statusCode, 400);
  t.match(nothing.body, 'Choisissez une réponse');
  t.match(nothing.body, '<form class="question"');
  const again = await visit(app, '/user/questions/sumquestion1', learner.session);
  t.notMatch(again.body, /Un de trop|Oui, quatre|Car 2/);
});

t.test('without scripts a refused answer keeps what was typed', async (t) => {
  const post = (id: string, fields: Record<string, string | string[]>, session = learner.session) =>
    submit(app, `/user/questions/${id}`, fields as Record<string, string>, session);
  const number = await post('speedanswer1', { texte: 'trois "et" demi' });
  t.equal(number.statusCode, 400);
  t.match(number.body, 'value="trois &quot;et&quot; demi"');
  const closed = await post('speedanswer1', { texte: '3,5' }, stranger.session);
  t.equal(closed.statusCode, 403);
  t.match(closed.body, 'ouvert ou a pris');
  t.match(closed.body, '<strong>3,5</strong>');
  t.notMatch(closed.body, '<form class="question"', 'the question belongs to a text that is closed');
  t.notMatch(closed.body, 'm/s');
});

t.test('an answer sent without a session comes back into its form after the sign-in', async (t) => {
  const post = (id: string, fields: Record<string, string>, session?: string) => submit(app, `/user/questions/${id}`, fields, session);
  const suiteOf = async (id: string, fields: Record<string, string>, session?: string) => {
    const { headers } = await post(id, fields, session);
    return new URL(String(headers.location), 'http://site.example').searchParams.get('suite') ?? '';
  };
  const ended = await createLearner(home);
  await sql(databaseUrl, 'delete from session where user_id = $1', [ended.id]);
  for (const session of [undefined, ended.session]) {
    const typed = await visit(
      app,
      await suiteOf('whoquestion1', { texte: "L'émir & « moi »", contexte: 'errors' }, session),
      learner.session,
    );
    t.match(typed.body, `value="L'émir &amp; « moi »"`);
    t.match(typed.body, 'name="contexte" value="errors"');
    t.notMatch(typed.body, 'Réponse attendue', 'it is not sent by itself');
    const chosen = await visit(app, await suiteOf('sumquestion1', { choix: 'choicefive01' }, session), learner.session);
    t.match(chosen.body, 'value="choicefive01" checked');
  }
  t.equal(await suiteOf('whoquestion1', { texte: 'é'.repeat(200) }), '/user/questions/whoquestion1', 'a text too long for an address');
});

t.test("a learner's wrong answer ends with the way to their errors, a right one or a visitor's does not", async (t) => {
  const { session } = await enrolled();
  const link = '<a class="button button--quiet" href="/user/erreurs">Revoir mes erreurs</a>';
  t.match((await answer('sumquestion1', { choix: ['choicefive01'] }, session)).json().html, link);
  t.match((await answer('sumquestion1', { passe: true }, session)).json().html, link);
  t.notMatch((await answer('sumquestion1', { choix: ['choicefour01'] }, session)).json().html, link);
  for (const reader of [null, (await createLearner(home)).session])
    t.notMatch((await answer('opensum00001', { choix: ['x2'] }, reader)).json().html, link, 'nothing is listed for them');
  const posted = await submit(app, '/user/questions/sumquestion1', { choix: 'choicefive01' }, session);
  t.match((await visit(app, String(posted.headers.location), session)).body, link);
});

/** Returns the text of the link that shares a question on WhatsApp; null without a link. */
const sharedText = (html: string) => {
  const [, href] = /href="(https:\/\/wa\.me\/[^"]*)"/.exec(html) ?? [];
  return href === undefined ? null : new URL(href).searchParams.get('text');
};

t.test('an answered question can be shared on WhatsApp: statement and public page, never the key', async (t) => {
  const trial = `/user/prepa/consultation/${prepa.id}`;
  const closed = sharedText((await answer('sumquestion1', { choix: ['choicefive01'] })).json().html);
  t.match(closed, /^Combien font 2 \+ 2 \?\n\nEt vous, que répondez-vous \? http:\/\/[^/]+\/user\/prepa\/consultation\/\d+$/);
  t.ok(closed?.endsWith(trial));
  const open = sharedText((await answer('opensum00001', { choix: ['x1'] }, null)).json().html);
  t.match(open, new RegExp(`${trial}/${discipline.id}\\?type=course&item=\\d+#q-opensum00001$`));

  const url = '/user/questions/speedanswer1';
  t.equal(sharedText((await visit(app, url, learner.session)).body), null, 'not before an answer');
  const { location } = (await submit(app, url, { texte: '3,5' }, learner.session)).headers;
  const page = sharedText((await visit(app, String(location), learner.session)).body);
  t.match(page, 'Combien ?');
  t.notMatch(page, /3,5|calcul/);

  await sql(databaseUrl, 'update prepa set is_published = false where id = $1', [prepa.id]);
  t.match(sharedText((await answer('sumquestion1', { choix: ['choicefive01'] })).json().html), /que répondez-vous \? http:\/\/[^/]+$/);
  await sql(databaseUrl, 'update prepa set is_published = true where id = $1', [prepa.id]);
});
