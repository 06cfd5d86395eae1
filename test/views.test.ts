import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { hashToken, newToken } from '../src/modules/identity/accounts/token.ts';
import { createVapidKeys } from '../src/modules/revision/index.ts';
import { unsubscriptionPath, unsubscriptionSigner } from '../src/modules/revision/letters/unsubscription.ts';
import type { ViewName } from '../src/platform/pages/views.ts';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { createTestApp, submit, visit } from './support/app.ts';
import { createAnnouncedExam, createSitting } from './support/exams.ts';
import {
  createAdministrator,
  createDiscipline,
  createEnrolment,
  createItem,
  createLearner,
  createPayment,
  createPrepa,
} from './support/factories.ts';
import { numberQuestion } from './support/questions.ts';
import { sql } from './support/sql.ts';

// Renders every template below views/ through its page: a template that reads an undefined name makes the page fail.

const { publicKey: PUSH_PUBLIC_KEY, privateKey: PUSH_PRIVATE_KEY } = createVapidKeys();
const pushKeys = { PUSH_PUBLIC_KEY, PUSH_PRIVATE_KEY };
const site = await createTestApp(t, { ZITOPAY_BASE_URL: 'http://127.0.0.1:9', CONFIRM_EMAIL: 'on', ...pushKeys });
const { app, databaseUrl } = site;

const prepa = await createPrepa(site, { nom: 'ENAM' });
const discipline = await createDiscipline(site, prepa.id);
await createItem(site, discipline.id);
const exercise = await createItem(site, discipline.id, { kind: 'exercise', corrige: '<p>Corrigé.</p>', duree: 90 });
const withoutQuestions = await createDiscipline(site, prepa.id);
const questionId = 'sumquestion1';
await createItem(site, discipline.id, {
  numeroPage: 2,
  contenu: numberQuestion(questionId, '4'),
});
const seriesOf = (numeroPage: number, id: string) =>
  createItem(site, discipline.id, { kind: 'quiz', numeroPage, duree: 10, contenu: `<p>Lisez.</p>${numberQuestion(id, '4')}` });
const exams = await Promise.all(['waiting', 'open', 'done'].map(() => createAnnouncedExam(site, { prepa })));
const [waitingExam, openExam, doneExam] = exams.map(({ id }) => `/user/concours-blancs/${id}`);
const series = await seriesOf(1, 'seriesfirst1');
const begun = await seriesOf(2, 'seriesbegun1');
await sql(databaseUrl, "insert into diagnostic_question values ($1, 'seriesfirst1', 1)", [discipline.id]);
const diagnostic = `/user/prepa/consultation/${prepa.id}/${discipline.id}/diagnostic`;
const sheet = { essai: '00000000-0000-4000-8000-000000000001', questions: 'seriesfirst1', 'r-seriesfirst1': '4' };
const learner = await createLearner(site);
await createEnrolment(site, learner, prepa);
for (const exam of exams.slice(1)) {
  await sql(databaseUrl, 'update exam set opens_at = $2 where id = $1', [exam.id, site.clock.now()]);
  const [startedAt, isDone] = [site.clock.now(), exam === exams[2]];
  await createSitting(site, exam, learner, { startedAt, handedIn: isDone ? 1 : null });
}
await submit(app, diagnostic, { ...sheet, 'r-seriesfirst1': '5' }, learner.session);
await submit(app, `/user/questions/${questionId}`, { texte: '5' }, learner.session);
const former = await createLearner(site);
await createEnrolment(site, former, prepa, -1);
const payer = await createLearner(site);
const paid = await createPayment(site, payer, prepa, 'succeeded');
const awaited = await createPrepa(site);
const pending = await createPayment(site, payer, awaited, 'pending');
const administrator = await createAdministrator(site, 'super_admin');
const colleague = await createAdministrator(site);
const careful = await createAdministrator(site);
await sql(databaseUrl, 'insert into second_factor (administrator_id, secret, confirmed_at) values ($1, $2, now())', [careful.id, 'x']);
await submit(app, '/admin/compte/deux-etapes', {}, careful.session);
const pendingToken = newToken();
await sql(databaseUrl, "insert into pending_sign_in (id, administrator_id, expires_at) values ($1, $2, now() + interval '5 minutes')", [
  ...[hashToken(pendingToken), careful.id],
]);
const study = `/user/prepa/${prepa.id}/${discipline.id}`;
const attempt = async (item: number, mode: string) => {
  const answer = await submit(app, `/user/series/${item}/tentatives`, { mode }, learner.session);
  return String(answer.headers.location).split('/').at(-1) ?? '';
};
const finished = await attempt(series.id, 'exam');
await submit(app, `/user/series/tentatives/${finished}/fin`, {}, learner.session);
const third = await seriesOf(3, 'seriesthird1');
const reviser = await createLearner(site);
await createEnrolment(site, reviser, prepa);
const beginSession = async (more: Record<string, string> = {}) =>
  String((await submit(app, '/user/seance', { prepa: String(prepa.id), ...more }, learner.session)).headers.location);
