// Slow: each test starts servers whose clocks are wrong.
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { dayMs } from '../src/shared/dates.ts';
import { TestClock } from './support/app.ts';
import { createAdministrator, createEnrolment, createLearner, createPrepa, type TestLearner } from './support/factories.ts';
import { insertExam } from './support/marked-exams.ts';
import { picture } from './support/multipart.ts';
import { numberQuestion } from './support/questions.ts';
import { sql } from './support/sql.ts';
import { runPrepa } from './support/terminal.ts';
import { createWorld, type Server } from './support/world.ts';

// A machine with a wrong clock must not change paid days or the payments that open them.

const world = await createWorld(t);
const { databaseUrl } = world;
const hour = dayMs / 24;

const wrongBy = (ms: number) => ({
  NODE_OPTIONS: `--import=${pathToFileURL(join(projectRoot, 'test/support/wrong-clock.mjs')).href}`,
  CLOCK_AHEAD_MS: String(ms),
});

/** Runs `prepa …` with a clock that is `ms` ahead. */
const prepaAhead = (ms: number, ...args: string[]) => runPrepa(args, { ...world.env, LOG_LEVEL: 'silent', ...wrongBy(ms) });

const started = new Map<number, Promise<Server>>();
/** Returns a server whose clock is `ms` ahead, shared by the tests. */
function serverAhead(ms: number): Promise<Server> {
  const server = started.get(ms) ?? world.startServer(ms === 0 ? {} : wrongBy(ms));
  started.set(ms, server);
  return server;
}
const rightServer = () => serverAhead(0);

/** Waits until a server has written this text after the output `before`. */
async function says(server: Server, text: string, before = ''): Promise<void> {
  while (!server.output().slice(before.length).includes(text)) await once(server.child.stdout ?? server.child, 'data');
}

/** Returns everything that learners own, which must not change. */
const holdings = () =>
  sql(
    databaseUrl,
    `select (select json_agg(e order by id) from enrolment e) as enrolments, (select json_agg(x order by id) from enrolment_extension x) as days,
            (select json_agg(p order by id) from payment p) as payments, (select json_agg(n order by id) from notification n) as notifications`,
  );

async function enrolled(days: number): Promise<{ learner: TestLearner; prepa: { id: number; nom: string }; id: number }> {
  const [learner, prepa] = [await createLearner(world), await createPrepa(world)];
  return { learner, prepa, id: await createEnrolment(world, learner, prepa, days) };
}

const statutOf = async (id: number) =>
  (await sql<{ statut: string }>(databaseUrl, 'select statut from enrolment where id = $1', [id]))[0]?.statut;

t.test('a clock 40 days ahead or behind ends, announces, adds or removes no enrolment days', async (t) => {
  const { learner, prepa } = await enrolled(20);
  const before = await holdings();
  const change = ['--email', learner.email, '--prepa', String(prepa.id), '--days', '3', '--reason', 'essai'];
  const expire = ['enrolments', 'expire'];
  for (const [ahead, says, commands] of [
    [-40 * dayMs, 'retarde de 40 jours', [expire]],
    [6 * 60_000, 'avance de 6 minutes', [expire]],
    [
      40 * dayMs,
      'avance de 40 jours',
      [
        expire,
        ['--json', 'enrolments', 'expire'],
        ['enrolments', 'expire', '--dry-run'],
        ['enrolments', 'expire', '--at', '2026-01-01'],
        ['enrolments', 'grant', ...change],
        ['enrolments', 'withdraw', ...change],
        ['payments', 'reconcile'],
      ],
    ],
  ] as const) {
    for (const command of commands) {
      const { code, out, error } = await prepaAhead(ahead, ...command);
      const expected = `Refusé : l'horloge de cette machine ${says} sur celle de la base de données. Rien n'a été changé : mettez-les à l'heure, puis recommencez.\n`;
      t.same([code, out, error], [1, '', expected], command.join(' '));
    }
  }
  t.same(await holdings(), before);
  const doctor = JSON.parse((await prepaAhead(40 * dayMs, 'doctor', '--json')).out) as {
    checks: { name: string; ok: boolean; detail: string }[];
  };
  t.match(
    doctor.checks.find(({ name }) => name === 'Horloge'),
    { ok: false, detail: /avance de 40 jours/ },
  );
});

t.test('a clock that is a few minutes off is accepted', async (t) => {
  const { id } = await enrolled(-1);
  t.match(await prepaAhead(4 * 60_000, 'enrolments', 'expire'), { code: 0, out: /^1 inscription\(s\) expirée\(s\)/ });
  t.equal(await statutOf(id), 'expired');
});

