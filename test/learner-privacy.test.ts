import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { grantEnrolment } from '../src/modules/enrolment/index.ts';
import { eraseLearner, exportLearner, findLearner, terminal } from '../src/modules/identity/index.ts';
import { decidePayment } from '../src/modules/payment/index.ts';
import { prune } from '../src/platform/pruning/pruning.ts';
import { call, createTestApp, openCommands, visit } from './support/app.ts';
import { createAdministrator, createDiscipline, createItem, createPayment, createPrepa } from './support/factories.ts';
import { numberQuestion } from './support/questions.ts';
import { holding, sql, untilBlocked } from './support/sql.ts';

// An export contains everything about a learner; after an erasure only the accounting data remains.

const site = await createTestApp(t);
const { app, databaseUrl } = site;
const kernel = await openCommands(t, site);
const query = <Row = Record<string, unknown>>(text: string, values?: unknown[]) => sql<Row>(databaseUrl, text, values);
const administrator = await createAdministrator(site, 'super_admin');
const prepa = await createPrepa(site);
const discipline = await createDiscipline(site, prepa.id);
const questionId = 'sumquestion1';
const items = [
  await createItem(site, discipline.id, { contenu: numberQuestion(questionId, '4') }),
  await createItem(site, discipline.id, { kind: 'exercise', corrige: '<p>42</p>' }),
];

const password = 'Concours-2026!';

interface Person {
  username: string;
  email: string;
  /** A telephone number as people write it, with spaces. */
  phone: string;
}

const digits = ({ phone }: Person): string => phone.replaceAll(' ', '');

/** Registers, which signs in, and signs in on two more devices. */
async function join({ username, email }: Omit<Person, 'phone'>): Promise<{ id: string; sessions: string[] }> {
  await call(app, { method: 'POST', url: '/api/users/register', payload: { username, email, password, confirmPassword: password } });
  const sessions = [await signIn(email), await signIn(email)].map(({ json }) => `userToken=${json.token}`);
  return { id: (await findLearner(kernel.fork(), email))?.id ?? '', sessions };
}

async function signIn(email: string, typed = password) {
  const answer = await call(app, {
    method: 'POST',
    url: '/api/users/login',
    payload: { email, password: typed },
    headers: { 'user-agent': 'Mozilla/5.0 (Linux; Android 14) Chrome/149.0' },
  });
  return { status: answer.statusCode, json: answer.json() };
}

