import type { FastifyInstance } from 'fastify';
import t from 'tap';
import { createTestApp } from './support/app.ts';
import {
  createAdministrator,
  createDiscipline,
  createDocument,
  createEnrolment,
  createItem,
  createLearner,
  createPrepa,
} from './support/factories.ts';
import { numberQuestion } from './support/questions.ts';
import { addressOf, fixtureQuestion } from './support/route-address.ts';
import { sql } from './support/sql.ts';

// Requests every route of the route table as every kind of account and compares the statuses. A route without a row fails.

const site = await createTestApp(t, {
  ZITOPAY_BASE_URL: 'http://127.0.0.1:9',
  REGISTRATIONS_PER_ADDRESS_HOUR: '1000000',
  SIGN_IN_ATTEMPTS_PER_ADDRESS: '1000000',
  SIGN_IN_FAILURES_PER_ACCOUNT: '100000',
  ADMIN_KEY_FAILURES_PER_ADDRESS: '100000',
});
const { app } = site;

const viewers = ['visitor', 'learner', 'admin', 'superAdmin', 'disabled', 'forged', 'expired'] as const;
type Viewer = (typeof viewers)[number];
type Statuses = Record<Viewer, number>;

/** The same status for all viewers. */
const all = (status: number): Statuses => row(status, status, status, status, status, status, status);
/** Statuses in the order of `viewers`. */
function row(...statuses: [number, number, number, number, number, number, number]): Statuses {
  return Object.fromEntries(viewers.map((viewer, index) => [viewer, statuses[index]])) as Statuses;
}
/** A learner gets `status`; the other viewers' API calls are refused, and their pages redirect to a sign-in. */
const learnerCall = (status: number) => row(401, status, 401, 401, 401, 401, 401);
const learnerPage = (status: number) => row(303, status, 303, 303, 303, 303, 303);
const adminCall = (status: number) => row(401, 401, status, status, 401, 401, 401);
const adminPage = (status: number) => row(303, 303, status, status, 303, 303, 303);
const superPage = (status: number) => row(303, 303, 403, status, 303, 303, 303);
const superCall = (status: number) => row(401, 401, 403, status, 401, 401, 401);
/** Routes of an unpublished prepa: for enrolled learners and administrators. */
const unpublished = row(404, 200, 200, 200, 404, 404, 404);

/** API routes exist with and without /api: one row for both. */
const both = (rows: Record<string, Statuses>) =>
  Object.fromEntries(
    Object.entries(rows).flatMap(([route, statuses]) => {
      const [method, path] = route.split(' ');
      return [
        [`${method} /api${path}`, statuses],
        [`${method} ${path}`, statuses],
      ];
    }),
  );

