import { parseHTML } from 'linkedom';
import t, { type Test } from 'tap';
import { call, createTestApp, submit, visit } from '../../../../../test/support/app.ts';
import { createAnnouncedExam, createBatch, createExam, createSitting, minuteMs, passExam } from '../../../../../test/support/exams.ts';
import { createAdministrator, createDiscipline, createItem, createLearner, createPrepa } from '../../../../../test/support/factories.ts';
import { choiceQuestion, textQuestion } from '../../../../../test/support/questions.ts';
import { sql } from '../../../../../test/support/sql.ts';
import { textOf } from '../../../../../test/support/support-screens.ts';
import { formatInstant } from '../../../../shared/dates.ts';
import { writeDoualaTime } from '../../../../shared/exams/exam-form.ts';

const site = await createTestApp(t);
const { app, clock, databaseUrl } = site;
const read = (html: string) => parseHTML(html).document;
let { session } = await createAdministrator(site);
/** The clock has moved: earlier sessions have ended. */
const signInAgain = async () => {
  session = (await createAdministrator(site)).session;
};
const inHours = (hours: number) => writeDoualaTime(new Date(clock.now().getTime() + hours * 60 * minuteMs));
const formOf = (prepaId: number, more: Record<string, string> = {}) => ({
  prepa: String(prepaId),
  titre: 'ENAM blanc n° 1',
  ouverture: inHours(24),
  fermeture: inHours(28),
  duree: '120',
  grace: '30',
  bareme: '1 ; -0,25 ; 0',
  audience: 'learners',
  consignes: 'Sans calculatrice.',
  ...more,
});
const page = async (t: Test, url: string) => {
  const answer = await visit(app, url, session);
  t.equal(answer.statusCode, 200, url);
  return read(answer.body);
};
const idIn = (location: unknown): number => Number(/concours-blancs\/(\d+)/.exec(String(location))?.[1]);
const journal = (id: number) =>
  sql<{ action: string; before: Record<string, unknown>; after: Record<string, unknown> }>(
    databaseUrl,
    "select action, before, after from audit_entry where subject = 'exam' and subject_id = $1 order by id",
    [String(id)],
  );

