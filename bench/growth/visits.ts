import { randomUUID } from 'node:crypto';
import { sql } from '../../test/support/sql.ts';
import { type QuestionPlaces, questionPlaces, questionVisits } from './question-visits.ts';
import { device } from './subject.ts';
import type { Visit, Who } from './visit.ts';

export interface Places extends QuestionPlaces {
  /** The identifier that the site gives the learner's devices for the learner. */
  learner: string;
  /** The learner whose data the administration looks at: the subject. */
  candidate: string;
  lesson: number;
  exercise: number;
  payment: number;
  reference: string;
  notification: number;
  entry: number;
  day: string;
  month: string;
  year: string;
  today: string;
}

/** Finds equivalent rows in every database: the prepa with the most enrolments, and a prepa that the learner has not paid for. */
export async function findPlaces(url: string): Promise<Omit<Places, 'learner'>> {
  const [row] = await sql<Places>(
    url,
    `with own as (select id from app_user where username = 'candidat_1'), p as (select id from prepa where key = 'growth-0'),
          t as (select id from prepa where key = 'growth-5'), d as (select min(id) as id from discipline where prepa_id = (select id from p))
     select p.id as prepa, own.id as candidate, t.id as trial, d.id as discipline, (select min(id) from discipline where prepa_id = t.id) as "trialDiscipline",
            (select id from item where discipline_id = d.id and kind = 'course' and numero_page = 2) as lesson,
            (select id from item where discipline_id = d.id and kind = 'exercise' and numero_page = 1) as exercise,
            (select id from payment where user_id = own.id and status = 'succeeded' order by id limit 1) as payment,
            (select reference from payment where user_id = own.id and status = 'succeeded' order by id limit 1) as reference,
            (select min(id) from notification where user_id = own.id) as notification, (select min(id) from audit_entry) as entry,
            to_char(now() - interval '500 days', 'YYYY-MM-DD') as day, to_char(now() - interval '29 days', 'YYYY-MM-DD') as month,
            to_char(now() - interval '360 days', 'YYYY-MM-DD') as year, to_char(now(), 'YYYY-MM-DD') as today,
            ${questionPlaces('d.id')}
     from own, p, t, d`,
  );
  if (!row) throw new Error('the database was not filled');
  return row;
}