const table: Record<string, Statuses> = {
  // Public pages.
  'GET /': all(200),
  'GET /login': row(200, 303, 200, 200, 200, 200, 200),
  'GET /inscription': row(200, 303, 200, 200, 200, 200, 200),
  'POST /affichage': all(400),
  'GET /confidentialite': row(200, 200, 200, 200, 200, 200, 200),
  'GET /mot-de-passe-oublie': all(200),
  'POST /mot-de-passe-oublie': all(400),
  // No viewer has a token from an e-mail.
  'GET /nouveau-mot-de-passe': all(410),
  'POST /nouveau-mot-de-passe': all(410),
  'GET /robots.txt': all(200),
  'GET /.well-known/security.txt': all(200),
  'GET /sitemap.xml': all(200),
  'GET /favicon.svg': all(200),
  'GET /manifest.webmanifest': all(200),
  'GET /icon-192.png': all(200),
  'GET /icon-512.png': all(200),
  'GET /icon-maskable-512.png': all(200),
  'GET /apple-touch-icon.png': all(200),
  // Built with the browser's scripts.
  'GET /service-worker.js': all(200),
  'GET /assets/*': all(404),
  'GET /media/covers/*': all(404),
  // No such picture exists.
  'GET /media/content/:name': all(404),
  'GET /media/libre/:name': all(404),
  'GET /healthz': all(200),
  'GET /readyz': all(200),
  'GET /success': all(303),
  'POST /success': all(303),
  'GET /cancel': all(303),
  'POST /cancel': all(303),
  // The fixture's prepa is unpublished: its trial does not exist, and an enrolled learner is redirected to the full prepa.
  'GET /user/prepa/consultation/:prepaId': row(404, 303, 404, 404, 404, 404, 404),
  'GET /user/prepa/consultation/:prepaId/:disciplineId': row(404, 303, 404, 404, 404, 404, 404),
  // An unpublished prepa: for its learners alone.
  'GET /user/prepa/consultation/:prepaId/:disciplineId/diagnostic': row(404, 200, 404, 404, 404, 404, 404),
  'POST /user/prepa/consultation/:prepaId/:disciplineId/diagnostic': all(400),
  'GET /user/prepa/consultation/:prepaId/:disciplineId/diagnostic/resultat': row(404, 303, 404, 404, 404, 404, 404),

  // Learners' pages.
  'GET /user/dashboard': learnerPage(200),
  'GET /user/dashboard/success/:prepaId': learnerPage(200),
  'GET /user/profil': learnerPage(200),
  'GET /user/profil/nom': learnerPage(303),
  'GET /user/profil/mot-de-passe': learnerPage(303),
  'POST /user/profil/nom': learnerCall(400),
  'POST /user/profil/mot-de-passe': learnerCall(400),
  // No such session exists.
  'POST /user/profil/sessions/:id/terminer': learnerCall(404),
  'POST /user/profil/sessions/terminer-les-autres': learnerCall(303),
  'POST /user/profil/hors-ligne/:id/retirer': learnerCall(404),
  'POST /user/profil/hors-ligne/:id/nommer': learnerCall(400),
  'GET /user/dashboard/cancel': learnerPage(200),
  'GET /user/prepa/:prepaId': learnerPage(200),
  'GET /user/paiements': learnerPage(200),
  // No such payment exists.
  'GET /user/paiements/:reference': learnerPage(404),
  'POST /user/paiements/:reference/verifier': learnerCall(404),
  'GET /user/notifications': learnerPage(200),
  'POST /user/notifications/lire': learnerCall(303),
  'POST /user/notifications/:id/lire': learnerCall(404),
  'GET /user/notifications/:id/supprimer': learnerPage(404),
  'POST /user/notifications/:id/supprimer': learnerCall(404),
  'GET /user/prepaview': learnerPage(303),
  'GET /user/prepaview/:prepaId': learnerPage(200),
  // Visitors see a hint to sign in.
  'GET /user/preparations': all(200),
  'GET /user/prepa/:prepaId/:disciplineId': learnerPage(200),
  // A request without an item is redirected to the study page.
  'GET /user/prepa/:prepaId/:disciplineId/entrainement': all(303),
  'POST /user/prepa/:prepaId/:disciplineId/entrainement': learnerCall(400),
  'POST /user/prepa/:prepaId/:disciplineId/note': learnerCall(400),
  'GET /user/questions/:id': learnerPage(200),
  // Without an answer.
  'POST /user/questions/:id': all(400),
  // The fixture's item is a lesson, and no attempt has its id.
  'GET /user/series/:id': learnerPage(404),
  'POST /user/series/:id/tentatives': learnerCall(400),
  'GET /user/series/tentatives/:id': all(404),
  'POST /user/series/tentatives/:id/questions/:question': learnerCall(400),
  'POST /user/series/tentatives/:id/fin': learnerCall(400),
  'POST /user/series/tentatives/:id/erreurs': learnerCall(400),
  'POST /user/prepa/:prepaId/:disciplineId/termine': learnerCall(400),
  'POST /user/prepa/:prepaId/:disciplineId/rouvert': learnerCall(400),
  'GET /user/prepa/:prepaId/:disciplineId/suite': all(303),
  'GET /user/concours-blancs': learnerPage(200),
  // No such exam exists.
  'GET /user/concours-blancs/:id': learnerPage(404),
  'GET /user/concours-blancs/:id/salle': learnerPage(404),
  'POST /user/concours-blancs/:id/debut': learnerCall(404),
  'GET /user/concours-blancs/:id/feuille/:page': all(404),
  'POST /user/concours-blancs/:id/feuille/:page': learnerCall(400),
  'GET /user/concours-blancs/:id/remise': learnerPage(404),
  'POST /user/concours-blancs/:id/remise': learnerCall(404),
  'GET /user/concours-blancs/:id/copie': learnerPage(404),
  'GET /user/concours-blancs/:id/images/:name': learnerPage(404),
  'GET /user/concours-blancs/:id/resultat': learnerPage(404),
  'GET /user/concours-blancs/:id/classement': learnerPage(404),
  'POST /user/concours-blancs/:id/erreurs': learnerCall(404),
  'POST /user/concours-blancs/:id/pseudonyme': learnerCall(400),
  'POST /user/concours-blancs/:id/note': learnerCall(400),
  ...both({
    'GET /concours-blancs/:id/scelle': learnerCall(404),
    // The same for everybody, from the opening on.
    'GET /concours-blancs/:id/cle': all(404),
    'GET /concours-blancs/:id/participation': learnerCall(404),
    'POST /concours-blancs/:id/participation': learnerCall(400),
    'POST /concours-blancs/:id/reponses': learnerCall(400),
    'POST /concours-blancs/:id/remise': learnerCall(400),
  }),
  'GET /user/erreurs': learnerPage(200),
  // Without errors, and without a session.
  'GET /user/erreurs/questions': all(303),
  'GET /user/a-revoir': learnerPage(200),
  'GET /user/epreuves': learnerPage(200),
  'GET /user/progression': learnerPage(200),
  'GET /user/seance': learnerPage(200),
  'POST /user/seance': learnerCall(400),
  'GET /user/seance/:id': all(404),
  'POST /user/seance/:id/questions/:question': learnerCall(400),
  'GET /user/seance/:id/fin': all(404),
  'GET /user/seance/:id/passer': all(404),
  'GET /user/seance/:id/questions/:question': all(404),
  'POST /user/seance/:id/passer': learnerCall(400),
  'POST /user/seance/:id/fin': learnerCall(400),
  // Without keys there are no reminders, but they can be ended.
  'POST /user/rappels': learnerCall(404),
  'GET /user/rappels': learnerPage(303),
  'POST /user/rappels/fin': learnerCall(303),
  'GET /user/rappels/fin': learnerPage(303),
  'GET /push-worker.js': all(404),
  'POST /user/lettres': learnerCall(303),
  'GET /user/lettres': learnerPage(303),
  'POST /user/lettres/hebdo': learnerCall(303),
  'GET /user/lettres/hebdo': learnerPage(303),
  // The token in the path is not one of the site's; a valid one needs no session.
  'GET /lettres/:token': all(404),
  'POST /lettres/:token': all(404),
  'GET /user/concours/:prepaId': learnerPage(200),
  'POST /user/concours/:prepaId': learnerCall(400),
  'GET /user/concours/:prepaId/resultat': learnerPage(303),
  'POST /user/concours/:prepaId/resultat': learnerCall(400),
  'GET /admin/concours': adminPage(200),
  'POST /admin/concours/:id': adminCall(400),
  'GET /user/hors-ligne': learnerPage(200),
  'GET /user/hors-ligne/page': learnerPage(200),
  'GET /user/prepa/:prepaId/hors-ligne': learnerPage(200),
  'GET /user/contenus/:id/signaler': learnerPage(200),
  'POST /user/contenus/:id/signaler': learnerCall(400),
  // With `?prepa=` it is public, like the trial.
  'GET /user/recherche': learnerPage(200),

  // Public API routes, learners' API routes, and routes shared by learners and administrators.
  ...both({
    'POST /users/register': all(400),
    'POST /users/login': all(400),
    'POST /users/logout': all(200),
    'GET /prepas/published': all(200),
    // Published prepas only.
    'GET /prepas/:id/contenu': all(404),
    'GET /disciplines': all(200),
    'GET /payment/:provider/notification': all(404),
    'POST /payment/:provider/notification': all(404),
    'GET /users/verify': learnerCall(200),
    'POST /items/:id/lu': learnerCall(204),
    'POST /items/:id/termine': learnerCall(204),
    'POST /items/:id/rouvert': learnerCall(204),
    // Only for a prepa that the learner may read.
    'GET /items/:id/texte': learnerCall(200),
    'GET /disciplines/:id/lus': learnerCall(200),
    // Questions of open items are for everyone.
    'POST /questions/:id/reponse': all(400),
    'POST /series/tentatives/:id/questions/:question': learnerCall(400),
    'POST /seances/:id/questions/:question': learnerCall(400),
    'GET /hors-ligne/prepas/:id/tailles': learnerCall(200),
    'GET /hors-ligne/prepas/:id/textes': learnerCall(200),
    'GET /hors-ligne/prepas/:id/marques': learnerCall(200),
    'POST /hors-ligne/prepas/:id/garder': learnerCall(400),
    'POST /hors-ligne/prepas/:id/differences': learnerCall(400),
    'POST /hors-ligne/marques': learnerCall(400),
    // These check the device's secret instead of a session.
    'POST /hors-ligne/prepas/:id/retirer': all(400),
    'POST /hors-ligne/contact': all(400),
    'PUT /users/profile': learnerCall(400),
    'PUT /users/password': learnerCall(400),
    'GET /users/sessions': learnerCall(200),
    'DELETE /users/sessions/:id': learnerCall(404),
    'DELETE /users/sessions': learnerCall(200),
    'GET /inscriptions/user/inscriptions': learnerCall(200),
    'GET /inscriptions/check-and-update': learnerCall(200),
    'POST /inscriptions/confirm': row(400, 400, 400, 400, 400, 400, 400),
    // The fixture's learner has no notifications.
    'GET /users/notifications': learnerCall(200),
    'GET /users/notifications/unread': learnerCall(200),
    'PUT /users/notifications/read': learnerCall(200),
    'PUT /users/notifications/:id/read': learnerCall(404),
    'DELETE /users/notifications/:id': learnerCall(404),
    'POST /payment/start': learnerCall(400),
    'POST /payment/process': learnerCall(400),
    'GET /prepas/:id': unpublished,
    'GET /disciplines/:id': unpublished,
    'GET /disciplines-user/prepa/:id': unpublished,
    'GET /lecons/discipline/:id': unpublished,
    'GET /exercices/discipline/:id': unpublished,
    'GET /anciens-sujets/discipline/:id': unpublished,
    'GET /series/discipline/:id': unpublished,
    'GET /lecons/:id': row(404, 200, 200, 200, 401, 401, 401),
    'GET /exercices/:id': row(404, 404, 404, 404, 404, 404, 404),
    'GET /anciens-sujets/:id': row(404, 404, 404, 404, 404, 404, 404),
    'GET /series/:id': row(404, 404, 404, 404, 404, 404, 404),
  }),

  // Administration.
  'GET /admin/connexion': row(200, 200, 303, 303, 200, 200, 200),
  'GET /admin/inscription': all(200),
  // No viewer has passed the password step.
  'GET /admin/connexion/code': all(303),
  'POST /admin/connexion/code': all(410),
  'GET /admin/mot-de-passe': all(200),
  'POST /admin/mot-de-passe': all(400),
  'GET /admin/compte': adminPage(200),
  'GET /admin/compte/mot-de-passe': adminPage(303),
  'POST /admin/compte/mot-de-passe': adminCall(400),
  // No such session exists.
  'POST /admin/compte/sessions/:id/terminer': adminCall(404),
  'POST /admin/compte/sessions/terminer-les-autres': adminCall(303),
  'GET /admin/compte/deux-etapes': adminPage(200),
  'POST /admin/compte/deux-etapes': adminCall(303),
  'GET /admin/compte/deux-etapes/confirmer': adminPage(303),
  'POST /admin/compte/deux-etapes/confirmer': adminCall(400),
  // The fixture's administrators have no second factor.
  'GET /admin/compte/deux-etapes/codes': adminPage(303),
  'POST /admin/compte/deux-etapes/codes': adminCall(409),
  'GET /admin/compte/deux-etapes/retirer': adminPage(200),
  'POST /admin/compte/deux-etapes/retirer': adminCall(303),
  'GET /admin/confirmation': adminPage(200),
  'POST /admin/confirmation': adminCall(400),
  'GET /admin': all(303),
  'GET /admin/dashboard': adminPage(200),
  'GET /admin/discipline/:id': adminPage(200),
  'GET /admin/apercu/:id': adminPage(200),
  'GET /admin/discipline/:id/lectures': adminPage(200),
  'GET /admin/discipline/:id/epreuve': adminPage(200),
  'GET /admin/discipline/:id/questions': adminPage(200),
  'GET /admin/discipline/:id/questions.csv': adminPage(200),
  'GET /admin/discipline/:id/diagnostic': adminPage(200),
  'POST /admin/discipline/:id/diagnostic': adminCall(400),
  'GET /admin/discipline/:id/questions.xml': adminPage(200),
  'GET /admin/discipline/:id/questions.gift': adminPage(200),
  // No such exam exists.
  'GET /admin/concours-blancs': adminPage(200),
  'POST /admin/concours-blancs': adminCall(400),
  'GET /admin/concours-blancs/nouveau': adminPage(200),
  'GET /admin/concours-blancs/:id': adminPage(404),
  'GET /admin/concours-blancs/:id/modifier': adminPage(404),
  'POST /admin/concours-blancs/:id/modifier': adminCall(404),
  'GET /admin/concours-blancs/:id/epreuves': adminPage(404),
  'POST /admin/concours-blancs/:id/epreuves': adminCall(400),
  'GET /admin/concours-blancs/:id/apercu': adminPage(404),
  'GET /admin/concours-blancs/:id/annonce': adminPage(404),
  'POST /admin/concours-blancs/:id/annonce': adminCall(404),
  'GET /admin/concours-blancs/:id/publication': adminPage(404),
  'POST /admin/concours-blancs/:id/publication': adminCall(404),
  'POST /admin/concours-blancs/:id/marquage': adminCall(404),
  'POST /admin/concours-blancs/:id/suppression': adminCall(404),
  'GET /admin/concours-blancs/:id/questions': adminPage(404),
  'GET /admin/concours-blancs/:id/questions/:question': adminPage(404),
  'POST /admin/concours-blancs/:id/correction': adminCall(404),
  'GET /admin/concours-blancs/:id/analyse': adminPage(404),
  'GET /admin/concours-blancs/:id/resultats.csv': adminPage(404),
  'GET /admin/concours-blancs/:id/liste': adminPage(404),
  'GET /admin/concours-blancs/:id/similitudes': adminPage(404),
  'GET /admin/concours-blancs/:id/retards': adminPage(404),
  'POST /admin/concours-blancs/:id/retards': adminCall(400),
  'GET /admin/signalements': adminPage(200),
  'GET /admin/signalements/:id/traiter': adminPage(303),
  // No such report exists.
  'POST /admin/signalements/:id/traiter': adminCall(404),
  'GET /admin/administrateurs': superPage(200),
  'GET /admin/administrateurs/:id/desactiver': superPage(200),
  'POST /admin/administrateurs/:id/desactiver': superCall(303),
  'POST /admin/administrateurs/:id/reactiver': superCall(303),
  'GET /admin/candidats': superPage(200),
  'GET /admin/candidats/:id': superPage(404),
  'GET /admin/candidats/:id/bloquer': superPage(303),
  'POST /admin/candidats/:id/bloquer': superCall(400),
  'GET /admin/candidats/:id/debloquer': superPage(303),
  'POST /admin/candidats/:id/debloquer': superCall(400),
  'POST /admin/candidats/:id/sessions/terminer': superCall(404),
  'POST /admin/candidats/:id/sessions/:session/terminer': superCall(404),
  'GET /admin/cles': superPage(200),
  'POST /admin/cles': superCall(400),
  // No such key pair and no such entry exist.
  'GET /admin/cles/:id/revoquer': superPage(404),
  'POST /admin/cles/:id/revoquer': superCall(404),
  'GET /admin/journal': superPage(200),
  'GET /admin/journal/:id': superPage(404),
  'GET /admin/paiements': superPage(200),
  'GET /admin/paiements.csv': superPage(200),
  'GET /admin/paiements/totaux': superPage(200),
  // No such payment exists, so the statuses are the same for every form.
  'GET /admin/paiements/:id': superPage(404),
  'POST /admin/paiements/:id/verifier': superCall(404),
  'POST /admin/paiements/:id/examiner': superCall(400),
  'POST /admin/paiements/:id/classer': superCall(400),
  'POST /admin/paiements/:id/rembourser': superCall(404),
  'POST /admin/paiements/:id/regarder': superCall(400),
  'POST /admin/paiements/:id/jours': superCall(400),
  'GET /api/docs': adminPage(200),
  'GET /api/openapi.json': adminCall(200),
  ...both({
    'POST /admin/register': all(400),
    'POST /admin/login': all(400),
    'POST /admin/logout': all(200),
    'GET /prepas': adminCall(200),
    'GET /prepas/couverture': adminCall(400),
    'GET /prepas/:id/disciplines': adminCall(200),
    'POST /prepas': adminCall(415),
    'PUT /prepas/:id': adminCall(415),
    'PUT /prepas/:id/toggle-publish': adminCall(200),
    'DELETE /prepas/:id': adminCall(409),
    'POST /disciplines': adminCall(415),
    'PUT /disciplines/:id': adminCall(415),
    'DELETE /disciplines/:id': adminCall(409),
    // The fixture's item is a lesson; deletions use an id that does not exist.
    ...Object.fromEntries(
      ['lecons', 'exercices', 'anciens-sujets', 'series'].flatMap((path) => {
        const here = path === 'lecons' ? 200 : 404;
        return [
          [`POST /${path}`, adminCall(400)],
          [`PUT /${path}/:id`, adminCall(400)],
          [`PUT /${path}/:id/position`, adminCall(400)],
          [`DELETE /${path}/:id`, adminCall(404)],
          [`GET /${path}/:id/versions`, adminCall(here)],
          [`GET /${path}/:id/versions/:version`, adminCall(here)],
          [`POST /${path}/:id/versions/:version/restore`, adminCall(here)],
          [`POST /${path}/:id/documents`, adminCall(415)],
        ];
      }),
    ),
    // The fixture's item has no draft.
    'GET /brouillons/discipline/:id': adminCall(200),
    'GET /brouillons/:id': adminCall(404),
    // Without a body.
    'PUT /brouillons/:id': adminCall(400),
    'DELETE /brouillons/:id': adminCall(404),
    'POST /brouillons/:id/copie': adminCall(201),
    'POST /brouillons/:id/publication': adminCall(404),
    'PUT /brouillons/:id/publication': adminCall(400),
    'POST /brouillons/publication': adminCall(400),
    'POST /presences/:id': adminCall(400),
    // Without a body.
    'POST /contenus/deplacement': adminCall(400),
    'POST /contenus/recherche': adminCall(400),
    'POST /contenus/remplacement': adminCall(400),
    'POST /images': adminCall(415),
    'POST /imports': adminCall(415),
    'POST /formules': adminCall(400),
    'DELETE /documents/:id': adminCall(404),
    // Same access as the document's item.
    'GET /documents/:id/:name': row(404, 200, 200, 200, 401, 401, 401),
  }),
};