const ended = await beginSession();
await submit(app, `${ended}/questions/${questionId}`, { texte: '4' }, learner.session);
await submit(app, `${ended}/fin`, {}, learner.session);
const session = await beginSession({ suite: '1' });
const attempts = { finished, learn: await attempt(begun.id, 'learn'), exam: await attempt(third.id, 'exam') };
await submit(app, `${study}/entrainement`, { type: 'exercise', item: String(exercise.id), verdict: 'a_revoir' }, learner.session);
await sql(
  databaseUrl,
  `insert into practice_mark (user_id, cle, item_id, verdict, points, possible, seconds, marked_at)
   select $1, gen_random_uuid(), $2, 'reussi', points, 20, 60, now() from unnest(array[8, 13.5]) points`,
  [learner.id, exercise.id],
);
await submit(app, `/user/contenus/${exercise.id}/signaler`, { probleme: 'texte', endroit: 'Question 1' }, learner.session);
await submit(app, '/admin/cles', { role: 'admin', jours: '3' }, administrator.session);
const [entry] = await sql<{ id: number }>(databaseUrl, 'select id from audit_entry');
await sql(
  databaseUrl,
  `with device as (insert into offline_device (user_id, secret, nom, seen_at, created_at) values ($1, 'x', 'Chrome', now(), now()) returning id)
   insert into offline_copy (device_id, prepa_id, kept_at) select id, $2, now() from device`,
  [learner.id, prepa.id],
);
const [notification] = await sql<{ id: number }>(
  databaseUrl,
  "insert into notification (user_id, message, date_creation) values ($1, 'Bonjour', now()) returning id",
  [learner.id],
);

await sql(
  databaseUrl,
  `insert into push_subscription (user_id, endpoint, service, p256dh, auth, hour, created_at) values ($1, 'https://push.example/x', 'push.example', '', '', 19, now())`,
  [learner.id],
);

await sql(databaseUrl, 'insert into letter_choice (user_id, weekly, ends) values ($1, false, true)', [learner.id]);
const signer = await unsubscriptionSigner()(site.kernel.fork());
const letterPaths = (['weekly', 'ends'] as const).map((kind) => unsubscriptionPath(signer.sign({ choiceId: 1, kind })));

interface Visit {
  url: string;
  session?: string;
  status?: number;
  /** Form fields to post to the URL. */
  form?: Record<string, string>;
  /** A table that cannot be read meanwhile. */
  without?: string;
}

const byLearner = (url: string, more: Partial<Visit> = {}): Visit => ({ url, session: learner.session, ...more });
const byPayer = (url: string, more: Partial<Visit> = {}): Visit => ({ url, session: payer.session, ...more });
const byAdministrator = (url: string, more: Partial<Visit> = {}): Visit => ({ url, session: administrator.session, ...more });

