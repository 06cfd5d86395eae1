import t, { type Test } from 'tap';
import { call, createTestApp } from '../../../test/support/app.ts';
import {
  createAdministrator,
  createDiscipline,
  createEnrolment,
  createItem,
  createLearner,
  createPayment,
  createPrepa,
} from '../../../test/support/factories.ts';
import { sql } from '../../../test/support/sql.ts';

// What learners have paid for is never destroyed in silence (design §4).

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

t.test('a prepa with active enrolments is deleted only when its name is typed; they are cancelled and keep its name', async (t) => {
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

t.test('a discipline with contents of a prepa with active enrolments asks for its name as well', async (t) => {
  const { prepa, discipline, remove } = await course(t);
  const answer = await remove(`disciplines/${discipline.id}`);
  t.equal(answer.statusCode, 409);
  t.match(answer.json(), { confirmationRequired: true, nom: discipline.nom });
  const empty = await createDiscipline(site, prepa.id);
  t.equal((await remove(`disciplines/${empty.id}`)).statusCode, 200, 'an empty one takes nothing from anybody');
  t.equal((await remove(`disciplines/${discipline.id}`, discipline.nom)).statusCode, 200);
});

t.test('enrolments that have ended ask for nothing', async (t) => {
  const prepa = await createPrepa(site);
  await createEnrolment(site, await createLearner(site), prepa, -1);
  t.equal((await call(app, { method: 'DELETE', url: `/api/prepas/${prepa.id}`, session })).statusCode, 200);
});

t.test('a payment under way asks for the name too', async (t) => {
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