t.test('an exam is created from its form; a refused form keeps what was typed and names each fault', async (t) => {
  const prepa = await createPrepa(site);
  const long = 'x'.repeat(600);
  const refused = await submit(
    app,
    '/admin/concours-blancs',
    formOf(prepa.id, { duree: '3', consignes: long, fermeture: 'demain' }),
    session,
  );
  t.equal(refused.statusCode, 400);
  const again = read(refused.body);
  t.equal(again.querySelector('#exam-titre')?.getAttribute('value'), 'ENAM blanc n° 1');
  t.equal(textOf(again.querySelector('#exam-consignes')), long);
  t.match(textOf(again.querySelector('#exam-duree-error')), /5 à 600/);
  t.match(textOf(again.querySelector('#exam-fermeture-error')), /par exemple/);
  const created = await submit(app, '/admin/concours-blancs', formOf(prepa.id), session);
  const id = idIn(created.headers.location);
  t.equal(created.headers.location, `/admin/concours-blancs/${id}/epreuves`);
  const shown = await page(t, `/admin/concours-blancs/${id}`);
  t.match(textOf(shown.querySelector('.summary')), /Juste : \+1 · Faux : −0,25/);
  t.match(textOf(shown.querySelector('main')), /Sans calculatrice/);
  t.match(await journal(id), [{ action: 'created', after: { titre: 'ENAM blanc n° 1', bareme: '1 ; -0,25 ; 0' } }]);
  t.match(textOf((await page(t, '/admin/concours-blancs')).querySelector('.records')), /ENAM blanc n° 1/);
  const unknown = await submit(app, '/admin/concours-blancs', formOf(999_999), session);
  t.match(textOf(read(unknown.body).querySelector('#exam-prepa-error')), /n'existe/);
});

t.test('two administrators: the second save is refused with what is stored, and the next one is taken', async (t) => {
  const prepa = await createPrepa(site);
  const id = idIn((await submit(app, '/admin/concours-blancs', formOf(prepa.id), session)).headers.location);
  const url = `/admin/concours-blancs/${id}/modifier`;
  const seen = (await page(t, url)).querySelector('[name="revision"]')?.getAttribute('value') ?? '';
  t.equal((await submit(app, url, formOf(prepa.id, { revision: seen, titre: 'Le premier titre' }), session)).statusCode, 303);
  const late = await submit(app, url, formOf(prepa.id, { revision: seen, titre: 'Le second titre', duree: '90' }), session);
  t.equal(late.statusCode, 409);
  const again = read(late.body);
  t.same([...again.querySelectorAll('.alert--error li')].map(textOf), ['Titre : Le premier titre', 'Durée : 120']);
  t.equal(again.querySelector('#exam-titre')?.getAttribute('value'), 'Le second titre', 'nothing typed is lost');
  const revision = again.querySelector('[name="revision"]')?.getAttribute('value') ?? '';
  t.equal((await submit(app, url, formOf(prepa.id, { revision, titre: 'Le second titre', duree: '90' }), session)).statusCode, 303);
  t.same(await sql(databaseUrl, 'select titre, duree from exam where id = $1', [id]), [{ titre: 'Le second titre', duree: 90 }]);
});

t.test('papers are chosen from drafts and published contents of the prepa, ordered and removed', async (t) => {
  const prepa = await createPrepa(site);
  const discipline = await createDiscipline(site, prepa.id);
  const series = await createItem(site, discipline.id, { kind: 'quiz', titre: 'Publiée', contenu: question('papersquest1') });
  await createItem(site, discipline.id, { kind: 'course', titre: 'Une leçon' });
  const elsewhere = await createItem(site, (await createDiscipline(site)).id, {
    kind: 'quiz',
    titre: 'Ailleurs',
    contenu: question('papersquest2'),
  });
  const [draft] = await sql<{ id: number }>(
    databaseUrl,
    `insert into item_draft (id, discipline_id, kind, titre, annee, duree, bareme, contenu, keys, saved_at, saved_by)
     values (nextval('item_id_seq'), $1, 'quiz', 'Inédite', '', '', '', '<p>Texte</p>', '[{"usable": true}, {"usable": false}]', now(), 'Awa') returning id`,
    [discipline.id],
  );
  const id = idIn((await submit(app, '/admin/concours-blancs', formOf(prepa.id), session)).headers.location);
  const url = `/admin/concours-blancs/${id}/epreuves`;
  const press = (action: string) => submit(app, url, { action }, session);
  const papers = async () => [...(await page(t, url)).querySelectorAll('ol .record__title')].map(textOf);
  const offered = [...(await page(t, url)).querySelectorAll('ul.records .record')].map(textOf);
  t.equal(offered.length, 2, 'no lesson, nothing of another prepa');
  t.match(offered[0], /Inédite.*1 question.*Brouillon/);
  t.match(offered[1], /Publiée.*Les inscrits peuvent déjà le lire/);
  await press(`ajouter-${draft?.id}`);
  await press(`ajouter-${series.id}`);
  await press(`ajouter-${series.id}`);
  t.same(await papers(), ['1. Inédite', '2. Publiée'], 'once, whatever is pressed twice');
  t.equal((await press(`ajouter-${elsewhere.id}`)).statusCode, 404);
  t.equal((await press('monter-x')).statusCode, 400);
  const [first, second] = await sql<{ id: number }>(databaseUrl, 'select id from exam_paper where exam_id = $1 order by position', [id]);
  await press(`monter-${first?.id}`);
  t.same(await papers(), ['1. Inédite', '2. Publiée'], 'the first stays');
  await press(`monter-${second?.id}`);
  t.same(await papers(), ['1. Publiée', '2. Inédite']);
  await press(`descendre-${second?.id}`);
  t.same(await papers(), ['1. Inédite', '2. Publiée']);
  t.match(
    textOf((await page(t, `/admin/concours-blancs/${id}`)).querySelector('ol.records')),
    /Les inscrits peuvent déjà lire cette série/,
  );
  await press(`retirer-${first?.id}`);
  t.same(await papers(), ['1. Publiée']);
  t.match((await journal(id)).at(-1), { before: { epreuves: 'Inédite · Publiée' }, after: { epreuves: 'Publiée' } });
  await sql(databaseUrl, 'delete from item where id = $1', [series.id]);
  t.match(textOf((await page(t, `/admin/concours-blancs/${id}`)).querySelector('ol.records')), /n'existe plus : retirez/);
  // The titles of a search are not patterns.
  t.equal((await page(t, `${url}?titre=%25`)).querySelectorAll('ul.records .record').length, 0);
  t.equal((await page(t, `${url}?titre=inéd`)).querySelectorAll('ul.records .record').length, 1);
});

const question = (id: string) =>
  choiceQuestion({
    id,
    statement: 'Capitale ?',
    choices: [
      { id: `${id.slice(0, 11)}a`, text: 'Yaoundé', right: true },
      { id: `${id.slice(0, 11)}b`, text: 'Douala' },
    ],
  });

t.test('an announcement says what it freezes and why it cannot be made; then times only become later, for sittings too', async (t) => {
  const exam = await createExam(site, { opensIn: 24 * 60, openFor: 240, duree: 120 });
  const url = `/admin/concours-blancs/${exam.id}`;
  const empty = idIn((await submit(app, '/admin/concours-blancs', formOf(exam.prepa.id), session)).headers.location);
  const without = await page(t, `/admin/concours-blancs/${empty}/annonce`);
  t.match(textOf(without.querySelector('.alert--error')), /au moins une série/);
  t.equal(without.querySelector('button[type="submit"][class="button"]'), null, 'no button');
  const confirm = await page(t, `${url}/annonce`);
  t.match(textOf(confirm.querySelector('main')), /Le sujet a 3 questions.*Ce que l'annonce fige/s);
  const revision = confirm.querySelector('form [name="revision"]')?.getAttribute('value') ?? '';
  t.equal((await submit(app, `${url}/annonce`, { revision: '99' }, session)).statusCode, 409, 'changed since');
  t.equal((await submit(app, `${url}/annonce`, { revision }, session)).statusCode, 303);
  t.match(textOf((await page(t, url)).querySelector('.badge')), 'Annoncé');
  t.equal((await visit(app, `${url}/epreuves`, session)).headers.location, url, 'no more choice');
  t.equal((await submit(app, `${url}/epreuves`, { action: 'retirer-1' }, session)).headers.location, url);
  t.equal((await submit(app, `${url}/suppression`, { revision: '2' }, session)).statusCode, 409);
  t.equal((await submit(app, `${url}/marquage`, {}, session)).statusCode, 409, 'not before the end');
  t.equal((await page(t, url)).querySelector('.headline'), null, 'nothing to count before the opening');
  const form = await page(t, `${url}/modifier`);
  t.match(textOf(form.querySelector('.alert')), /les candidats seront prévenus du nouvel horaire/);
  t.equal(form.querySelector('#exam-duree'), null);
  const values = (name: string) => form.querySelector(`[name="${name}"]`)?.getAttribute('value') ?? '';
  const typed = { titre: 'Nouveau titre', consignes: '', revision: values('revision'), duree: '5', audience: 'learners' };
  const earlier = { ...typed, ouverture: inHours(23), fermeture: values('fermeture') };
  t.match(textOf(read((await submit(app, `${url}/modifier`, earlier, session)).body).querySelector('#exam-ouverture-error')), /retardée/);
  const learner = await createLearner(site);
  await createSitting(site, exam, learner, { startedAt: new Date(exam.closesAt.getTime() - 60 * minuteMs) });
  const postponed = { ...typed, ouverture: values('ouverture'), fermeture: inHours(29) };
  t.equal((await submit(app, `${url}/modifier`, postponed, session)).statusCode, 303);
  const [stored] = await sql<Record<string, unknown>>(
    databaseUrl,
    `select titre, duree, audience, closes_at - $2::timestamptz as moved, (select ends_at - started_at from exam_sitting where exam_id = x.id) as time
     from exam x where id = $1`,
    [exam.id, exam.closesAt],
  );
  t.match(stored, { titre: 'Nouveau titre', duree: 120, audience: 'enrolled' }, 'frozen rules stay');
  t.match(stored, { moved: { minutes: 59 }, time: { hours: 1, minutes: 59 } }, 'until the new closing');
});

t.test('a paper to be written is counted beside the questions', async (t) => {
  const { id } = await createExam(site, {
    papers: [
      { contenu: question('writtenques1') },
      { kind: 'pastExam', contenu: '<p>Commentez.</p>' },
      { kind: 'pastExam', contenu: '<p>Traduisez.</p>' },
    ],
  });
  const url = `/admin/concours-blancs/${id}`;
  t.match(textOf((await page(t, `${url}/annonce`)).querySelector('main')), 'Le sujet a 1 question et 2 sujets à rédiger.');
  t.match(textOf((await page(t, `${url}/apercu`)).querySelector('main')), '(1 question et 2 sujets à rédiger)');
});

t.test('the preview names the series whose introduction may contradict the exam', async (t) => {
  const { id } = await createExam(site, {
    duree: 90,
    papers: [
      {
        titre: 'Droit',
        contenu: `<p>Prenez votre temps : <strong>sans limite</strong>.</p><p>Bonne chance.</p>${question('introducti01')}`,
      },
      { titre: 'Économie', contenu: question('introducti02') },
      { kind: 'pastExam', contenu: '<p>Commentez.</p>' },
    ],
  });
  const notice = async () => (await page(t, `/admin/concours-blancs/${id}/apercu`)).querySelector('.alert--warning');
  t.match(textOf(await notice()), /ni la durée \(1 h 30\), ni le barème \(Juste : \+1 .*\), ni les consignes/);
  t.same([...((await notice())?.querySelectorAll('li') ?? [])].map(textOf), ['Droit : Prenez votre temps : sans limite. Bonne chance.']);
  await sql(databaseUrl, "update item set contenu = regexp_replace(contenu, '^<p>.*?</p><p>.*?</p>', '') where titre = 'Droit'");
  t.equal(await notice(), null);
});

t.test('numbers of an open exam, and a warning when nothing arrives', async (t) => {
  const exam = await createAnnouncedExam(site, { openFor: 120, duree: 60 });
  clock.advance(exam.opensAt.getTime() - clock.now().getTime() + 10 * minuteMs);
  await signInAgain();
  const url = `/admin/concours-blancs/${exam.id}`;
  const [one, two] = [await createLearner(site), await createLearner(site)];
  await createSitting(site, exam, one);
  await createSitting(site, exam, two, { handedIn: 5 });
  const numbers = async () => [...(await page(t, url)).querySelectorAll('.headline > div')].map(textOf);
  t.match(textOf((await page(t, url)).querySelector('.alert--error')), /aucune réponse n'arrive/);
  await createBatch(site, exam, one, { at: new Date(clock.now().getTime() - 30_000), answers: [] });
  t.same(await numbers(), ['Ont commencé2', 'Composent maintenant1', 'Copies remises1', 'En retard0', 'Envois de réponses en 1 min1']);
  t.equal((await page(t, url)).querySelector('.alert--error'), null);
  clock.advance(3 * minuteMs);
  t.match(textOf((await page(t, url)).querySelector('.alert--error')), /aucune réponse n'arrive/, 'again after three minutes');
  const form = await page(t, `${url}/modifier`);
  t.equal(form.querySelector('input[name="ouverture"]')?.getAttribute('type'), 'hidden', 'the opening has passed');
});

t.test('marking, late copies, a corrected question, publication', async (t) => {
  const exam = await createAnnouncedExam(site, { questions: 2 });
  const url = `/admin/concours-blancs/${exam.id}`;
  const learners = await Promise.all([0, 1, 2].map(() => createLearner(site)));
  const [first, second] = exam.questions;
  if (!first || !second) throw new Error('no questions');
  const answer = (q: { id: string; choices: string[] }, choice: number) => ({ q: q.id, g: { choices: [q.choices[choice] ?? ''] } });
  const at = new Date(exam.opensAt.getTime() + 20 * minuteMs);
  for (const [index, learner] of learners.entries()) {
    await createSitting(site, exam, learner, { handedIn: 30 });
    await createBatch(site, exam, learner, { at, answers: [answer(first, index === 2 ? 1 : 0), answer(second, 1)] });
  }
  passExam(site, exam);
  await signInAgain();
  const last = learners[2] ?? { id: '' };
  const lateAt = new Date(exam.closesAt.getTime() + 31 * minuteMs);
  await createBatch(site, exam, last, {
    at: lateAt,
    sentAt: lateAt,
    answers: [{ ...answer(first, 0), t: at.getTime() + 1 }],
  });
  await sql(databaseUrl, "update exam_sitting set late = 'waiting' where user_id = $1", [last.id]);
  const closed = await page(t, url);
  t.match(textOf(closed.querySelector('.alert--warning')), /Une copie est arrivée après le délai/);
  t.equal(textOf(closed.querySelector('.lead')), 'Le délai est passé : corrigez les copies.');
  t.equal((await visit(app, `${url}/publication`, session)).headers.location, url, 'nothing to publish yet');
  t.equal((await submit(app, `${url}/publication`, {}, session)).statusCode, 409);
  t.equal((await submit(app, `${url}/marquage`, {}, session)).statusCode, 303);
  const facilities = async () =>
    [...(await page(t, `${url}/questions`)).querySelectorAll('.figures__question')].map((li) =>
      textOf(li)?.replace(/^.*Réponse attendue : /, ''),
    );
  t.same(await facilities(), ['A. Choix 1 Juste66,7 %Réponses3', 'A. Choix 1 Juste0 %Réponses3']);

  const primary = async (path: string) => [...(await page(t, url + path)).querySelectorAll('main .actions [class="button"]')].map(textOf);
  t.same([await primary(''), await primary('/publication')], [['Décider des retards'], ['Décider des retards']], 'the decision first');
  t.match(
    textOf((await page(t, `${url}/publication`)).querySelector('main')),
    /Une copie en retard attend encore votre décision\. La publication met fin à cette attente.*Publier quand même/s,
  );
  const [late] = [...(await page(t, `${url}/retards`)).querySelectorAll('.record')];
  t.match(textOf(late), /1 réponse en 1 envoi/);
  t.match(textOf(late), `Dernière de ces réponses donnée à temps : ${formatInstant(at)}.`);
  t.equal((await submit(app, `${url}/retards`, { candidat: last.id, decision: 'peut-être' }, session)).statusCode, 400);
  t.equal((await submit(app, `${url}/retards`, { candidat: last.id, decision: 'accepter' }, session)).statusCode, 303);
  t.equal((await facilities())[0], 'A. Choix 1 Juste100 %Réponses3', 'its answers count');
  t.same([await primary(''), await primary('/publication')], [['Publier les résultats'], ['Publier les résultats']]);

  const correction = { question: second.id, compte: 'counted', choix: second.choices[1] ?? '' };
  const refused = await submit(app, `${url}/correction`, correction, session);
  t.equal(refused.statusCode, 400);
  t.match(textOf(read(refused.body).querySelector('#correction-raison-error')), /raison/);
  t.equal(read(refused.body).querySelector('[name="choix"][checked]')?.getAttribute('value'), second.choices[1], 'the choice stays');
  t.equal((await submit(app, `${url}/correction`, { ...correction, raison: 'Mauvaise clé' }, session)).statusCode, 303);
  t.same(await facilities(), ['A. Choix 1 Juste100 %Réponses3', 'B. Choix 2 Juste100 %Réponses3']);
  t.equal(
    (await submit(app, `${url}/correction`, { question: first.id, compte: 'neutralised', raison: 'Ambiguë' }, session)).statusCode,
    303,
  );
  const list = await page(t, `${url}/questions`);
  t.match(textOf(list.querySelector('.figures__question .badge')), 'Neutralisée');
  t.same([...list.querySelectorAll('.entry h3')].map(textOf), [
    'Question 1 : Neutralisée',
    'Question 2 : Réponse attendue corrigée, ou de nouveau comptée',
  ]);

  t.match(textOf((await page(t, `${url}/publication`)).querySelector('main')), /Chaque candidat est prévenu/);
  t.equal((await submit(app, `${url}/publication`, {}, session)).statusCode, 303);
  t.match(textOf((await page(t, url)).querySelector('.badge')), 'Résultats publiés');
  const over = await page(t, `${url}/retards`);
  t.match(textOf(over.querySelector('main')), /les copies en retard ne se décident plus.*Acceptée/);
  t.equal(over.querySelector('main form'), null);
  const decided = await submit(app, `${url}/retards`, { candidat: last.id, decision: 'refuser' }, session);
  t.equal(decided.statusCode, 409);
  t.match(textOf(read(decided.body).querySelector('.alert--error')), 'Les résultats sont publiés');
  t.same(
    (await journal(exam.id)).map(({ action }) => action),
    ['announced', 'marked', 'updated', 'corrected', 'corrected', 'published'],
  );
});

t.test('a draft is deleted once, and a prepa names its exams among the losses', async (t) => {
  const exam = await createExam(site);
  const url = `/admin/concours-blancs/${exam.id}`;
  t.match(textOf((await page(t, url)).querySelector('main details')), `Supprimer « ${exam.titre} »`);
  t.equal((await submit(app, `${url}/suppression`, { revision: '1' }, session)).headers.location, '/admin/concours-blancs');
  t.equal((await submit(app, `${url}/suppression`, { revision: '1' }, session)).statusCode, 404);
  t.match(await journal(exam.id), [{ action: 'deleted', before: { titre: exam.titre } }]);

  const remove = (prepaId: number, payload: object = {}) =>
    call(app, { method: 'DELETE', url: `/api/prepas/${prepaId}`, session, payload });
  const kept = await createAnnouncedExam(site);
  await createExam(site, { prepa: kept.prepa, titre: 'Le suivant' });
  const told = await remove(kept.prepa.id);
  t.equal(told.statusCode, 409);
  t.match(told.json().pertes, [
    `Un concours blanc annoncé serait supprimé, avec ses copies et ses résultats : « ${kept.titre} ».`,
    /contenu/,
    'Un concours blanc en préparation serait supprimé : « Le suivant ».',
  ]);
  t.equal((await remove(kept.prepa.id, { confirmation: kept.prepa.nom })).statusCode, 200);
  t.match((await journal(kept.id)).at(-1), { action: 'deleted', before: { titre: kept.titre, candidates: 0 } });
});

t.test('an accepted answer is cut between characters', async (t) => {
  const exam = await createAnnouncedExam(site, { papers: [{ contenu: textQuestion('surrogates01', ['Oui']) }] });
  await signInAgain();
  const given = `${'a'.repeat(199)}😀`;
  const fields = { question: 'surrogates01', compte: 'counted', acceptees: given, raison: 'Faute de frappe' };
  t.equal((await submit(app, `/admin/concours-blancs/${exam.id}/correction`, fields, session)).statusCode, 303);
  const [row] = await sql<{ first: string }>(databaseUrl, "select key -> 'accepted' ->> 0 as first from exam_question where exam_id = $1", [
    exam.id,
  ]);
  t.match(row?.first, /^a{199}\ufffd?$/u);
});