const visits: Record<ViewName, Visit[]> = {
  'platform/api': [byAdministrator('/api/docs')],
  'platform/error': [
    { url: '/rien', status: 404 },
    byAdministrator('/admin/rien', { status: 404 }),
    byLearner(study, { status: 500, without: 'item' }),
  ],
  'offline/kept': [byLearner('/user/hors-ligne/page')],
  'study/reading-counts': [byAdministrator(`/admin/discipline/${discipline.id}/lectures`)],
  'identity/login': [{ url: '/login' }],
  'identity/register': [{ url: '/inscription?suite=/user/dashboard' }],
  'identity/privacy': [{ url: '/confidentialite' }],
  'identity/forgotten-password': [{ url: '/mot-de-passe-oublie' }, { url: '/mot-de-passe-oublie?envoye=1' }],
  'identity/new-password': [{ url: '/nouveau-mot-de-passe', status: 410 }],
  'identity/confirm-email': [byLearner('/confirmer-mon-adresse', { status: 410 })],
  'identity/profile': [byLearner('/user/profil')],
  'identity/admin-sign-in': [{ url: '/admin/connexion' }],
  'identity/admin-register': [{ url: '/admin/inscription' }],
  'identity/admin-code': [{ url: '/admin/connexion/code', session: `adminSignIn=${pendingToken}` }],
  'identity/admin-reset': [{ url: '/admin/mot-de-passe' }],
  'identity/admin-account': [byAdministrator('/admin/compte'), { url: '/admin/compte', session: careful.session }],
  'identity/admin-confirmation': [byAdministrator('/admin/confirmation?suite=/admin/cles')],
  'identity/admin-second-factor': [
    byAdministrator('/admin/compte/deux-etapes'),
    { url: '/admin/compte/deux-etapes', session: careful.session },
  ],
  'identity/admin-recovery-codes': [{ url: '/admin/compte/deux-etapes/codes', form: {}, session: careful.session }],
  'identity/administrators': [byAdministrator('/admin/administrateurs')],
  'identity/administration-confirm': [byAdministrator(`/admin/administrateurs/${colleague.id}/desactiver`)],
  'identity/administration-keys': [byAdministrator('/admin/cles')],
  'identity/learners': [byAdministrator('/admin/candidats'), byAdministrator('/admin/candidats?recherche=candidat')],
  'identity/learner': [byAdministrator(`/admin/candidats/${learner.id}`)],
  'identity/audit': [byAdministrator('/admin/journal'), byAdministrator('/admin/journal?texte=rien')],
  'identity/audit-entry': [byAdministrator(`/admin/journal/${entry?.id}`)],
  'catalogue/landing': [{ url: '/' }, byLearner('/')],
  'catalogue/admin': [byAdministrator('/admin/dashboard')],
  'study/study': [byLearner(study), { url: `/user/prepa/consultation/${prepa.id}/${discipline.id}` }],
  'questions/question': [byLearner(`/user/questions/${questionId}`)],
  'questions/series': [byLearner(`/user/series/${series.id}`), byLearner(`/user/series/${begun.id}`)],
  'questions/attempt': [byLearner(`/user/series/tentatives/${attempts.learn}`), byLearner(`/user/series/tentatives/${attempts.exam}`)],
  'questions/result': [byLearner(`/user/series/tentatives/${attempts.finished}`)],
  'questions/diagnostic': [
    { url: diagnostic },
    byLearner(diagnostic),
    { url: diagnostic, form: { essai: sheet.essai, questions: '' }, status: 400 },
  ],
  'questions/diagnostic-result': [byLearner(`${diagnostic}/resultat`), { url: diagnostic, form: sheet }],
  'questions/diagnostic-choice': [
    byAdministrator(`/admin/discipline/${discipline.id}/diagnostic`),
    byAdministrator(`/admin/discipline/${withoutQuestions.id}/diagnostic`),
  ],
  'questions/exam': [
    ...[waitingExam, openExam, doneExam].map((url = '') => byLearner(url)),
    ...[waitingExam, openExam].map((url = '') => byPayer(url)),
  ],
  'questions/exam-room': [waitingExam, openExam].map((url) => byLearner(`${url}/salle`)),
  'questions/exam-sheet': [byLearner(`${openExam}/feuille/1`)],
  'questions/exam-hand-in': [byLearner(`${openExam}/remise`), byLearner(`${openExam}/remise`, { form: { vers: '' } })],
  'questions/exam-copy': [byLearner(`${doneExam}/copie`)],
  'questions/exam-list': [byLearner('/user/concours-blancs'), byPayer('/user/concours-blancs')],
  'questions/errors': [byLearner('/user/erreurs'), byPayer('/user/erreurs')],
  'questions/statistics': ['', '?vue=a-regarder'].map((query) => byAdministrator(`/admin/discipline/${discipline.id}/questions${query}`)),
  'questions/ask-errors': [byLearner('/user/erreurs/questions')],
  'training/practice': ['', '&corrige=oui'].map((end) => byLearner(`${study}/entrainement?type=exercise&item=${exercise.id}${end}`)),
  'training/outcome': [byLearner(`${study}/suite?type=exercise&item=${exercise.id}`)],
  'revision/progress': [
    byLearner('/user/progression'),
    { url: '/user/progression', session: reviser.session },
    byPayer('/user/progression'),
  ],
  'revision/session-start': [{ url: '/user/seance', session: reviser.session }],
  'revision/session': [byLearner(session)],
  'revision/session-end': [byLearner(ended)],
  'revision/unsubscribe': letterPaths.flatMap((url) => [{ url }, { url, form: {} }]),
  'revision/plan': [
    byLearner(`/user/concours/${prepa.id}`),
    byLearner(`/user/concours/${prepa.id}`, { form: { choix: 'own' }, status: 400 }),
  ],
  'revision/concours-list': [
    byAdministrator('/admin/concours'),
    byAdministrator(`/admin/concours/${prepa.id}`, { form: { date: 'demain' }, status: 400 }),
  ],
  'training/marks': [byLearner('/user/epreuves'), byPayer('/user/epreuves')],
  'training/again': [byLearner('/user/a-revoir'), byPayer('/user/a-revoir')],
  'offline/keep': [byLearner(`/user/prepa/${prepa.id}/hors-ligne`)],
  'offline/on-device': [byLearner('/user/hors-ligne')],
  'study/report': [byLearner(`/user/contenus/${exercise.id}/signaler`)],
  'study/reports': [byAdministrator('/admin/signalements'), byAdministrator('/admin/signalements?etat=traites')],
  'study/search': [byLearner('/user/recherche?q=texte'), { url: `/user/recherche?prepa=${prepa.id}&q=titre` }],
  'content/admin-discipline': [byAdministrator(`/admin/discipline/${discipline.id}`)],
  'content/preview': ['', '?largeur=telephone'].map((query) => byAdministrator(`/admin/apercu/${exercise.id}${query}`)),
  'content/paper': ['', `?item=${exercise.id}`].map((query) => byAdministrator(`/admin/discipline/${discipline.id}/epreuve${query}`)),
  'content/admin-discipline-failed': [byAdministrator(`/admin/discipline/${discipline.id}`, { status: 500, without: 'discipline' })],
  'notification/list': [byLearner('/user/notifications'), byLearner('/user/notifications', { without: 'notification' })],
  'notification/delete': [byLearner(`/user/notifications/${notification?.id}/supprimer`)],
  'portal/dashboard': [
    byLearner('/user/dashboard'),
    byPayer('/user/dashboard'),
    byLearner('/user/dashboard', { without: 'prepa' }),
    { url: '/user/dashboard', session: former.session },
  ],
  'portal/preparations': [byLearner('/user/preparations'), { url: '/user/preparations' }],
  'portal/disciplines': [
    byLearner(`/user/prepa/${prepa.id}`),
    byLearner(`/user/prepa/${prepa.id}`, { without: 'discipline' }),
    { url: `/user/prepa/consultation/${prepa.id}` },
  ],
  'portal/prepaview': [
    byLearner(`/user/prepaview/${prepa.id}`),
    byPayer('/user/prepaview'),
    byLearner('/user/prepaview', { without: 'enrolment' }),
  ],
  'portal/payments': [byPayer('/user/paiements'), byPayer('/user/paiements', { without: 'payment' })],
  'portal/receipt': [byPayer(`/user/paiements/${paid.reference}`)],
  'portal/success': [byPayer(`/user/dashboard/success/${awaited.id}`), byLearner(`/user/dashboard/success/${prepa.id}`)],
  'portal/cancel': [byLearner('/user/dashboard/cancel'), byLearner(`/user/dashboard/cancel?prepa_id=${prepa.id}&rester=1`)],
  'support/list': [byAdministrator('/admin/paiements')],
  'support/payment': [byAdministrator(`/admin/paiements/${paid.id}`), byAdministrator(`/admin/paiements/${pending.id}`)],
  'support/totals': [byAdministrator('/admin/paiements/totaux'), byAdministrator('/admin/paiements/totaux?du=hier', { status: 400 })],
};

const folder = join(projectRoot, 'views');
const rendered = (file: string): boolean => app.templateEngine.templatesSync.get(join(folder, file)) !== undefined;

for (const [view, pages] of Object.entries(visits)) {
  t.test(`${view} gets all names that it reads`, async (t) => {
    for (const { url, session, form, status = 200, without } of pages) {
      if (without) await sql(databaseUrl, `alter table ${without} rename to ${without}_away`);
      const { statusCode } = await (form ? submit(app, url, form, session) : visit(app, url, session));
      if (without) await sql(databaseUrl, `alter table ${without}_away rename to ${without}`);
      t.equal(statusCode, status, url);
    }
    t.ok(rendered(`${view}.eta`));
  });
}

/** Rendered at startup and only where load shedding is on (src/platform/overload), or only in browsers (islands/offline/page/pages). */
const elsewhere = [
  'platform/busy.eta',
  'platform/maintenance.eta',
  'offline/kept-state.eta',
  'offline/offline.eta',
  'offline/today.eta',
  'pictures/no-network.eta',
];

t.test('these pages render every template', async (t) => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.eta'));
  t.ok(files.includes('layout.eta'));
  t.same(
    files.filter((file) => !elsewhere.includes(file) && !rendered(file)),
    [],
  );
});
