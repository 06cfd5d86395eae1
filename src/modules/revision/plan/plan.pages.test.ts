import t from 'tap';
import { createTestApp, submit, visit } from '../../../../test/support/app.ts';
import { createAdministrator, createEnrolment, createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { dayIn, dayMs, formatDate } from '../../../shared/dates.ts';

const home = await createTestApp(t);
const { app, clock } = home;

const later = (days: number) => new Date(clock.now().getTime() + days * dayMs);
const isoLater = (days: number) => dayIn(later(days));
const dashboard = async (session: string) =>
  (await visit(app, '/user/dashboard', session)).body.replaceAll(/<span class="nobreak">([^<]*)<\/span>/g, '$1');

async function learnerOf(days = 60) {
  const prepa = await createPrepa(home);
  const learner = await createLearner(home);
  await createEnrolment(home, learner, prepa, days);
  return { prepa, learner, url: `/user/concours/${prepa.id}` };
}

t.test('the date of the prepa counts until the learner sets one, and may set none', async (t) => {
  const { prepa, learner, url } = await learnerOf();
  t.match(await dashboard(learner.session), 'Quand est votre concours ?');
  const administrator = await createAdministrator(home);
  await submit(app, `/admin/concours/${prepa.id}`, { date: isoLater(23) }, administrator.session);
  t.match(await dashboard(learner.session), '<strong>J-23</strong>');
  t.match(await dashboard(learner.session), formatDate(later(23)));

  await submit(app, url, { choix: 'own', date: isoLater(9), minutes: '30' }, learner.session);
  t.match(await dashboard(learner.session), '<strong>J-9</strong>');
  const form = (await visit(app, url, learner.session)).body;
  t.match(form, `value="${isoLater(9)}"`);
  t.match(form, 'value="30" checked');

  await submit(app, url, { choix: 'none', date: isoLater(9) }, learner.session);
  t.match(await dashboard(learner.session), 'Quand est votre concours ?');
  t.match((await visit(app, url, learner.session)).body, 'value="30" checked', 'the minutes stay');
  await submit(app, url, { choix: 'prepa', minutes: '5' }, learner.session);
  t.match(await dashboard(learner.session), '<strong>J-23</strong>');
});

t.test('the day itself, and the question after it, asked once and counted', async (t) => {
  const { prepa, learner, url } = await learnerOf();
  const day = isoLater(1);
  await submit(app, url, { choix: 'own', date: day }, learner.session);
  clock.advance(dayMs);
  t.match(await dashboard(learner.session), '<strong>Jour J</strong>');
  t.notMatch(await dashboard(learner.session), "Comment cela s'est-il passé");
  clock.advance(dayMs);
  t.match(await dashboard(learner.session), "Comment cela s'est-il passé ?");
  await submit(app, `${url}/resultat`, { resultat: 'admitted', date: day }, learner.session);
  const answered = await dashboard(learner.session);
  t.notMatch(answered, "Comment cela s'est-il passé");
  t.match(answered, 'Nouvelle date');

  const administrator = await createAdministrator(home);
  const list = (await visit(app, `/admin/concours?apres=${prepa.id - 1}`, administrator.session)).body;
  t.match(list, '1 reçu, 0 non reçu, 0 sans résultat encore');
  await submit(app, url, { choix: 'none' }, learner.session);
  t.notMatch(await dashboard(learner.session), 'Nouvelle date');
});

t.test('with two prepas, the nearest date and each day that has passed are shown with their names', async (t) => {
  const { prepa, learner, url } = await learnerOf();
  const other = await createPrepa(home);
  await createEnrolment(home, learner, other, 30);
  t.match(await dashboard(learner.session), /Quand est votre concours \?[^<]*\((.+)\)/, 'without a date, the line names its prepa');
  await submit(app, url, { choix: 'own', date: isoLater(9) }, learner.session);
  await submit(app, `/user/concours/${other.id}`, { choix: 'own', date: isoLater(4) }, learner.session);
  const nearest = await dashboard(learner.session);
  t.match(nearest, '<strong>J-4</strong>');
  t.match(nearest, `le ${formatDate(later(4))}, ${other.nom}`);
  clock.advance(4 * dayMs);
  t.match(await dashboard(learner.session), '<strong>Jour J</strong>');
  clock.advance(dayMs);
  const after = await dashboard(learner.session);
  t.match(after, `Votre concours était le ${formatDate(later(-1))} (${other.nom}).`);
  t.match(after, '<strong>J-4</strong>');
  t.match(after, `le ${formatDate(later(4))}, ${prepa.nom}`);
  clock.advance(5 * dayMs);
  t.equal((await dashboard(learner.session)).split("Comment cela s'est-il passé").length - 1, 2, 'each is asked about');
});

t.test('beside the question after the day, a new date or none is one tap', async (t) => {
  const { learner, url } = await learnerOf();
  await submit(app, url, { choix: 'own', date: isoLater(1) }, learner.session);
  clock.advance(2 * dayMs);
  const asked = await dashboard(learner.session);
  t.match(asked, "Comment cela s'est-il passé ?");
  t.match(asked, `href="${url}">Nouvelle date</a>`);
  t.match(asked, new RegExp(`formaction="${url}" name="choix" value="none">Sans date</button>`));
  await submit(app, url, { date: isoLater(-1), choix: 'none' }, learner.session);
  t.match(await dashboard(learner.session), 'Quand est votre concours ?');
});

t.test('an own date that has passed may stay while the minutes change, but no other past one', async (t) => {
  const { learner, url } = await learnerOf();
  await submit(app, url, { choix: 'own', date: isoLater(1), minutes: '15' }, learner.session);
  clock.advance(3 * dayMs);
  const stays = await submit(app, url, { choix: 'own', date: isoLater(-2), minutes: '30' }, learner.session);
  t.equal(stays.statusCode, 303);
  const form = (await visit(app, url, learner.session)).body;
  t.match(form, 'value="30" checked');
  t.match(form, `min="${isoLater(-2)}"`);
  t.equal((await submit(app, url, { choix: 'own', date: isoLater(-1), minutes: '30' }, learner.session)).statusCode, 400);
});

t.test("a result for a day that is no longer the learner's, or has not passed, is not kept", async (t) => {
  const { prepa, learner, url } = await learnerOf();
  await submit(app, url, { choix: 'own', date: isoLater(5) }, learner.session);
  for (const days of [4, 5]) await submit(app, `${url}/resultat`, { resultat: 'failed', date: isoLater(days) }, learner.session);
  const administrator = await createAdministrator(home);
  const list = (await visit(app, `/admin/concours?apres=${prepa.id - 1}`, administrator.session)).body;
  t.match(list, "Aucun candidat n'a encore dit");
});

t.test('dates and choices that cannot be kept are refused in the form, with what was typed', async (t) => {
  const { prepa, learner, url } = await learnerOf();
  const refusals: [fields: Record<string, string>, message: string][] = [
    [{ choix: 'own', date: '', minutes: '15' }, 'Indiquez une date'],
    [{ choix: 'own', date: '2027-02-31', minutes: '15' }, 'Indiquez une date'],
    [{ choix: 'own', date: '31/02/2027', minutes: '15' }, 'Indiquez une date'],
    [{ choix: 'own', date: isoLater(-1), minutes: '15' }, 'Cette date est passée'],
    [{ choix: 'own', date: isoLater(800), minutes: '15' }, 'Cette date est à plus de deux ans'],
    [{ choix: 'own', date: isoLater(3), minutes: '17' }, 'Choisissez le temps que vous avez par jour'],
    [{ choix: 'none', date: isoLater(3), minutes: '15' }, 'Vous avez écrit une date'],
    [{ choix: 'prepa', date: '21/12', minutes: '15' }, 'Vous avez écrit une date'],
    [{ choix: 'x', minutes: '15' }, 'Choisissez une date, ou'],
    [{}, 'Choisissez une date, ou'],
  ];
  for (const [fields, message] of refusals) {
    const { statusCode, body } = await submit(app, url, fields, learner.session);
    t.equal(statusCode, 400, message);
    t.match(body, message);
    if (fields.date) t.match(body, `value="${fields.date}"`);
    if (!fields.minutes) t.match(body, 'value="15" checked', 'the time a day stays');
  }
  const [, month, day] = isoLater(20).split('-');
  await submit(app, url, { choix: 'own', date: `${day}/${month}/${isoLater(20).slice(0, 4)}` }, learner.session);
  t.match(await dashboard(learner.session), '<strong>J-20</strong>', 'typed as people write it');

  const administrator = await createAdministrator(home);
  const refused = await submit(app, `/admin/concours/${prepa.id}`, { date: isoLater(-1) }, administrator.session);
  t.equal(refused.statusCode, 400);
  t.match(refused.body, 'Cette date est passée');
});

t.test('a form sent after the sign-in has ended comes back to its page, and its address leads to one', async (t) => {
  const { learner, url } = await learnerOf();
  const sent = await submit(app, url, { choix: 'none' });
  t.match(decodeURIComponent(String(sent.headers.location)), url);
  t.equal((await visit(app, `${url}/resultat`, learner.session)).headers.location, '/user/dashboard');
});

t.test('only for prepas in which the learner is, or was until recently', async (t) => {
  const { learner } = await learnerOf();
  const other = await createPrepa(home);
  t.equal((await visit(app, `/user/concours/${other.id}`, learner.session)).statusCode, 404);
  t.equal((await submit(app, `/user/concours/${other.id}`, { choix: 'none' }, learner.session)).statusCode, 404);
  const ended = await learnerOf(-3);
  t.equal((await visit(app, ended.url, ended.learner.session)).statusCode, 200);
});

t.test("a date that is none is named, on whichever page of the administrators' list", async (t) => {
  const prepa = await createPrepa(home);
  const administrator = await createAdministrator(home);
  const url = `/admin/concours/${prepa.id}?apres=${prepa.id - 1}`;
  for (const date of ['31/02/2027', 'demain']) {
    const { body, statusCode } = await submit(app, url, { date }, administrator.session);
    t.equal(statusCode, 400);
    t.match(body, 'Indiquez une date');
    t.match(body, `/admin/concours/${prepa.id}?apres=${prepa.id - 1}`);
  }
  const saved = await submit(app, url, { date: isoLater(30) }, administrator.session);
  t.equal(saved.headers.location, `/admin/concours?apres=${prepa.id - 1}`);
});
