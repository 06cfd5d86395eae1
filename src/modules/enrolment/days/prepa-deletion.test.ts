import t, { type Test } from 'tap';
import { call, createTestApp } from '../../../../test/support/app.ts';
import {
  createAdministrator,
  createDiscipline,
  createEnrolment,
  createItem,
  createLearner,
  createPayment,
  createPrepa,
} from '../../../../test/support/factories.ts';
import { holding, sql, untilBlocked } from '../../../../test/support/sql.ts';
import { dayMs, formatDate } from '../../../shared/dates.ts';

// Paid access is never deleted without a confirmation (design §4).

const site = await createTestApp(t);
const { app } = site;
const { session } = await createAdministrator(site);

async function course(t: Test) {
  const prepa = await createPrepa(site);
  const discipline = await createDiscipline(site, prepa.id);
  await createItem(site, discipline.id);
  const [active, ended] = [await createLearner(site), await createLearner(site)];
  await createEnrolment(site, active, prepa, 10);
  await createEnrolment(site, ended, prepa, -10, 'expired');
  await createPayment(site, active, prepa, 'succeeded');
  const remove = (what: string, confirmation?: string) =>
    call(app, { method: 'DELETE', url: `/api/${what}`, session, ...(confirmation === undefined ? {} : { payload: { confirmation } }) });
  const there = async () => (await sql(site.databaseUrl, 'select id from prepa where id = $1', [prepa.id])).length === 1;
  t.ok(await there());
  return { prepa, discipline, active, remove, there };
}

t.test('a prepa with active enrolments is deleted after its name is typed, and its cancelled enrolments keep its name', async (t) => {
  const { prepa, active, remove, there } = await course(t);
  for (const confirmation of [undefined, '', 'autre', prepa.nom.toLowerCase()]) {
    const answer = await remove(`prepas/${prepa.id}`, confirmation);
    t.equal(answer.statusCode, 409);
    t.match(answer.json(), { confirmationRequired: true, nom: prepa.nom });
    t.match(answer.json().message, 'Un candidat inscrit perdrait son accès payé.');
    t.ok(await there());
  }
  t.equal((await remove(`prepas/${prepa.id}`, prepa.nom)).statusCode, 200);
  t.notOk(await there());
  t.same(await sql(site.databaseUrl, `select statut, prepa_id, prepa_nom from enrolment where prepa_nom = $1`, [prepa.nom]), [
    { statut: 'cancelled', prepa_id: null, prepa_nom: prepa.nom },
    { statut: 'cancelled', prepa_id: null, prepa_nom: prepa.nom },
  ]);
  t.same(await sql(site.databaseUrl, 'select status, prepa_id, prepa_nom from payment where user_id = $1', [active.id]), [
    { status: 'succeeded', prepa_id: null, prepa_nom: prepa.nom },
  ]);
  const mine = (await call(app, { url: '/api/inscriptions/user/inscriptions', session: active.session })).json();
  t.match(mine, [{ statut: 'cancelled', prepa_nom: prepa.nom, prepa_id: null }]);
});

t.test('deleting a discipline with contents of a prepa with active enrolments requires its name too', async (t) => {
  const { prepa, discipline, remove } = await course(t);
  const answer = await remove(`disciplines/${discipline.id}`);
  t.equal(answer.statusCode, 409);
  t.match(answer.json(), { confirmationRequired: true, nom: discipline.nom });
  const empty = await createDiscipline(site, prepa.id);
  t.equal((await remove(`disciplines/${empty.id}`)).statusCode, 200, 'an empty discipline needs no confirmation');
  t.equal((await remove(`disciplines/${discipline.id}`, discipline.nom)).statusCode, 200);
});

t.test('ended enrolments need no confirmation', async (t) => {
  const prepa = await createPrepa(site);
  await createEnrolment(site, await createLearner(site), prepa, -1);
  t.equal((await call(app, { method: 'DELETE', url: `/api/prepas/${prepa.id}`, session })).statusCode, 200);
});

t.test('an open payment requires the name too', async (t) => {
  const prepa = await createPrepa(site);
  const learner = await createLearner(site);
  await createPayment(site, learner, prepa, 'pending');
  const remove = (payload?: object) =>
    call(app, { method: 'DELETE', url: `/api/prepas/${prepa.id}`, session, ...(payload ? { payload } : {}) });
  const answer = await remove();
  t.equal(answer.statusCode, 409);
  t.match(answer.json(), { confirmationRequired: true, message: /^Un paiement est en cours pour cette préparation\./ });
  t.equal((await remove({ confirmation: prepa.nom })).statusCode, 200);
});

