import { parseHTML } from 'linkedom';
import t from 'tap';
import { asWritten, call, createTestApp, submit, visit } from '../../../test/support/app.ts';
import { createLearner, type TestLearner } from '../../../test/support/factories.ts';
import { assertValidHtml } from '../../../test/support/page-checks.ts';
import { sql } from '../../../test/support/sql.ts';

const home = await createTestApp(t);
const { app, databaseUrl, clock } = home;

/** Inserts a notification that is `minutes` old. Returns its id. */
async function tell(learner: TestLearner, message: string, { lu = false, minutes = 0 } = {}): Promise<number> {
  const at = new Date(clock.now().getTime() - minutes * 60_000);
  const [row] = await sql<{ id: number }>(
    databaseUrl,
    'insert into notification (user_id, message, lu, date_creation) values ($1, $2, $3, $4) returning id',
    [learner.id, message, lu, at],
  );
  return row?.id ?? 0;
}
const left = (learner: TestLearner) =>
  sql<{ id: number; lu: boolean }>(databaseUrl, 'select id, lu from notification where user_id = $1 order by id', [learner.id]);
const unknown = "Cette notification n'existe pas ou n'existe plus.";

for (const prefix of ['/api', '']) {
  t.test(`a learner reads, marks and deletes only their own notifications under '${prefix}/users/notifications'`, async (t) => {
    const [learner, other] = [await createLearner(home), await createLearner(home)];
    const ask = (method: 'GET' | 'PUT' | 'DELETE', path = '', who = learner) =>
      call(app, { method, url: `${prefix}/users/notifications${path}`, session: who.session });
    const old = await tell(learner, 'Ancienne', { lu: true, minutes: 5 });
    const recent = await tell(learner, '<strong>Nouvelle</strong>');
    const foreign = await tell(other, 'Celle de quelqu un d autre');

    const list = await ask('GET');
    t.equal(list.statusCode, 200);
    t.same(list.json(), [
      { id: recent, message: '<strong>Nouvelle</strong>', lu: false, date_creation: clock.now().toISOString() },
      { id: old, message: 'Ancienne', lu: true, date_creation: new Date(clock.now().getTime() - 300_000).toISOString() },
    ]);
    t.same((await ask('GET', '/unread')).json(), { unread: 1 });

    for (const [method, path] of [
      ['PUT', `/${foreign}/read`],
      ['DELETE', `/${foreign}`],
      ['PUT', '/2147483647/read'],
      ['DELETE', '/2147483647'],
    ] as const) {
      const answer = await ask(method, path);
      t.equal(answer.statusCode, 404, `${method} ${path}`);
      t.same(answer.json(), { message: unknown });
    }
    t.equal((await ask('PUT', '/zero/read')).statusCode, 400);
    t.equal((await ask('DELETE', '/99999999999')).statusCode, 400);
    t.same(await left(other), [{ id: foreign, lu: false }], 'the notification of another learner stays unread');

    t.same((await ask('PUT', `/${recent}/read`)).json(), { message: 'Notification marquée comme lue' });
    t.equal((await ask('PUT', `/${recent}/read`)).statusCode, 200, 'a second call changes nothing');
    t.same((await left(learner))[1], { id: recent, lu: true });
    t.same((await ask('PUT', '/read')).json(), { message: 'Aucune notification non lue', marked: 0 });
    const seen = await tell(learner, 'Une autre');
    const unseen = await tell(learner, 'Venue depuis');
    const upTo = (payload: object) =>
      call(app, { method: 'PUT', url: `${prefix}/users/notifications/read`, session: learner.session, payload });
    t.equal((await upTo({ newestSeen: 'deux' })).statusCode, 400);
    t.equal((await upTo({ newestSeen: 0 })).json().marked, 0);
    t.equal((await upTo({ newestSeen: seen })).json().marked, 1);
    t.same(
      (await left(learner)).filter(({ lu }) => !lu),
      [{ id: unseen, lu: false }],
      'newer notifications stay unread',
    );
    t.same((await ask('PUT', '/read')).json(), { message: 'Toutes les notifications ont été marquées comme lues', marked: 1 });
    t.same(
      (await left(learner)).map(({ lu }) => lu),
      [true, true, true, true],
    );
    t.same((await ask('DELETE', `/${old}`)).json(), { message: 'Notification supprimée avec succès' });
    t.equal((await ask('DELETE', `/${old}`)).statusCode, 404);
    t.equal((await left(learner)).length, 3);
    t.same(await left(other), [{ id: foreign, lu: false }]);
  });
}

