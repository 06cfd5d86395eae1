import { parseHTML } from 'linkedom';
import t from 'tap';
import { createTestApp, squeeze, submit, visit } from '../../../../test/support/app.ts';
import {
  createAdministrator,
  createDiscipline,
  createEnrolment,
  createItem,
  createLearner,
  createPrepa,
} from '../../../../test/support/factories.ts';
import { assertValidHtml } from '../../../../test/support/page-checks.ts';
import { sql } from '../../../../test/support/sql.ts';
import { dayMs } from '../../../shared/dates.ts';

const site = await createTestApp(t);
const { app, clock, databaseUrl } = site;

const form = { probleme: 'formule', endroit: 'Question 2 b', message: 'Le signe est faux.' };
const address = (item: { id: number }) => `/user/contenus/${item.id}/signaler`;
const reports = (item: { id: number }) =>
  sql<{ id: number; kind: string; place: string; message: string; closed_at: Date | null; answer: string | null }>(
    databaseUrl,
    'select id, kind, place, message, closed_at, answer from item_report where item_id = $1 order by id',
    [item.id],
  );
const told = async (learner: { id: string }) =>
  (await sql<{ message: string }>(databaseUrl, 'select message from notification where user_id = $1 order by id', [learner.id])).map(
    ({ message }) => message,
  );

async function course() {
  const prepa = await createPrepa(site, { nom: 'ENS' });
  const discipline = await createDiscipline(site, prepa.id);
  const first = await createItem(site, discipline.id, { titre: 'Suites' });
  const second = await createItem(site, discipline.id, { titre: 'Séries', numeroPage: 2 });
  const exercise = await createItem(site, discipline.id, { kind: 'exercise', titre: 'Limites', corrige: '<p>0</p>' });
  const learner = await createLearner(site);
  await createEnrolment(site, learner, prepa, 10);
  return { prepa, discipline, first, second, exercise, learner, study: `/user/prepa/${prepa.id}/${discipline.id}` };
}

async function page(url: string, session: string) {
  const answer = await visit(app, url, session);
  const { document } = parseHTML(answer.body);
  return {
    status: answer.statusCode,
    location: answer.headers.location,
    body: answer.body,
    document,
    main: squeeze(document.querySelector('main')?.textContent),
  };
}

t.test('a learner reports an error once and continues reading', async (t) => {
  const { second, exercise, learner, study, discipline } = await course();
  const shown = await page(address(second), learner.session);
  t.match(shown.main, 'Séries (ENS > ', 'the form names the item');
  t.equal(shown.document.querySelectorAll('input[name=probleme]').length, 4, 'a lesson has no correction that could be wrong');
  t.equal((await page(address(exercise), learner.session)).document.querySelectorAll('input[name=probleme]').length, 5);
  await assertValidHtml(t, shown.body);
  const back = `${study}?type=course&item=${second.id}`;
  const sent = await Promise.all([1, 2, 3].map(() => submit(app, address(second), form, learner.session)));
  for (const answer of sent) t.same([answer.statusCode, answer.headers.location], [303, back]);
  t.match(await reports(second), [{ kind: 'formule', place: 'Question 2 b', message: 'Le signe est faux.', closed_at: null }]);
  t.equal((await reports(second)).length, 1, 'three identical submissions make one report');
  const link = (await page(back, learner.session)).document.querySelector(`a[href="${address(second)}"]`);
  t.equal(squeeze(link?.textContent), 'Signaler une erreur', `in the page of discipline ${discipline.id}`);
});

t.test('the form shows its faults and keeps the typed text', async (t) => {
  const { second, learner } = await course();
  const refused = await submit(app, address(second), { probleme: 'rien', endroit: ' \0 ', message: 'é'.repeat(1001) }, learner.session);
  t.equal(refused.statusCode, 400);
  const { document } = parseHTML(refused.body);
  t.same(
    [...document.querySelectorAll('.field__error')].map(({ textContent }) => squeeze(textContent)),
    ['Choisissez ce qui ne va pas.', "Dites où se trouve l'erreur.", '1000 caractères au plus.'],
  );
  t.equal(document.querySelector('textarea')?.textContent.length, 1001);
  await assertValidHtml(t, refused.body);
  t.equal((await submit(app, address(second), { probleme: 'texte', endroit: 'x'.repeat(201) }, learner.session)).statusCode, 400);
  t.same(await reports(second), []);
});

t.test('only readable items can be reported: the trial by every learner, the rest by enrolled learners', async (t) => {
  const { first, second, prepa, study, learner } = await course();
  const stranger = await createLearner(site);
  t.equal((await submit(app, address(first), form, stranger.session)).statusCode, 303);
  t.equal((await reports(first)).length, 1);
  t.match(
    (await page(address(second), stranger.session)).location,
    study,
    'a locked item redirects to its study page, which shows the reason',
  );
  t.match((await submit(app, address(second), form, stranger.session)).headers.location, study);
  await sql(databaseUrl, 'update prepa set is_published = false where id = $1', [prepa.id]);
  await submit(app, address(first), { ...form, endroit: 'Ailleurs' }, stranger.session);
  t.equal((await reports(first)).length, 1);
  await submit(app, address(second), form, learner.session);
  t.equal((await reports(second)).length, 1, 'an enrolled learner keeps access');
  t.equal((await page('/user/contenus/999999/signaler', learner.session)).status, 404);
});