/** Creates a learner with rows in each table, and with their names and telephone number in all free texts. */
async function live(person: Person): Promise<{ id: string; sessions: string[]; open: string }> {
  const { username, email, phone } = person;
  const joined = await join(person);
  const { id, sessions } = joined;
  const named = `${username} (${email.toUpperCase()}) a appelé du ${phone}`;
  await signIn(email, 'Faux-12345!');
  await grantEnrolment(kernel.fork(), kernel.context, { email, prepaId: prepa.id, reason: named.slice(0, 300) });

  const answer = { customer: { name: username, email, phone: `+237${digits(person)}` }, status: 'complete' };
  const open = await createPayment(site, { id }, prepa, 'pending');
  for (const status of ['succeeded', 'review', 'failed'] as const) {
    const payment = await createPayment(site, { id }, prepa, status);
    await query(`update payment set payer_phone_last = '1562' where id = $1`, [payment.id]);
    await query(
      `insert into payment_event (payment_id, type, actor, detail, at) values ($1, 'verification', 'reconciliation', $2, now()), ($1, 'transition', 'reconciliation', $3, now())`,
      [payment.id, { kind: 'failed', amount: 15_000, reason: named, answer }, { note: 'amount' }],
    );
    const bodies = [
      ['application/json', JSON.stringify(answer)],
      ['application/x-www-form-urlencoded', new URLSearchParams({ email, msisdn: `237${digits(person)}`, nom: username }).toString()],
    ];
    for (const [type, body] of bodies)
      await query(
        `insert into payment_notification (provider, reference, payment_id, content_type, body, headers, received_at)
         values ('zitopay', $1, $2, $3, convert_to($4, 'UTF8'), $5, now())`,
        [payment.reference, payment.id, type, body, { 'user-agent': `for ${email}` }],
      );
    if (status === 'review')
      await decidePayment(kernel.fork(), kernel.context, { payment: payment.id, decision: 'close', reason: `vu avec ${named}` }, terminal);
  }
  for (const body of [`mail=${encodeURIComponent(email)}`, JSON.stringify({ email }), JSON.stringify({ email }).replace('@', '\\u0040')])
    await query(
      `insert into payment_notification (provider, reference, content_type, body, received_at) values ('zitopay', 'INCONNU', '', convert_to($1, 'UTF8'), now())`,
      [body],
    );
  await query(
    `insert into payment_notification (provider, reference, content_type, body, received_at) values ('zitopay', 'INCONNU', '', '\\x00ff40', now())`,
  );

  for (const { id: item } of items) await query('insert into item_reading (user_id, item_id, read_at) values ($1, $2, now())', [id, item]);
  await query(`insert into practice (user_id, item_id, verdict, marked_at) values ($1, $2, 'reussi', now())`, [id, items[1]?.id]);
  await query(
    `insert into practice_mark (user_id, cle, item_id, verdict, points, possible, seconds, marked_at) values ($1, $2, $3, 'reussi', 13.5, 20, 2520, now())`,
    [id, randomUUID(), items[1]?.id],
  );
  await query(
    `insert into answer (user_id, cle, question_id, key_version, item_version, context, given, is_right, points, answered_at)
     values ($1, $2, $3, 1, 1, 'text', '{"typed": "4"}', true, 1, now())`,
    [id, randomUUID(), questionId],
  );
  await query(`insert into study_plan (user_id, prepa_id, choice, minutes) values ($1, $2, 'none', 30)`, [id, prepa.id]);
  await query(
    `insert into daily_session (id, user_id, prepa_id, day, part, asked, started_at) values ($1, $2, $3, current_date, 1, '[]', now())`,
    [randomUUID(), id, prepa.id],
  );
  await query(
    `insert into concours_outcome (user_id, prepa_id, day, outcome, answered_at) values ($1, $2, '2026-11-01', 'admitted', now())`,
    [id, prepa.id],
  );
  await query(
    `insert into series_attempt (id, user_id, item_id, mode, given, started_at) values ($1, $2, $3, 'exam', '{"sumquestion1": {"typed": "4"}}', now())`,
    [randomUUID(), id, items[1]?.id],
  );
  await sitExam(id, username);
  const [kept] = await query<{ id: number }>(
    `insert into offline_device (user_id, secret, nom, session_id, seen_at, created_at) values ($1, $2, 'Chrome, Android', $3, now(), now()) returning id`,
    [id, `secret-${randomUUID()}`, `session-${randomUUID()}`],
  );
  await query('insert into offline_copy (device_id, prepa_id, kept_at) values ($1, $2, now())', [kept?.id, prepa.id]);
  await query(`insert into offline_entry (user_id, cle, item_id, type, at, taken_at) values ($1, $2, $3, 'lu', now(), now())`, [
    ...[id, randomUUID(), items[0]?.id],
  ]);
  const [browser] = await query<{ id: number }>(
    `insert into push_subscription (user_id, endpoint, service, p256dh, auth, hour, created_at)
     values ($1, $2, 'push.example', '', '', 19, now()) returning id`,
    [id, `https://push.example/secret-${randomUUID()}`],
  );
  await query(
    `insert into push_message (subscription_id, service, topic, payload, due_at, expires_at) values ($1, 'push.example', 'fin-1', '{}', now(), now())`,
    [browser?.id],
  );
  await query('insert into letter_choice (user_id, weekly, ends, sent_on) values ($1, true, true, current_date)', [id]);
  await query(`insert into password_reset (id, user_id, created_at, expires_at) values ($1, $2, now(), now())`, [randomUUID(), id]);
  const reported = { type: 'texte', endroit: `page de ${username}`, message: `Rappelez-moi au ${phone} ou à ${email}` };
  await query(`insert into item_report (item_id, user_id, kind, place, message, created_at) values ($1, $2, $3, $4, $5, now())`, [
    items[0]?.id,
    id,
    reported.type,
    reported.endroit,
    reported.message,
  ]);
  const [report] = await query<{ id: number }>('select id from item_report where user_id = $1', [id]);
  const answered = await call(app, {
    method: 'POST',
    url: `/admin/signalements/${report?.id}/traiter`,
    session: administrator.session,
    payload: { reponse: `Merci ${username}, nous vous rappelons au ${phone}.` },
  });
  t.ok(answered.statusCode < 400, answered.body);
  await query(
    `insert into audit_entry (at, actor, action, subject, subject_id, label) values (now(), 'terminal', 'unlocked', 'learner', $1, $2)`,
    [id, username],
  );
  return { id, sessions, open: open.reference };
}