t.test('all losses are listed at once: learners with the latest end, open payments, contents', async (t) => {
  const { prepa, discipline, remove, there } = await course(t);
  await createEnrolment(site, await createLearner(site), prepa, 20);
  await createItem(site, discipline.id, { kind: 'exercise' });
  for (const status of ['created', 'pending', 'failed'] as const) await createPayment(site, await createLearner(site), prepa, status);
  const end = formatDate(new Date(site.clock.now().getTime() + 20 * dayMs));
  const pertes = [
    `2 candidats inscrits perdraient leur accès payé. Le dernier de leurs accès va jusqu'au ${end}.`,
    "2 paiements sont en cours pour cette préparation. S'ils aboutissent, les sommes seront à rendre.",
    '2 contenus seraient supprimés : 1 leçon, 1 exercice.',
  ];
  const asked = await remove(`prepas/${prepa.id}`);
  t.equal(asked.statusCode, 409);
  t.match(asked.json(), { confirmationRequired: true, nom: prepa.nom, pertes });
  t.equal(asked.json().message, [...pertes, 'Pour supprimer cette préparation malgré tout, saisissez son nom.'].join(' '));
  const part = (await remove(`disciplines/${discipline.id}`)).json();
  t.same(part.pertes, [
    `2 candidats inscrits perdraient les contenus de cette discipline. Le dernier de leurs accès va jusqu'au ${end}.`,
    '2 contenus seraient supprimés : 1 leçon, 1 exercice.',
  ]);
  t.ok(await there());
  const confirmed = { confirmation: prepa.nom, vu: asked.json().vu };
  t.equal((await call(app, { method: 'DELETE', url: `/api/prepas/${prepa.id}`, session, payload: confirmed })).statusCode, 200);
  t.notOk(await there());
});

t.test('drafts are listed among the losses, and one that is written meanwhile asks again', async (t) => {
  const { prepa, discipline, remove, there } = await course(t);
  const write = async (titre: string) => {
    const payload = { titre, contenu: '<p>À venir.</p>', discipline_id: discipline.id, brouillon: true };
    t.equal((await call(app, { method: 'POST', url: '/api/lecons', session, payload })).statusCode, 201);
  };
  await write('Les suites');
  const one = (await remove(`disciplines/${discipline.id}`)).json();
  t.same(one.pertes.slice(1), ['Un contenu serait supprimé : 1 leçon.', 'Un brouillon serait supprimé.']);
  await write('');
  const confirmed = { confirmation: prepa.nom, vu: (await remove(`prepas/${prepa.id}`)).json().vu };
  await write('Les limites');
  const late = await call(app, { method: 'DELETE', url: `/api/prepas/${prepa.id}`, session, payload: confirmed });
  t.equal(late.statusCode, 409);
  t.match(late.json().pertes.at(-1), '3 brouillons seraient supprimés.');
  t.ok(await there());
  t.equal((await remove(`prepas/${prepa.id}`, prepa.nom)).statusCode, 200);
  const kept = await sql<{ label: string }>(
    site.databaseUrl,
    `select label, before->>'contenu' as contenu from audit_entry
     where action = 'deleted' and before->>'brouillon' = 'true' and (before->>'discipline_id')::int = $1 order by id`,
    [discipline.id],
  );
  t.same(
    kept,
    ['Les suites', 'Sans titre', 'Les limites'].map((label) => ({ label, contenu: '<p>À venir.</p>' })),
  );
});