async function fixture() {
  const prepa = await createPrepa(site, { isPublished: false });
  const discipline = await createDiscipline(site, prepa.id);
  const item = await createItem(site, discipline.id);
  // Not the first lesson, which is open to everyone.
  await createItem(site, discipline.id, { numeroPage: 2, contenu: numberQuestion(fixtureQuestion, '4') });
  await createItem(site, discipline.id, { kind: 'quiz', contenu: numberQuestion('fixture00002', '4') });
  await sql(site.databaseUrl, "insert into diagnostic_question values ($1, 'fixture00002', 1)", [discipline.id]);
  const document = await createDocument(site, item.id);
  const learner = await createLearner(site);
  await createEnrolment(site, learner, prepa);
  const [admin, superAdmin, disabled, expired] = [
    await createAdministrator(site),
    await createAdministrator(site, 'super_admin'),
    await createAdministrator(site, 'super_admin'),
    await createAdministrator(site, 'super_admin'),
  ];
  const gone = await createLearner(site);
  await sql(site.databaseUrl, 'update administrator set disabled_at = now() where id = $1', [disabled.id]);
  await sql(site.databaseUrl, 'update administrator_session set expires_at = $2 where administrator_id = $1', [
    expired.id,
    site.clock.now(),
  ]);
  await sql(site.databaseUrl, 'update session set expires_at = $2 where user_id = $1', [gone.id, site.clock.now()]);
  const forged = 'f'.repeat(40);
  const cookies: Record<Viewer, string> = {
    visitor: '',
    learner: learner.session,
    admin: admin.session,
    superAdmin: superAdmin.session,
    disabled: disabled.session,
    forged: `userToken=${forged}; adminToken=${forged}`,
    expired: `${gone.session}; ${expired.session}`,
  };
  const bearers: Record<Viewer, string | null> = {
    visitor: null,
    learner: learner.token,
    admin: admin.token,
    superAdmin: superAdmin.token,
    disabled: disabled.token,
    forged,
    expired: expired.token,
  };
  return {
    ids: { prepa: prepa.id, discipline: discipline.id, item: item.id, document: document.id, administrator: expired.id },
    cookies,
    bearers,
  };
}

