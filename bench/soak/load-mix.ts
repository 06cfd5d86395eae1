import { hash } from '@node-rs/argon2';
import { sql } from '../../test/support/sql.ts';
import { sessionCookie } from '../support/fixtures.ts';
import { learners, type Site } from '../support/site.ts';
import type { LoadTarget } from './load-client.ts';

/** Requests of each kind per hundred, for a crowd on the eve of an exam. */
const shares = { study: 46, text: 8, disciplines: 10, dashboard: 12, search: 4, marks: 12, unread: 5, signIn: 1, notification: 2 };
type Kind = keyof typeof shares;

const password = 'Concours-2026!';
/** Number of requests in the mix, drawn with equal probability. */
const size = 10_000;
/** Search words as a crowd types them: a few words are searched again and again. */
const words = [
  'programme',
  'équation',
  'constitution',
  'dérivée',
  'fonction',
  'budget',
  'histoire',
  'suite',
  'matrice',
  'droit',
  'énergie',
  'acide',
];

/** The result group in which each kind is counted. */
const groups: Record<Kind, string> = {
  study: 'pages',
  text: 'pages',
  disciplines: 'pages',
  dashboard: 'pages',
  search: 'can wait',
  marks: 'can wait',
  unread: 'can wait',
  signIn: 'sign-ins',
  notification: 'providers',
};

/** Sets the password with which the mix signs learners in. */
export async function givePasswords({ databaseUrl }: Site): Promise<void> {
  const hashed = await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  await sql(databaseUrl, `update app_user set password_hash = $1 where username like 'candidat%'`, [hashed]);
}

/** @param only the kinds of requests; without it, all kinds */
export function loadMix(site: Site, only: readonly Kind[] = Object.keys(shares) as Kind[]): LoadTarget[] {
  const kinds = only.flatMap((kind) => Array<Kind>(shares[kind]).fill(kind));
  return Array.from({ length: size }, (_, n) => ({
    group: groups[kinds[n % kinds.length] as Kind],
    ...targetOf(site, kinds[n % kinds.length] as Kind, n),
  }));
}

function targetOf(site: Site, kind: Kind, n: number): Omit<LoadTarget, 'group'> {
  // Each request has another learner, lesson and client address, independent of its kind.
  const round = Math.floor(n / 100);
  const learner = 1 + ((n * 7 + round) % learners);
  const lesson = site.lessons[(n * 13 + round) % site.lessons.length] as Site['lessons'][number];
  const network = { 'x-forwarded-for': `10.${n % 250}.${(n >> 3) % 250}.7` };
  const session = { cookie: `${sessionCookie(learner)}; ${site.sheets}`, ...network };
  const page = (path: string): Omit<LoadTarget, 'group'> => ({
    method: 'GET',
    path,
    headers: { accept: 'text/html', 'accept-encoding': 'gzip, br', ...session },
    good: [200],
  });
  const call = (method: 'GET' | 'POST', path: string, good: number[]): Omit<LoadTarget, 'group'> => ({
    method,
    path,
    headers: { accept: 'application/json', 'sec-fetch-site': 'same-origin', ...session },
    good,
  });
  switch (kind) {
    case 'study':
      return page(site.studyPath(lesson));
    case 'text':
      return call('GET', `/api/items/${lesson.id}/texte`, [200]);
    case 'disciplines':
      return page(`/user/prepa/${site.prepaId}`);
    case 'dashboard':
      return page('/user/dashboard');
    case 'search':
      return page(
        `/user/recherche?q=${encodeURIComponent(`${words[n % words.length]} ${n % 3 === 0 ? words[(n * 5) % words.length] : ''}`)}`,
      );
    case 'marks':
      return n % 3 === 0
        ? call('GET', `/api/disciplines/${lesson.disciplineId}/lus`, [200])
        : call('POST', `/api/items/${lesson.id}/lu`, [204]);
    case 'unread':
      return call('GET', '/api/users/notifications/unread', [200]);
    case 'signIn':
      return {
        method: 'POST',
        path: '/api/users/login',
        headers: { accept: 'application/json', 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...network },
        body: JSON.stringify({ email: `candidat${learner}@gmail.com`, password }),
        good: [200],
      };
    case 'notification':
      return {
        method: 'POST',
        path: '/api/payment/zitopay/notification',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...network },
        body: `ref=INCONNUE${n}&status=COMPLETED`,
        good: [200],
      };
  }
}