/** Inserts a learner's part in a mock exam, with their name as the pseudonym. */
async function sitExam(id: string, pseudonym: string): Promise<void> {
  const [exam] = await query<{ id: number; paper: number }>(
    `with exam as (
       insert into exam (prepa_id, titre, opens_at, closes_at, duree, bareme, audience, announced_at)
       values ($1, 'Concours blanc', now() - interval '2 days', now() - interval '1 day', 60, '{}', 'enrolled', now()) returning id)
     insert into exam_paper (exam_id, position, source_id, kind, titre, discipline) select id, 1, 1, 'pastExam', 'Sujet', 'Droit' from exam
     returning exam_id as id, id as paper`,
    [prepa.id],
  );
  await query(`insert into exam_sitting (exam_id, user_id, started_at, ends_at, pseudonym) values ($1, $2, now(), now(), $3)`, [
    ...[exam?.id, id, pseudonym],
  ]);
  await query(
    `insert into exam_batch (exam_id, user_id, device, number, sent_at, received_at, answers, network) values ($1, $2, $3, 1, now(), now(), $4, $5)`,
    [exam?.id, id, randomUUID(), JSON.stringify([{ q: 'q1', g: { typed: pseudonym }, t: 1 }]), 'secret-network-1'],
  );
  await query(
    `insert into exam_result (exam_id, user_id, answers, points, rights, wrongs, blanks, rank, by_paper)
     values ($1, $2, $3, 12.5, 1, 0, 0, 1, '{}')`,
    [exam?.id, id, JSON.stringify({ q1: { typed: pseudonym } })],
  );
  await query('insert into exam_self_mark (paper_id, user_id, points, marked_at) values ($1, $2, 11, now())', [exam?.paper, id]);
}

/** Tables that refer to a learner, directly or through payments and enrolments, with the referring column; from the catalogue. */
const hanging = await query<{ table: string; column: string; parent: string }>(`
  with recursive link as (
    select conrelid::regclass::text as "table", attname::text as "column", confrelid::regclass::text as parent
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1] where contype = 'f' and confrelid <> conrelid
  ), hanging as (
    select * from link where parent = 'app_user'
    union select link.* from link join hanging on link.parent = hanging.table
  ) select * from hanging order by "table"`);

/** Returns the number of a learner's rows by table. */
async function rowsOf(id: string): Promise<Record<string, number>> {
  const own = (table: string): string =>
    hanging
      .filter((link) => link.table === table)
      .map(({ column, parent }) =>
        parent === 'app_user' ? `${column} = '${id}'` : `${column} in (select id from ${parent} where ${own(parent)})`,
      )
      .join(' or ');
  const tables = [...new Set(hanging.map(({ table }) => table))];
  const counts = await Promise.all(
    tables.map(async (table) => [
      table,
      (await query<{ count: number }>(`select count(*)::int as count from ${table} where ${own(table)}`))[0]?.count ?? 0,
    ]),
  );
  return Object.fromEntries(counts);
}

