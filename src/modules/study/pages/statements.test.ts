import t from 'tap';
import { call, createTestApp, visit } from '../../../../test/support/app.ts';
import {
  createDiscipline,
  createEnrolment,
  createItem,
  createLearner,
  createPayment,
  createPrepa,
} from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';
import { statementsDuring } from '../../../../test/support/statements.ts';

// A page sends at most four statements (design §6). Hot pages use named statements, which PostgreSQL plans once per connection.

const home = await createTestApp(t);
const { app, databaseUrl } = home;

const learner = await createLearner(home);
const prepa = await createPrepa(home);
const discipline = await createDiscipline(home, prepa.id);
await createEnrolment(home, learner, prepa);
const fill = async (from: number, to: number) => {
  for (let page = from; page <= to; page += 1) await createItem(home, discipline.id, { numeroPage: page, titre: `Leçon ${page}` });
};
await fill(1, 2);
const subject = await createItem(home, discipline.id, { kind: 'pastExam', corrige: '<p>Corrigé</p>' });

const study = `/user/prepa/${prepa.id}/${discipline.id}`;
const trial = `/user/prepa/consultation/${prepa.id}`;

async function statements(url: string, session?: string) {
  // A first visit opens the connections. Sizes that it asks for are measured after its response.
  await visit(app, url, session);
  if (url.includes('/success/')) await call(app, { url: `/api/hors-ligne/prepas/${prepa.id}/tailles`, session: learner.session });
  let statusCode = 0;
  const sent = await statementsDuring(async () => {
    ({ statusCode } = await visit(app, url, session));
  });
  return { statusCode, names: sent.map(({ name }) => name) };
}

t.test('the study page: one named statement when it is cached, two when it is not', async (t) => {
  const known = await statements(study, learner.session);
  t.equal(known.statusCode, 200);
  t.equal(known.names.length, 1);
  await sql(databaseUrl, 'update item set version = version + 1');
  const unknown = await statementsDuring(async () => t.equal((await visit(app, study, learner.session)).statusCode, 200));
  t.equal(unknown.length, 2);
  for (const names of [known.names, unknown.map(({ name }) => name)]) t.notOk(names.includes(null), `all named: ${names.join(', ')}`);
});

t.test('hot pages read session and header in one statement, and an open prepa page sends no other', async (t) => {
  const stranger = await createLearner(home);
  for (const [url, { session }, count] of [
    [`/user/prepa/${prepa.id}`, learner, 1],
    ['/', learner, 2],
    ['/user/preparations', learner, 2],
    [trial, stranger, 2],
    [`${trial}/${discipline.id}`, stranger, 2],
    ['/user/dashboard', learner, 3],
  ] as const) {
    const { names } = await statements(url, session);
    t.equal(names.length, count, `${url}: ${names.join(', ')}`);
    t.notOk(names.includes(null));
  }
});

t.test('no page sends more than four statements, and more rows never mean more statements', async (t) => {
  const stranger = await createLearner(home);
  await sql(databaseUrl, `insert into practice (user_id, item_id, verdict, marked_at) values ($1, $2, 'a_revoir', now())`, [
    learner.id,
    subject.id,
  ]);
  const { reference } = await createPayment(home, learner, prepa, 'succeeded');
  const pages: [string, string | undefined, number][] = [
    ['/', undefined, 200],
    ['/', learner.session, 200],
    ['/login', undefined, 200],
    ['/user/dashboard', learner.session, 200],
    [`/user/prepa/${prepa.id}`, learner.session, 200],
    [`/user/prepaview/${prepa.id}`, learner.session, 200],
    ['/user/preparations', learner.session, 200],
    ['/user/preparations', undefined, 200],
    [trial, undefined, 200],
    [trial, stranger.session, 200],
    [trial, learner.session, 303],
    [study, learner.session, 200],
    [`${trial}/${discipline.id}`, undefined, 200],
    [`${trial}/${discipline.id}`, stranger.session, 200],
    [study, stranger.session, 303],
    [`/user/dashboard/success/${prepa.id}`, learner.session, 200],
    ['/user/dashboard/cancel', learner.session, 200],
    ['/user/recherche?q=texte', learner.session, 200],
    [`/user/recherche?q=texte&prepa=${prepa.id}`, learner.session, 200],
    [`/user/recherche?q=texte&prepa=${prepa.id}`, undefined, 200],
    [`${study}/entrainement?type=pastExam&item=${subject.id}&corrige=oui`, learner.session, 200],
    [`${study}/suite?type=pastExam&item=${subject.id}`, learner.session, 200],
    ['/user/a-revoir', learner.session, 200],
    ['/user/paiements', learner.session, 200],
    [`/user/paiements/${reference}`, learner.session, 200],
  ];
  const few = new Map<number, number>();
  for (const [index, [url, session, status]] of pages.entries()) {
    const { statusCode, names } = await statements(url, session);
    t.equal(statusCode, status, url);
    t.ok(names.length <= 4, `${url} asks ${names.length} times: ${names.join(', ')}`);
    few.set(index, names.length);
  }
  await fill(3, 30);
  for (let more = 0; more < 10; more += 1) {
    const extra = await createPrepa(home);
    await createDiscipline(home, prepa.id);
    await createEnrolment(home, learner, extra);
    await createPayment(home, learner, extra, 'pending');
  }
  for (const [index, [url, session]] of pages.entries()) t.equal((await statements(url, session)).names.length, few.get(index), url);
});