t.test('after twenty reports in a day the form refuses and keeps the typed text', async (t) => {
  const { second, learner } = await course();
  for (let count = 0; count < 20; count += 1) {
    t.equal((await submit(app, address(second), { ...form, endroit: `Question ${count}` }, learner.session)).statusCode, 303);
    clock.advance(60_000);
  }
  const refused = await submit(app, address(second), form, learner.session);
  t.equal(refused.statusCode, 429);
  t.equal(Number(refused.headers['retry-after']), (dayMs - 20 * 60_000) / 1000, 'the learner waits until the first report is a day old');
  t.match(refused.body, 'Le signe est faux.');
  clock.advance(dayMs - 20 * 60_000);
  t.equal((await submit(app, address(second), form, learner.session)).statusCode, 303);
});

t.test('administrators answer or close a report, and the learner is notified', async (t) => {
  const { first, second, learner, study, discipline } = await course();
  const administrator = await createAdministrator(site);
  await submit(app, address(first), form, learner.session);
  await submit(app, address(second), { ...form, message: '<b>Faux</b> & « bizarre »' }, learner.session);
  const [one, other] = [(await reports(first))[0], (await reports(second))[0]];
  const list = await page('/admin/signalements', administrator.session);
  t.match(list.main, /Séries ENS > .*Une formule fausse ou mal affichée : Question 2 b <b>Faux<\/b> & « bizarre »Par/);
  t.equal(
    list.document.querySelector(`#signalement-${other?.id} a`)?.getAttribute('href'),
    `/admin/discipline/${discipline.id}?type=course&item=${second.id}`,
    'the item is one click away',
  );
  await assertValidHtml(t, list.body);
  const waiting = ({ document }: typeof list) =>
    Number(/^\d*/.exec(document.querySelector('.sections__link[href="/admin/signalements"] .count')?.textContent ?? '')?.[0]);
  t.ok(waiting(list) >= 2, 'the menu shows the number of open reports');

  const treat = (id: number | undefined, reponse: string) =>
    submit(app, `/admin/signalements/${id}/traiter`, { reponse }, administrator.session);
  const tooLong = await treat(one?.id, 'x'.repeat(1001));
  t.equal(tooLong.statusCode, 400);
  t.match(parseHTML(tooLong.body).document.querySelector(`#signalement-${one?.id} .field__error`)?.textContent, '1000 caractères au plus.');
  const answers = await Promise.all([treat(one?.id, 'Corrigé, <merci>.'), treat(one?.id, 'Corrigé, <merci>.')]);
  for (const answer of answers) t.equal(answer.headers.location, '/admin/signalements');
  await treat(other?.id, '  ');
  t.match(
    [...(await reports(first)), ...(await reports(second))],
    [
      { answer: 'Corrigé, <merci>.', closed_at: Date },
      { answer: null, closed_at: Date },
    ],
  );
  t.same(await told(learner), [
    `Merci : votre signalement sur <a href="${study}?type=course&amp;item=${first.id}"><strong>Suites</strong></a> a été examiné. Réponse : Corrigé, &lt;merci&gt;.`,
    `Merci : votre signalement sur <a href="${study}?type=course&amp;item=${second.id}"><strong>Séries</strong></a> a été examiné.`,
  ]);
  const closed = await page('/admin/signalements?etat=traites', administrator.session);
  t.match(closed.main, /Séries.*sans réponse.*Suites.*Réponse : Corrigé, <merci>\./);
  const left = await page('/admin/signalements', administrator.session);
  for (const id of [one?.id, other?.id]) t.notOk(left.document.querySelector(`#signalement-${id}`), 'a closed report leaves the list');
  t.equal(waiting(left), waiting(list) - 2);
  const log = await sql<{ action: string }>(databaseUrl, "select action from audit_entry where subject = 'report' order by id");
  t.same(
    log.map(({ action }) => action),
    ['answered', 'closed'],
  );
});

t.test('a long list has further pages, and reports are deleted with their item', async (t) => {
  const { second, learner } = await course();
  const administrator = await createAdministrator(site);
  await sql(
    databaseUrl,
    `insert into item_report (item_id, user_id, kind, place, message, created_at)
     select $1, $2, 'texte', 'Ligne ' || n, '', $3 from generate_series(1, 30) n`,
    [second.id, learner.id, clock.now()],
  );
  const first = await page('/admin/signalements', administrator.session);
  t.equal(first.document.querySelectorAll('.record').length, 25);
  const next = first.document.querySelector('a[rel=next]')?.getAttribute('href') ?? '';
  t.match((await page(next, administrator.session)).main, 'Ligne 1');
  await sql(databaseUrl, 'delete from item where id = $1', [second.id]);
  t.same(await reports(second), []);
});