/** Returns the values of all text-like columns of all tables, in lower case. */
async function everything(): Promise<string> {
  const columns = await query<{ table: string; column: string; type: string }>(
    `select quote_ident(c.table_name) as "table", quote_ident(c.column_name) as "column", c.data_type as type
     from information_schema.columns c join information_schema.tables using (table_schema, table_name)
     where c.table_schema = 'public' and table_type = 'BASE TABLE'
       and data_type in ('text', 'character varying', 'character', 'jsonb', 'json', 'bytea', 'tsvector', 'uuid', 'ARRAY', 'USER-DEFINED')`,
  );
  const texts = await Promise.all(
    columns.map(async ({ table, column, type }) => {
      const value = type === 'bytea' ? `encode(${column}, 'escape')` : `${column}::text`;
      return (await query<{ text: string | null }>(`select string_agg(${value}, E'\\n') as text from ${table}`))[0]?.text ?? '';
    }),
  );
  return texts.join('\n').toLowerCase();
}

const money = () =>
  query(`select status, prepa_id, count(*)::int, sum(amount)::int, sum(refunded_amount)::int,
                (select count(*)::int from payment_event), (select count(*)::int from payment_notification), (select sum(days)::int from enrolment_extension),
                (select string_agg(concat_ws(' ', payment_id, type, from_status, to_status, returned), ',' order by id) from payment_event)
         from payment group by status, prepa_id order by status`);

/** Returns the rows about another learner. */
async function rowsAbout(id: string) {
  const {
    exported_at: _,
    audit_entry,
    ...tables
  } = await exportLearner(
    kernel.fork(),
    kernel.context,
    terminal,
    (await query<{ email: string }>('select email from app_user where id = $1', [id]))[0]?.email ?? '',
  );
  // The export itself is recorded in the audit log, so that entry is left out.
  return { ...tables, audit_entry: (audit_entry as { action: string }[]).filter(({ action }) => action !== 'exported') };
}

const awa: Person = { username: 'Awa_Ngono', email: 'awa.ngono+prepa@gmail.com', phone: '699 48 15 62' };
const other: Person = { username: 'Autre_Personne', email: 'autre@gmail.com', phone: '677 20 31 94' };
const erase = (email: string) => eraseLearner(kernel.fork(), kernel.context, terminal, email);

/** Returns the forms of a person's data that occur in the text. */
function tracesIn(text: string, person: Person): string[] {
  const { username, email, phone } = person;
  const emails = [
    email,
    encodeURIComponent(email),
    email.replace('@', '\\u0040'),
    email.replace('@', '\\\\u0040'),
    email.split('@')[0] ?? '',
  ];
  return [username, ...emails, phone, digits(person)].filter((trace) => text.includes(trace.toLowerCase()));
}