t.test('enrolments ended by a wrong clock are restored: with their days, a notification and a journal entry', async (t) => {
  const [told, untold, over, cancelled] = [await enrolled(20), await enrolled(2), await enrolled(-2), await enrolled(20)];
  const end = async () => sql(databaseUrl, 'select id, date_inscription, date_expiration from enrolment order by id');
  await world.prepa('enrolments', 'expire');
  const before = await end();
  // The rows as a machine with a fast clock would leave them.
  await sql(databaseUrl, `update enrolment set statut = 'expired' where id = any($1)`, [[told.id, untold.id]]);
  await sql(databaseUrl, `update enrolment set statut = 'cancelled' where id = $1`, [cancelled.id]);
  await sql(databaseUrl, 'update enrolment set announced_days = 0 where id = $1', [told.id]);
  await sql(
    databaseUrl,
    `insert into notification (user_id, message, lu, date_creation, key)
     select user_id, 'Votre accès a pris fin', false, now(), 'rappel:' || id || ':' || to_char(date_expiration at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || ':0'
     from enrolment where id = $1`,
    [told.id],
  );

  t.match(await world.prepa('enrolments', 'expire', '--dry-run'), /^0 inscription\(s\) à expirer, 2 à rétablir, /);
  t.match(await world.prepa('enrolments', 'expire'), /^0 inscription\(s\) expirée\(s\), 2 rétablie\(s\), /);
  t.same(
    JSON.parse(await world.prepa('--json', 'enrolments', 'expire')),
    { expired: 0, restored: 0, announced: 0, dryRun: false },
    'a second run changes no row',
  );
  t.same(await Promise.all([told, untold, over, cancelled].map(({ id }) => statutOf(id))), ['active', 'active', 'expired', 'cancelled']);
  t.same(await end(), before, 'the restored enrolments have their former end dates');

  const messages = async ({ learner }: typeof told) =>
    (await sql<{ message: string }>(databaseUrl, 'select message from notification where user_id = $1 order by id', [learner.id])).map(
      ({ message }) => message.replaceAll(/<[^>]*>/g, ''),
    );
  t.match(
    (await messages(told)).at(-1),
    new RegExp(`^Votre accès à ${told.prepa.nom} continue : vous y avez accès jusqu'au .* était une erreur de notre part\\.$`),
  );
  t.notMatch((await messages(untold)).join('\n'), 'continue', 'a learner without a wrong notification gets none now');
  t.match(await sql(databaseUrl, `select actor, action, after from audit_entry where action = 'restored'`), [
    { actor: 'terminal', after: { inscriptions: [untold.id, told.id] } },
  ]);

  await sql(databaseUrl, `update enrolment set date_expiration = date_expiration - interval '21 days' where id = $1`, [told.id]);
  await world.prepa('enrolments', 'expire');
  t.match((await messages(told)).at(-1), 'a pris fin', 'the real end is announced');
});

t.test('days granted before the restoration extend the remaining ones, and a deletion is refused because of them', async (t) => {
  const { id, learner, prepa } = await enrolled(20);
  const stand = () =>
    sql<{ date_expiration: Date }>(databaseUrl, 'select statut, date_inscription, date_expiration from enrolment where id = $1', [id]);
  const [before] = await stand();
  await sql(databaseUrl, `update enrolment set statut = 'expired' where id = $1`, [id]);
  const administrator = await createAdministrator(world);
  const server = await rightServer();
  const answer = await fetch(`${server.url}/api/prepas/${prepa.id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${administrator.token}`, accept: 'application/json', 'sec-fetch-site': 'same-origin' },
  });
  t.equal(answer.status, 409);
  t.match(((await answer.json()) as { message: string }).message, 'Un candidat inscrit perdrait son accès payé.');

  // Learners who were told of the end may pay again at once.
  await world.prepa('enrolments', 'grant', '--email', learner.email, '--prepa', String(prepa.id), '--days', '3', '--reason', 'essai');
  const end = new Date(Number(before?.date_expiration) + 3 * dayMs);
  t.same(await stand(), [{ ...before, statut: 'active', date_expiration: end }]);
});