const learnersPages = ({ prepa, trial, discipline, trialDiscipline, lesson, exercise, reference }: Places): Visit[] => [
  { route: 'GET /', path: '/', who: 'visitor' },
  { route: 'GET /', of: 'learner', path: '/', who: 'learner' },
  { route: 'GET /login', path: '/login', who: 'visitor' },
  { route: 'GET /inscription', path: '/inscription', who: 'visitor' },
  { route: 'GET /user/dashboard', path: '/user/dashboard', who: 'learner' },
  { route: 'GET /user/dashboard', of: 'the last page', path: '/user/dashboard?page=1000', who: 'learner' },
  { route: 'GET /user/dashboard', of: 'search', path: '/user/dashboard?q=polytechnique', who: 'learner' },
  { route: 'GET /user/dashboard', of: 'search without a result', path: '/user/dashboard?q=introuvable', who: 'learner' },
  { route: 'GET /user/preparations', path: '/user/preparations', who: 'learner' },
  { route: 'GET /user/preparations', of: 'search', path: '/user/preparations?q=concours+7', who: 'learner' },
  { route: 'GET /user/preparations', of: 'visitor', path: '/user/preparations', who: 'visitor' },
  { route: 'GET /user/prepaview', path: '/user/prepaview', who: 'learner', status: 303 },
  { route: 'GET /user/prepaview/:prepaId', path: `/user/prepaview/${prepa}`, who: 'learner' },
  { route: 'GET /user/prepa/:prepaId', path: `/user/prepa/${prepa}`, who: 'learner' },
  { route: 'GET /user/prepa/consultation/:prepaId', path: `/user/prepa/consultation/${trial}`, who: 'visitor' },
  { route: 'GET /user/prepa/consultation/:prepaId', of: 'learner', path: `/user/prepa/consultation/${trial}`, who: 'learner' },
  { route: 'GET /user/prepa/:prepaId/:disciplineId', path: `/user/prepa/${prepa}/${discipline}`, who: 'learner' },
  {
    route: 'GET /user/prepa/:prepaId/:disciplineId',
    of: 'a lesson',
    path: `/user/prepa/${prepa}/${discipline}?type=course&item=${lesson}`,
    who: 'learner',
  },
  {
    route: 'GET /user/prepa/consultation/:prepaId/:disciplineId',
    path: `/user/prepa/consultation/${trial}/${trialDiscipline}`,
    who: 'visitor',
  },
  {
    route: 'GET /user/prepa/:prepaId/:disciplineId/entrainement',
    path: `/user/prepa/${prepa}/${discipline}/entrainement?type=exercise&item=${exercise}`,
    who: 'learner',
  },
  {
    route: 'GET /user/prepa/:prepaId/:disciplineId/suite',
    path: `/user/prepa/${prepa}/${discipline}/suite?type=exercise&item=${exercise}`,
    who: 'learner',
  },
  { route: 'GET /user/a-revoir', path: '/user/a-revoir', who: 'learner' },
  { route: 'GET /user/notifications', path: '/user/notifications', who: 'learner' },
  { route: 'GET /user/profil', path: '/user/profil', who: 'learner' },
  { route: 'GET /user/paiements', path: '/user/paiements', who: 'learner' },
  { route: 'GET /user/paiements/:reference', path: `/user/paiements/${reference}`, who: 'learner' },
  { route: 'GET /user/dashboard/success/:prepaId', path: `/user/dashboard/success/${prepa}`, who: 'learner' },
  { route: 'GET /user/dashboard/cancel', path: '/user/dashboard/cancel', who: 'learner' },
  { route: 'GET /user/prepa/:prepaId/hors-ligne', path: `/user/prepa/${prepa}/hors-ligne`, who: 'learner' },
  { route: 'GET /user/hors-ligne', path: '/user/hors-ligne', who: 'learner' },
  { route: 'GET /user/hors-ligne/page', path: '/user/hors-ligne/page', who: 'learner' },
  { route: 'GET /user/contenus/:id/signaler', path: `/user/contenus/${lesson}/signaler`, who: 'learner' },
];

const administratorsPages = ({ prepa, discipline, candidate, payment, reference, entry, day, month, year, today }: Places): Visit[] => {
  const journal = (of: string, query: string): Visit => ({
    route: 'GET /admin/journal',
    of,
    path: `/admin/journal?${query}`,
    who: 'administrator',
  });
  const payments = (of: string, query: string): Visit => ({
    route: 'GET /admin/paiements',
    of,
    path: `/admin/paiements?${query}`,
    who: 'administrator',
  });
  const totals = (of: string, query: string): Visit => ({
    route: 'GET /admin/paiements/totaux',
    of,
    path: `/admin/paiements/totaux?${query}`,
    who: 'administrator',
  });
  const learners = (of: string, text: string): Visit => ({
    route: 'GET /admin/candidats',
    of,
    path: `/admin/candidats?recherche=${text}`,
    who: 'administrator',
  });
  return [
    { route: 'GET /admin/dashboard', path: '/admin/dashboard', who: 'administrator' },
    { route: 'GET /admin/dashboard', of: 'a prepa', path: `/admin/dashboard?prepa=${prepa}`, who: 'administrator' },
    { route: 'GET /admin/discipline/:id', path: `/admin/discipline/${discipline}`, who: 'administrator' },
    { route: 'GET /admin/discipline/:id/lectures', path: `/admin/discipline/${discipline}/lectures`, who: 'administrator' },
    { route: 'GET /admin/signalements', path: '/admin/signalements', who: 'administrator' },
    { route: 'GET /admin/signalements', of: 'closed', path: '/admin/signalements?etat=traites', who: 'administrator' },
    { route: 'GET /admin/candidats', path: '/admin/candidats', who: 'administrator' },
    learners('a name that many begin with', 'candidat'),
    learners('an e-mail', 'candidat1@gmail.com'),
    learners('no such name', 'introuvable'),
    { route: 'GET /admin/candidats/:id', path: `/admin/candidats/${candidate}`, who: 'administrator' },
    { route: 'GET /admin/compte', path: '/admin/compte', who: 'administrator' },
    { route: 'GET /admin/compte/deux-etapes', path: '/admin/compte/deux-etapes', who: 'administrator' },
    { route: 'GET /admin/confirmation', path: '/admin/confirmation', who: 'administrator' },
    { route: 'GET /admin/administrateurs', path: '/admin/administrateurs', who: 'administrator' },
    { route: 'GET /admin/cles', path: '/admin/cles', who: 'administrator' },
    { route: 'GET /admin/journal/:id', path: `/admin/journal/${entry}`, who: 'administrator' },
    journal('all', ''),
    journal('page 2', `avant=${entry + 60}`),
    journal('a rare text', 'texte=Leçon 17 de'),
    journal('a common text', 'texte=français'),
    journal('no such text', 'texte=introuvable'),
    journal('two letters', 'texte=zz'),
    journal('a rare action', 'action=deleted'),
    journal('an action without entries', 'action=refunded'),
    journal('an object', 'objet=prepa'),
    journal('an action of an object', 'objet=enrolment&action=updated'),
    journal('an old day', `du=${day}&au=${day}`),
    payments('all', ''),
    payments('an old day', `du=${day}&au=${day}`),
    payments('a state', 'etat=review'),
    payments('a state of a prepa', `etat=cancelled&prepa=${prepa}`),
    payments('a prepa', `prepa=${prepa}`),
    payments('an unknown provider', 'prestataire=inconnu'),
    payments('a provider', 'prestataire=notchpay'),
    payments('long without an outcome', 'alerte=anciens'),
    payments('overdue', 'alerte=retard'),
    payments('a reference', `recherche=${reference}`),
    payments('four digits', 'recherche=0012'),
    payments('an e-mail', 'recherche=candidat1@gmail.com'),
    { route: 'GET /admin/paiements.csv', path: '/admin/paiements.csv', who: 'administrator', streamed: true },
    { route: 'GET /admin/paiements/:id', path: `/admin/paiements/${payment}`, who: 'administrator' },
    totals('30 days', ''),
    totals('a year', `du=${year}&au=${today}`),
    totals('a month', `du=${month}&au=${today}&apres=1`),
  ];
};