t.test('a confirmation covers only the losses shown', async (t) => {
  const { prepa, discipline, active, there } = await course(t);
  const paying = await createPayment(site, await createLearner(site), prepa, 'pending');
  const statement = (text: string, values: unknown[]) => sql(site.databaseUrl, text, values);
  const changes: [string, () => Promise<unknown>, RegExp][] = [
    ['another learner', async () => createEnrolment(site, await createLearner(site), prepa, 5), /^2 candidats/],
    ['another payment', async () => createPayment(site, await createLearner(site), prepa, 'created'), /2 paiements sont en cours/],
    [
      'a payment that settles',
      async () => {
        const [row] = await statement('update payment set status = $2, settled_at = now() where id = $1 returning user_id', [
          paying.id,
          'succeeded',
        ]);
        return createEnrolment(site, { id: String(row?.user_id) }, prepa, 30);
      },
      /^3 candidats .* Un paiement est en cours/,
    ],
    [
      'days that are added',
      () => statement("update enrolment set date_expiration = date_expiration + interval '30 days' where user_id = $1", [active.id]),
      /^3 candidats/,
    ],
    ['another lesson', () => createItem(site, discipline.id, { numeroPage: 2 }), /2 contenus seraient supprimés : 2 leçons\./],
  ];
  for (const [what, url, nom] of [
    ['prepa', `/api/prepas/${prepa.id}`, prepa.nom],
    ['discipline', `/api/disciplines/${discipline.id}`, discipline.nom],
  ] as const) {
    const send = (vu: string | null) =>
      call(app, { method: 'DELETE', url, session, ...(vu === null ? {} : { payload: { confirmation: nom, vu } }) });
    let { vu } = (await send(null)).json();
    for (const [change, make, told] of what === 'prepa' ? changes : []) {
      await make();
      const refused = await send(vu);
      t.equal(refused.statusCode, 409, change);
      t.match(refused.json().pertes.join(' '), told, change);
      t.match(refused.json().message, /^Rien n'a été supprimé : la situation a changé depuis que vous l'avez vue\. /);
      t.not(refused.json().vu, vu);
      ({ vu } = refused.json());
    }
    if (what === 'discipline') {
      await createEnrolment(site, await createLearner(site), prepa, 5);
      t.equal((await send(vu)).statusCode, 409, 'an enrolment made meanwhile makes the confirmation outdated');
      ({ vu } = (await send(vu)).json());
      t.equal((await send(vu)).statusCode, 200);
    }
  }
  t.ok(await there());
  const { vu } = (await call(app, { method: 'DELETE', url: `/api/prepas/${prepa.id}`, session })).json();
  const both = await Promise.all(
    [1, 2].map(() => call(app, { method: 'DELETE', url: `/api/prepas/${prepa.id}`, session, payload: { confirmation: prepa.nom, vu } })),
  );
  t.same(both.map(({ statusCode }) => statusCode).sort(), [200, 404], 'of two concurrent confirmations one succeeds');
});

t.test('access granted after the losses were shown prevents the deletion', async (t) => {
  const { prepa, there, remove } = await course(t);
  const late = await createLearner(site);
  const { vu } = (await remove(`prepas/${prepa.id}`)).json();
  const insert = `insert into enrolment (user_id, prepa_id, prepa_nom, statut, date_inscription, date_expiration)
    values ('${late.id}', ${prepa.id}, 'x', 'active', now(), now() + interval '40 days')`;
  const deleting = await holding(site.databaseUrl, insert, async () => {
    const sent = call(app, { method: 'DELETE', url: `/api/prepas/${prepa.id}`, session, payload: { confirmation: prepa.nom, vu } });
    // The request is sent only when its promise is first used.
    const answer = sent.then((found) => found);
    await untilBlocked(site.databaseUrl, 1);
    return { answer };
  });
  const refused = await deleting.answer;
  t.equal(refused.statusCode, 409);
  t.match(refused.json().pertes[0], /^2 candidats inscrits perdraient/);
  t.ok(await there());
});

t.test('a prepa with very many contents is deleted in short statements, and the audit log has each item', async (t) => {
  const { prepa, discipline, remove, there } = await course(t);
  await sql(
    site.databaseUrl,
    `insert into item (discipline_id, kind, titre, numero_page, contenu, created_at, updated_at)
     select $1, 'course', 'Leçon ' || n, n, '<p>Texte</p>', now(), now() from generate_series(2, 250) n`,
    [discipline.id],
  );
  // Simulates a time limit, independent of this machine's speed.
  for (const statement of [
    `create function refuse_many() returns trigger language plpgsql as
     $$ begin if (select count(*) from added) > 100 then raise exception 'too many for one statement'; end if; return null; end $$`,
    `create trigger refuse_many after insert on audit_entry referencing new table as added for each statement execute function refuse_many()`,
  ])
    await sql(site.databaseUrl, statement);
  t.equal((await remove(`prepas/${prepa.id}`, prepa.nom)).statusCode, 200);
  t.notOk(await there());
  const written = await sql<{ label: string; page: number }>(
    site.databaseUrl,
    `select label, (before ->> 'numero_page')::int as page from audit_entry
     where action = 'deleted' and subject = 'course' and (before ->> 'discipline_id')::int = $1 order by id`,
    [discipline.id],
  );
  t.equal(written.length, 250);
  t.same(
    written.slice(1).map(({ label, page }) => [label, page]),
    Array.from({ length: 249 }, (_, n) => [`Leçon ${n + 2}`, n + 2]),
  );
});