t.test('a deleted one-time notification keeps its row, hidden and without text', async (t) => {
  const learner = await createLearner(home);
  const id = await tell(learner, 'Votre accès prend fin demain.');
  await sql(databaseUrl, `update notification set key = 'rappel:1' where id = $1`, [id]);
  const ask = (method: 'GET' | 'PUT' | 'DELETE', path = '') =>
    call(app, { method, url: `/api/users/notifications${path}`, session: learner.session });
  t.equal((await ask('DELETE', `/${id}`)).statusCode, 200);
  t.same(await sql(databaseUrl, 'select key, message, deleted_at from notification where user_id = $1', [learner.id]), [
    { key: 'rappel:1', message: '', deleted_at: clock.now() },
  ]);
  t.same((await ask('GET')).json(), []);
  t.same((await ask('GET', '/unread')).json(), { unread: 0 });
  t.same((await ask('PUT', '/read')).json(), { message: 'Aucune notification non lue', marked: 0 });
  for (const [method, path] of [
    ['PUT', `/${id}/read`],
    ['DELETE', `/${id}`],
  ] as const)
    t.equal((await ask(method, path)).statusCode, 404, method);
  t.equal((await visit(app, `/user/notifications/${id}/supprimer`, learner.session)).statusCode, 404);
  t.equal((await page(learner)).empty, 'Aucune notification');
});

t.test('the list ends with the newest 200', async (t) => {
  const learner = await createLearner(home);
  await sql(
    databaseUrl,
    `insert into notification (user_id, message, lu, date_creation) select $1, n::text, false, now() - n * interval '1 minute' from generate_series(1, 201) n`,
    [learner.id],
  );
  const list = (await call(app, { url: '/api/users/notifications', session: learner.session })).json<{ message: string }[]>();
  t.equal(list.length, 200);
  t.equal(list[0]?.message, '1');
  t.equal(list[199]?.message, '200');
  const note = 'Les 200 plus récentes sont affichées.';
  t.match((await page(learner)).body, note);
  await sql(databaseUrl, `delete from notification where user_id = $1 and message::int < 3`, [learner.id]);
  t.notMatch((await page(learner)).body, note, '199 notifications are listed entirely');
});

t.test('without a session calls are refused, and the page redirects to the sign-in', async (t) => {
  t.equal((await call(app, { url: '/api/users/notifications' })).statusCode, 401);
  const { statusCode, headers } = await visit(app, '/user/notifications?onglet=lues');
  t.equal(statusCode, 303);
  t.equal(headers.location, '/?connexion=1&suite=%2Fuser%2Fnotifications%3Fonglet%3Dlues');
});

const page = async (learner: TestLearner, query = '') => {
  const { body, statusCode } = await visit(app, `/user/notifications${query}`, learner.session);
  const { document } = parseHTML(body);
  return {
    body,
    statusCode,
    document,
    messages: [...document.querySelectorAll('.notification__message')].map((p) => p.textContent?.trim()),
    empty: document.querySelector('.empty p')?.textContent ?? null,
  };
};

t.test('the page shows tabs with counts, times and search results', async (t) => {
  const learner = await createLearner(home);
  await tell(learner, 'Votre inscription à <strong>École &amp; co</strong> est confirmée.', { minutes: 3 });
  await tell(learner, 'Votre paiement a échoué.', { lu: true, minutes: 60 * 24 * 3 });
  const all = await page(learner);
  await assertValidHtml(t, all.body);
  t.same(
    [...all.document.querySelectorAll('.tabs a')].map((link) => [
      link.textContent,
      link.getAttribute('href'),
      link.getAttribute('aria-current'),
    ]),
    [
      ['Toutes (2)', '/user/notifications', 'page'],
      ['Non lues (1)', '/user/notifications?onglet=non-lues', null],
      ['Lues (1)', '/user/notifications?onglet=lues', null],
    ],
  );
  t.same(all.messages, ['Non lue : Votre inscription à École & co est confirmée.', 'Votre paiement a échoué.']);
  t.same(
    [...all.document.querySelectorAll('.notification time')].map((time) => time.textContent),
    ['Il y a 3 min', 'Il y a 3 jours'],
  );
  t.equal(all.document.querySelector('[data-island="notifications"]'), null, 'the page shows the list itself and has no panel island');
  t.same((await page(learner, '?onglet=lues')).messages, ['Votre paiement a échoué.']);
  t.same(
    [...all.document.querySelectorAll('.notification__tools :is(button, a)')].map((tool) => [
      tool.textContent,
      all.document.getElementById(tool.getAttribute('aria-describedby') ?? '')?.textContent?.trim(),
    ]),
    [
      ['Marquer comme lue', all.messages[0]],
      ['Supprimer', all.messages[0]],
      ['Supprimer', all.messages[1]],
    ],
    'each button names its message',
  );
  t.same((await page(learner, '?q=ECOLE')).messages, ['Non lue : Votre inscription à École & co est confirmée.']);
  const none = await page(learner, '?onglet=lues&q=ecole%22%3E');
  t.same([none.messages, none.empty], [[], 'Aucune notification ne correspond à votre recherche.']);
  t.equal(none.document.querySelector('#notifications-q')?.getAttribute('value'), 'ecole">');
  await assertValidHtml(t, none.body);
  for (const query of ['?onglet=autre', '?q=a&q=b', `?q=${'x'.repeat(101)}`, '?onglet[]=lues&q=%00'])
    t.equal((await page(learner, query)).statusCode, 200, query);
});