t.test('a server whose clock is wrong begins and settles no payment, and says so in its log', async (t) => {
  const [learner, prepa] = [await createLearner(world), await createPrepa(world)];
  const post = (server: Server, path: string, body: object) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${learner.token}` },
      body: JSON.stringify(body),
    });
  const right = await rightServer();
  // A slow clock: days that it would open have already ended.
  const wrong = await serverAhead(-40 * dayMs);
  const { reference, amount, currency } = (await (await post(right, '/api/payment/start', { prepaId: prepa.id })).json()) as {
    [name: string]: string;
  };
  await world.simulator.setKnobs({ notificationTimes: 0 }, reference);
  await world.simulator.register({ receiver: 'prepa', ref: reference, amount, currency, notification_url: `${wrong.url}/x` } as never);
  await world.simulator.approve(String(reference));

  const before = await holdings();
  const other = await createPrepa(world);
  t.equal((await post(wrong, '/api/payment/start', { prepaId: other.id })).status, 503);
  t.equal((await post(wrong, '/api/payment/process', { transactionReference: reference })).status, 503);
  t.same(await holdings(), before);
  t.equal((await fetch(`${wrong.url}/`)).status, 200, 'pages that only read are still served');
  await says(wrong, '"alert":"clock"');
  t.notMatch(right.output(), '"alert":"clock"');
  t.match(await (await post(right, '/api/payment/process', { transactionReference: reference })).json(), { status: 'success' });
});

t.test('a notification received by a machine with a wrong clock is processed by one with the right clock', async (t) => {
  for (const ahead of [-40 * dayMs, 40 * dayMs]) {
    const [learner, prepa] = [await createLearner(world), await createPrepa(world)];
    const right = await rightServer();
    const wrong = await serverAhead(ahead);
    const started = await fetch(`${right.url}/api/payment/start`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${learner.token}` },
      body: JSON.stringify({ prepaId: prepa.id }),
    });
    const { reference, amount, currency } = (await started.json()) as Record<string, string>;
    await world.simulator.setKnobs({ notificationTimes: 0 }, String(reference));
    await world.simulator.register({ receiver: 'prepa', ref: reference, amount, currency, notification_url: `${wrong.url}/x` } as never);
    await world.simulator.approve(String(reference));
    const before = wrong.output();
    const announced = await fetch(`${wrong.url}/api/payment/zitopay/notification`, {
      method: 'POST',
      body: new URLSearchParams({ ref: String(reference) }),
    });
    t.equal(announced.status, 200);
    await says(wrong, 'background payment work failed', before);
    const stored = async () =>
      sql(
        databaseUrl,
        `select p.status, n.processed_at is not null as followed, abs(extract(epoch from now() - n.received_at)) < 300 as dated
         from payment_notification n join payment p on p.id = n.payment_id where n.reference = $1`,
        [reference],
      );
    t.same(await stored(), [{ status: 'pending', followed: false, dated: true }], 'stored, with the payment unchanged');
    await world.prepa('payments', 'reconcile');
    t.same(await stored(), [{ status: 'succeeded', followed: true, dated: true }], 'processed before the next scheduled check');
  }
});

t.test('a server that is hours ahead refuses to delete a prepa whose enrolments only seem to have ended', async (t) => {
  const { prepa, learner } = await enrolled(2 / 24);
  const administrator = await createAdministrator(world);
  const wrong = await serverAhead(4 * hour);
  const answer = await fetch(`${wrong.url}/api/prepas/${prepa.id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${administrator.token}`, accept: 'application/json', 'sec-fetch-site': 'same-origin' },
  });
  t.equal(answer.status, 503);
  t.match(await sql(databaseUrl, 'select statut from enrolment where user_id = $1', [learner.id]), [{ statut: 'active' }]);
});

t.test('a server that is ahead does not delete pictures of a text that is about to be saved', async (t) => {
  const administrator = await createAdministrator(world);
  await sql(
    databaseUrl,
    `update administrator_session set created_at = now() + interval '40 days', expires_at = now() + interval '1 year'`,
  );
  const upload = async (server: Server, colour: string) => {
    const form = new FormData();
    form.set('image', new Blob([new Uint8Array(await picture(colour))]), 'dessin.png');
    const headers = { authorization: `Bearer ${administrator.token}`, accept: 'application/json' };
    const answer = await fetch(`${server.url}/api/images`, { method: 'POST', headers, body: form });
    return ((await answer.json()) as { src: string }).src;
  };
  const right = await rightServer();
  const src = await upload(right, '#be0050');
  await upload(await serverAhead(40 * dayMs), '#0274d9');
  t.equal((await fetch(right.url + src, { headers: { authorization: `Bearer ${administrator.token}` } })).status, 200);
});

t.test('a server that is hours ahead opens no mock exam and marks none', async (t) => {
  const at = (hours: number) => new Date(Date.now() + hours * hour);
  const insert = async (opens: number) => {
    const exam = await insertExam(
      { ...world, clock: new TestClock(at(opens + 3)) },
      { papers: [{ contenu: numberQuestion('clockexam001', '7') }] },
    );
    await sql(databaseUrl, "insert into exam_seal (exam_id, key, sealed) values ($1, 'key', 'sealed')", [exam.id]);
    return exam.id;
  };
  const learner = await createLearner(world);
  const [planned, open] = [await insert(2), await insert(-1)];
  const [right, wrong] = [await rightServer(), await serverAhead(4 * hour)];
  const ask = async (server: Server, path: string) => {
    const answer = await fetch(server.url + path, {
      headers: {
        authorization: `Bearer ${learner.token}`,
        cookie: learner.session,
        accept: path.startsWith('/api') ? 'application/json' : 'text/html',
      },
    });
    return { status: answer.status, body: await answer.text() };
  };
  for (const [what, path, body] of [
    ['key', (id: number) => `/api/concours-blancs/${id}/cle`, 'cle"'],
    ['room', (id: number) => `/user/concours-blancs/${id}/salle`, 'clockexam001'],
  ] as const) {
    const shown = await ask(wrong, path(planned));
    t.equal(shown.status, 503, `${what} of a planned exam`);
    t.notMatch(shown.body, body);
    t.match(await ask(right, path(open)), { status: 200, body }, `${what} of an open exam`);
  }
  t.match(await prepaAhead(4 * hour, 'exams', 'mark', String(open)), { code: 1, error: /avance de 4 heures/ });
  t.same(await sql(databaseUrl, 'select from exam where marked_at is not null'), []);
});