t.test('an export holds each row, without secrets', async (t) => {
  const { id } = await live(awa);
  const { json } = await signIn(awa.email);
  const all = await exportLearner(kernel.fork(), kernel.context, terminal, awa.email.toUpperCase());
  const counts = await rowsOf(id);
  t.ok(
    Object.values(counts).every((count) => count > 0),
    `each table has rows: ${JSON.stringify(counts)}`,
  );
  t.same(Object.fromEntries(Object.keys(counts).map((table) => [table, all[table]?.length])), counts);
  t.match(all.app_user, [{ id, username: awa.username, email: awa.email }]);
  t.match(all.attempt_limit, [
    { name: 'sign-in-account', points: 1 },
    { name: 'sign-in-account-hour', points: 1 },
  ]);
  t.same((all.audit_entry as { subject: string }[]).map(({ subject }) => subject).sort(), ['enrolment', 'learner', 'payment', 'report']);
  t.match(all.payment_notification, [{ body: /"email":"awa/ }]);
  const text = JSON.stringify(all);
  const secrets = await query<{ secret: string }>(
    `select password_hash as secret from app_user union select id from session union select device from known_device union select id from password_reset
     union select secret from offline_device union select session_id from offline_device union select cle::text from offline_entry union select network from exam_batch`,
  );
  t.same(
    [json.token, ...secrets.map(({ secret }) => secret)].filter((secret) => text.includes(secret)),
    [],
  );
  await t.rejects(exportLearner(kernel.fork(), kernel.context, terminal, 'personne@gmail.com'), { code: 'RESOURCE.NOT_FOUND' });
});

t.test('an erasure is refused while payments are open, and names them', async (t) => {
  const [open] = await query<{ reference: string }>(`select reference from payment where status = 'pending'`);
  const before = await everything();
  await t.rejects(erase(awa.email), {
    message: `Ce compte ne peut pas être effacé tant que des paiements n'ont pas d'issue : ${open?.reference} (15 000 XAF, en attente). Vérifiez-les, ou décidez-en, puis recommencez.`,
  });
  t.equal(await everything(), before, 'a refused erasure changes no row');
  await t.rejects(erase('personne@gmail.com'), { code: 'RESOURCE.NOT_FOUND' });
});

t.test('after an erasure no table names the learner, and accounting data and other learners are unchanged', async (t) => {
  await query(`update payment set status = 'failed' where status = 'pending'`);
  const { sessions, id: otherId } = await live(other);
  await query(`update payment set status = 'failed' where status = 'pending'`);
  const awaId = (await findLearner(kernel.fork(), awa.email))?.id ?? '';
  t.ok(tracesIn(await everything(), awa).length > 5, 'several tables name the learner before the erasure');
  const [booked, others] = [await money(), await rowsAbout(otherId)];

  const session = `userToken=${(await signIn(awa.email)).json.token}`;
  t.equal((await visit(app, '/user/dashboard', session)).statusCode, 200);
  t.match(await erase(awa.email), { id: awaId });

  t.same(tracesIn(await everything(), awa), []);
  t.same(await money(), booked);
  t.same(await rowsAbout(otherId), others);
  t.equal((await visit(app, '/user/dashboard', sessions[0])).statusCode, 200);

  const counts = await rowsOf(awaId);
  const gone = [
    'session',
    'known_device',
    'password_reset',
    'item_reading',
    'discipline_progress',
    'practice',
    'practice_mark',
    'answer',
    'question_state',
    'series_attempt',
    'exam_sitting',
    'exam_batch',
    'exam_result',
    'exam_self_mark',
    'notification',
    'offline_device',
    'offline_copy',
    'offline_entry',
  ];
  t.same(
    gone.filter((table) => counts[table] !== 0),
    [],
  );
  const away = await call(app, { url: '/api/users/notifications', session });
  t.match([away.statusCode, away.json()], [401, { expired: true }]);
  const [entry] = await query(
    `select action, subject, subject_id, label, before, after from audit_entry where action <> 'exported' order by id desc limit 1`,
  );
  t.same(entry, { action: 'erased', subject: 'learner', subject_id: awaId, label: 'Compte effacé', before: null, after: null });
  await t.rejects(erase(awa.email), { code: 'RESOURCE.NOT_FOUND' }, 'a second erasure finds no account');
});

t.test('the administration shows the payments of an erased learner, and the journal records the erasure', async (t) => {
  const [payment] = await query<{ id: number }>(
    `select p.id from payment p join app_user u on u.id = p.user_id where erased_at is not null and status = 'succeeded'`,
  );
  const list = await visit(app, '/admin/paiements', administrator.session);
  t.match(list.body, /compte-efface-[0-9a-f]{12}@efface\.invalid/);
  const story = await visit(app, `/admin/paiements/${payment?.id}`, administrator.session);
  t.equal(story.statusCode, 200);
  t.match(story.body, /Compte effacé [0-9a-f]{12}/);
  const journal = await visit(app, '/admin/journal?action=erased', administrator.session);
  t.match(journal.body, /Effacement/);
  t.match(journal.body, 'Compte effacé');
});

t.test('a payment started while its learner is being erased is refused', async (t) => {
  const { id, sessions } = await join({ username: 'Pressee', email: 'pressee@gmail.com' });
  const answer = await holding(databaseUrl, `select from app_user where id = '${id}' for update`, async (also) => {
    const starting = call(app, { method: 'POST', url: '/api/payment/start', session: sessions[0], payload: { prepaId: prepa.id } });
    await untilBlocked(databaseUrl, 1);
    await also(`update app_user set erased_at = now() where id = '${id}'`);
    return { starting };
  });
  t.equal((await answer.starting).statusCode, 401);
  t.same(await query('select id from payment where user_id = $1', [id]), []);
});

t.test('the e-mail and the name are free again, and nothing of the former account comes with them', async (t) => {
  t.equal((await signIn(awa.email)).status, 401);
  const { id, sessions } = await join(awa);
  t.match(id, /^[0-9a-f-]{36}$/);
  const counts = await rowsOf(id);
  t.same(
    Object.entries(counts).filter(([, count]) => count > 0),
    [
      ['known_device', 3],
      ['session', 3],
    ],
  );
  t.equal((await visit(app, '/user/dashboard', sessions[0])).statusCode, 200);
  t.match(await erase(awa.email), { id });
});

t.test('later notifications about an erased payment are removed by the next pruning', async (t: Test) => {
  const [payment] = await query<{ id: number }>(
    `select p.id from payment p join app_user u on u.id = p.user_id where erased_at is not null and status = 'succeeded'`,
  );
  await query(`update payment set payer_phone_last = '1562' where id = $1`, [payment?.id]);
  await query(`insert into payment_event (payment_id, type, actor, detail, at) values ($1, 'verification', 'reconciliation', $2, now())`, [
    payment?.id,
    { kind: 'refunded', answer: { email: awa.email } },
  ]);
  await query(
    `insert into payment_notification (provider, reference, payment_id, content_type, body, received_at) values ('zitopay', 'x', $1, '', convert_to($2, 'UTF8'), now())`,
    [payment?.id, awa.email],
  );
  const run = (dryRun: boolean) =>
    prune(kernel.fork(), kernel.context, kernel.prunings, { retention: kernel.config.retention, dryRun }).then(
      ({ payer_traces }) => payer_traces,
    );
  t.same([await run(true), await run(false), await run(false)], [3, 3, 0]);
  t.notMatch(await everything(), awa.email);
  const [last] = await query(`select detail from payment_event where payment_id = $1 order by id desc limit 1`, [payment?.id]);
  t.same(last, { detail: { kind: 'refunded' } });
});

t.test('append-only tables can be changed only by an erasure, which changes no accounting data', async (t) => {
  const erasing = (statement: string) => query(`begin; select set_config('prepa.erasing', 'on', true); ${statement}; rollback`);
  for (const table of ['audit_entry', 'payment_event', 'enrolment_extension']) {
    await t.rejects(query(`update ${table} set id = id`), { message: `${table} is append-only` });
    await t.rejects(erasing(`delete from ${table}`), { message: `${table} is append-only` });
    await t.rejects(erasing(`truncate ${table} cascade`), { message: /is append-only$/ });
  }
  for (const change of [
    `audit_entry set actor = 'x'`,
    `audit_entry set action = 'x'`,
    `payment_event set returned = 1`,
    `payment_event set at = now()`,
    `enrolment_extension set days = 1000`,
  ])
    await t.rejects(erasing(`update ${change}`), { message: /is append-only$/ }, change);
  await t.resolves(erasing(`update payment_event set detail = null`));
});