const calls = ({ prepa, trial, discipline, lesson, notification }: Places): Visit[] => [
  { route: 'GET /api/prepas/published', path: '/api/prepas/published', who: 'visitor' },
  { route: 'GET /api/disciplines', path: '/api/disciplines', who: 'visitor' },
  { route: 'GET /api/disciplines', of: 'administrator', path: '/api/disciplines', who: 'administrator' },
  { route: 'GET /api/prepas', path: '/api/prepas', who: 'administrator' },
  { route: 'GET /api/prepas/:id', path: `/api/prepas/${prepa}`, who: 'learner' },
  { route: 'GET /api/prepas/:id/contenu', path: `/api/prepas/${trial}/contenu`, who: 'learner' },
  { route: 'GET /api/prepas/:id/disciplines', path: `/api/prepas/${prepa}/disciplines`, who: 'administrator' },
  { route: 'GET /api/disciplines/:id', path: `/api/disciplines/${discipline}`, who: 'learner' },
  { route: 'GET /api/disciplines-user/prepa/:id', path: `/api/disciplines-user/prepa/${trial}`, who: 'visitor' },
  { route: 'GET /api/inscriptions/user/inscriptions', path: '/api/inscriptions/user/inscriptions', who: 'learner' },
  { route: 'GET /api/inscriptions/check-and-update', path: '/api/inscriptions/check-and-update', who: 'learner' },
  { route: 'POST /api/inscriptions/confirm', method: 'POST', body: { prepaId: prepa }, path: '/api/inscriptions/confirm', who: 'learner' },
  { route: 'GET /api/lecons/discipline/:id', path: `/api/lecons/discipline/${discipline}`, who: 'learner' },
  { route: 'GET /api/exercices/discipline/:id', path: `/api/exercices/discipline/${discipline}`, who: 'learner' },
  { route: 'GET /api/anciens-sujets/discipline/:id', path: `/api/anciens-sujets/discipline/${discipline}`, who: 'learner' },
  { route: 'GET /api/lecons/:id', path: `/api/lecons/${lesson}`, who: 'learner' },
  { route: 'GET /api/lecons/:id/versions', path: `/api/lecons/${lesson}/versions`, who: 'administrator' },
  {
    route: 'GET /api/items/:id/texte',
    path: `/api/items/${lesson}/texte?prepa=${prepa}&discipline=${discipline}&type=course`,
    who: 'learner',
  },
  { route: 'GET /api/disciplines/:id/lus', path: `/api/disciplines/${discipline}/lus`, who: 'learner' },
  { route: 'POST /api/items/:id/lu', method: 'POST', path: `/api/items/${lesson}/lu`, who: 'learner', status: 204 },
  { route: 'POST /api/items/:id/termine', method: 'POST', path: `/api/items/${lesson}/termine`, who: 'learner', status: 204 },
  { route: 'GET /api/users/verify', path: '/api/users/verify', who: 'learner' },
  { route: 'GET /api/users/sessions', path: '/api/users/sessions', who: 'learner' },
  { route: 'GET /api/users/notifications', path: '/api/users/notifications', who: 'learner' },
  { route: 'GET /api/users/notifications/unread', path: '/api/users/notifications/unread', who: 'learner' },
  {
    route: 'PUT /api/users/notifications/:id/read',
    method: 'PUT',
    path: `/api/users/notifications/${notification}/read`,
    who: 'learner',
  },
  {
    route: 'POST /api/payment/process',
    method: 'POST',
    body: { transactionReference: 'ZP1700000000000unknown' },
    path: '/api/payment/process',
    who: 'learner',
    status: 404,
  },
  { route: 'PUT /api/prepas/:id/toggle-publish', method: 'PUT', path: `/api/prepas/${prepa}/toggle-publish`, who: 'administrator' },
  { route: 'GET /readyz', path: '/readyz', who: 'visitor' },
];