t.test('each empty tab has its own message', async (t) => {
  const learner = await createLearner(home);
  t.equal((await page(learner)).empty, 'Aucune notification');
  t.equal((await page(learner, '?onglet=non-lues')).empty, 'Aucune notification non lue');
  t.equal((await page(learner, '?onglet=lues')).empty, 'Aucune notification lue');
});

t.test('without script: read one, read all, delete after a confirmation, each returning to the same filters', async (t) => {
  const [learner, other] = [await createLearner(home), await createLearner(home)];
  const [second, first] = [await tell(learner, 'Deux', { minutes: 1 }), await tell(learner, 'Une')];
  const foreign = await tell(other, 'Autre');
  const post = async (path: string, fields = {}) => {
    const answer = await submit(app, `/user/notifications${path}`, fields, learner.session);
    return { ...answer, status: answer.statusCode, to: answer.headers.location, said: said(answer.cookies) };
  };
  t.match(await post(`/${first}/lire?onglet=non-lues&q=u`), {
    status: 303,
    to: '/user/notifications?onglet=non-lues&q=u',
    said: 'success: Notification marquée comme lue',
  });
  const shown = (await page(learner)).document.querySelector('input[name="newestSeen"]')?.getAttribute('value');
  const unseen = await tell(learner, 'Venue depuis');
  t.match(await post('/lire', { newestSeen: shown }), { said: 'success: Toutes les notifications ont été marquées comme lues' });
  t.same(
    (await left(learner)).filter(({ lu }) => !lu),
    [{ id: unseen, lu: false }],
    'newer notifications stay unread',
  );
  t.match(await post('/lire?onglet=%2F%2Fevil', { newestSeen: 'x' }), {
    status: 303,
    to: '/user/notifications',
    said: 'success: Toutes les notifications ont été marquées comme lues',
  });
  t.match(await post('/lire'), { status: 303, said: 'info: Aucune notification non lue' });

  const question = await visit(app, `/user/notifications/${second}/supprimer?onglet=lues`, learner.session);
  t.match(asWritten(question.body), 'Êtes-vous sûr de vouloir supprimer cette notification ?');
  await assertValidHtml(t, question.body);
  const { document } = parseHTML(question.body);
  t.equal(document.querySelector('.panel form')?.getAttribute('action'), `/user/notifications/${second}/supprimer?onglet=lues`);
  t.equal(document.querySelector('.panel form a')?.getAttribute('href'), '/user/notifications?onglet=lues');
  t.equal((await left(learner)).length, 3, 'the confirmation page deletes nothing');
  t.match(await post(`/${second}/supprimer?onglet=lues`), {
    status: 303,
    to: '/user/notifications?onglet=lues',
    said: 'success: Notification supprimée avec succès',
  });
  t.same(
    (await left(learner)).map(({ id }) => id),
    [first, unseen],
  );

  for (const path of [`/${foreign}/lire`, `/${foreign}/supprimer`, `/${second}/supprimer`, `/${second}/lire`])
    t.match(await post(path), { status: 303, to: '/user/notifications', said: `info: ${unknown}` }, path);
  t.equal((await visit(app, `/user/notifications/${foreign}/supprimer`, learner.session)).statusCode, 404);
  t.same(await left(other), [{ id: foreign, lu: false }]);
});

function said(cookies: { name: string; value: string }[]): string | undefined {
  const { value } = cookies.find(({ name }) => name === 'flash') ?? { value: '' };
  if (value === '') return undefined;
  const [toast] = JSON.parse(Buffer.from(value, 'base64url').toString()) as { kind: string; message: string }[];
  return `${toast?.kind}: ${toast?.message}`;
}

t.test('a list that cannot be read is replaced by an error message', async (t) => {
  const learner = await createLearner(home);
  await sql(databaseUrl, 'alter table notification rename to notification_away');
  const { statusCode, body } = await page(learner);
  await sql(databaseUrl, 'alter table notification_away rename to notification');
  t.equal(statusCode, 200);
  t.match(body, 'Erreur lors du chargement des notifications');
  t.match(body, 'Réessayer');
});