t.test('every route gives each kind of viewer the status in its table row, by cookie and by bearer token', async (t) => {
  const { ids, cookies, bearers } = await fixture();
  const unknown = app.routeTable.map(({ method, url }) => `${method} ${url}`).filter((route) => !table[route]);
  t.same(unknown, [], 'every route has a row');
  const known = new Set(app.routeTable.map(({ method, url }) => `${method} ${url}`));
  t.same(
    Object.keys(table).filter((route) => !known.has(route)),
    [],
    'every row has a route',
  );

  for (const { method, url } of app.routeTable) {
    const expected = table[`${method} ${url}`];
    if (!expected) continue;
    const address = addressOf(method, url, ids);
    for (const viewer of viewers) {
      // A logout would end the fixture's sessions.
      const away = url.endsWith('/logout');
      const byCookie = await ask(app, method, address, away ? {} : { cookie: cookies[viewer] });
      t.equal(byCookie, expected[viewer], `${method} ${url} as ${viewer}`);
      const token = bearers[viewer];
      if (token && !away)
        t.equal(
          await ask(app, method, address, { authorization: `Bearer ${token}` }),
          expected[viewer],
          `${method} ${url} as ${viewer}, bearer`,
        );
    }
  }
});

async function ask(app: FastifyInstance, method: string, url: string, headers: Record<string, string>): Promise<number> {
  const page =
    (!url.startsWith('/api/') || url === '/api/docs') && method === 'GET' && /^\/($|user\/|admin\/|api\/docs|login|inscription$)/.test(url);
  const answer = await app.inject({
    method: method as 'GET',
    url,
    headers: { accept: page ? 'text/html' : 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
  });
  return answer.statusCode;
}