/** Requests of devices that keep a prepa offline. */
const devicesCalls = ({ prepa, learner, lesson, exercise }: Places): Visit[] => {
  const ofPrepa = `/api/hors-ligne/prepas/${prepa}`;
  const post = (route: string, path: string, body: Visit['body'], who: Who = 'learner', status = 200): Visit => ({
    route: `POST ${route}`,
    method: 'POST',
    path,
    body,
    who,
    status,
  });
  const contact = { appareil: device, prepas: [{ id: prepa }] };
  const marks = () => ({
    learner,
    entrees: [
      { cle: randomUUID(), type: 'lu', item: lesson, le: Date.now() },
      { cle: randomUUID(), type: 'a_revoir', item: exercise, le: Date.now() },
    ],
  });
  return [
    { route: 'GET /api/hors-ligne/prepas/:id/tailles', path: `${ofPrepa}/tailles`, who: 'learner' },
    post('/api/hors-ligne/prepas/:id/garder', `${ofPrepa}/garder`, { appareil: device, disciplines: null }),
    post('/api/hors-ligne/prepas/:id/retirer', `${ofPrepa}/retirer`, { appareil: unknownDevice }, 'visitor', 204),
    { route: 'GET /api/hors-ligne/prepas/:id/textes', path: `${ofPrepa}/textes`, who: 'learner' },
    post('/api/hors-ligne/prepas/:id/differences', `${ofPrepa}/differences`, { tenus: [[lesson, 1]], changements: true }),
    { route: 'GET /api/hors-ligne/prepas/:id/marques', path: `${ofPrepa}/marques`, who: 'learner' },
    post('/api/hors-ligne/contact', '/api/hors-ligne/contact', contact),
    { ...post('/api/hors-ligne/contact', '/api/hors-ligne/contact', contact, 'visitor'), of: 'without a session' },
    post('/api/hors-ligne/marques', '/api/hors-ligne/marques', marks),
  ];
};
const unknownDevice = '00000000-0000-4000-8000-000000000002';

/** Searches come last, because their limit per minute makes them wait. */
const searches = ({ trial }: Places): Visit[] => [
  { route: 'GET /user/recherche', path: '/user/recherche?q=fonction', who: 'learner' },
  { route: 'GET /user/recherche', of: 'without a result', path: '/user/recherche?q=introuvable', who: 'learner' },
  { route: 'GET /user/recherche', of: 'in a trial', path: `/user/recherche?q=fonction&prepa=${trial}`, who: 'visitor' },
];

export const visitsOf = (places: Places): Visit[] => [
  ...learnersPages(places),
  ...administratorsPages(places),
  ...calls(places),
  ...devicesCalls(places),
  ...questionVisits(places),
  ...searches(places),
];
