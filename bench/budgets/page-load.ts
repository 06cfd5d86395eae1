/**
 * Measures the CPU time of the most visited pages, of the server and the database together, as multiples of the baseline server's
 * (floor.ts), all in one run.
 */
import type { IncomingMessage } from 'node:http';
import { sql } from '../../test/support/sql.ts';
import { sessionCookie } from '../support/fixtures.ts';
import { type Load, LoadClient, type Target } from '../support/http-load.ts';
import { median, type Report, spread } from '../support/report.ts';
import { learners, type Site } from '../support/site.ts';
import type { Workshop } from '../support/workshop.ts';

/** Warm-up rounds that are not counted: until V8 has compiled the hot functions, each round is faster than the one before. */
const warmUpRounds = 3;
const rounds = 11;
const requests = 500;
const floorRequests = 1_000;

interface Page {
  what: string;
  /** Largest accepted CPU time, as a multiple of the baseline server's. */
  limit: number;
  /** Returns the n-th request's path. */
  path: (n: number) => string;
  signedIn: boolean;
  /** Text that the page must contain. */
  text: string;
}

export async function measurePages(workshop: Workshop, site: Site, report: Report): Promise<void> {
  report.section('Pages beside the floor: CPU of the server and of its database together, content warm');
  const floorServer = await workshop.start('pages-floor', new URL('./floor.ts', import.meta.url).pathname, () => ({
    DATABASE_URL: site.databaseUrl,
  }));
  const floor = new LoadClient(floorTarget(site, floorServer));
  const pages = await listPages(site);
  const clients = pages.map((page) => new LoadClient(pageTarget(site, page)));
  for (const page of pages) await checkPage(site, page);
  const floorLoads: Load[] = [];
  const loads: Load[][] = pages.map(() => []);
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    const beside = await floor.run(floorRequests);
    if (round >= 0) floorLoads.push(beside);
    // The order is reversed in every second round, so that a slow change of the machine's speed favours no page.
    const order = round % 2 === 0 ? [...pages.keys()] : [...pages.keys()].toReversed();
    for (const index of order) {
      const load = await clients[index]?.run(requests);
      if (load && round >= 0) loads[index]?.push(load);
    }
  }
  for (const client of [floor, ...clients]) client.close();
  await floorServer.stop();

  report.fact('floor', describe(floorLoads));
  for (const [index, { what, limit }] of pages.entries()) {
    const own = loads[index] ?? [];
    const ratios = own.map((load, round) => total(load) / total(floorLoads[round]));
    report.budget({ what, measured: median(ratios), limit, unit: '× floor', detail: `${spread(ratios)}; ${describe(own)}` });
  }
}

async function listPages({ databaseUrl, prepaId, lessons, studyPath }: Site): Promise<Page[]> {
  // A prepa of the demonstration in which none of the learners is enrolled.
  const [trial] = await sql<{ prepa: number; discipline: number }>(
    databaseUrl,
    `select prepa_id as prepa, min(id) as discipline from discipline where key is not null group by prepa_id order by prepa_id limit 1`,
  );
  const disciplines = `/user/prepa/consultation/${trial?.prepa}`;
  const study = lessons.map((lesson) => studyPath(lesson));
  const always = (path: string) => () => path;
  const page = (what: string, limit: number, path: Page['path'], signedIn: boolean, text: string): Page => ({
    what: `${what}, ${signedIn ? 'learner' : 'visitor'}`,
    limit,
    path,
    signedIn,
    text,
  });
  return [
    page('study page', 1.3, (n) => study[n % study.length] ?? '/', true, 'Une leçon du programme'),
    page('landing page', 3, always('/'), false, 'Questions fréquentes'),
    page('landing page', 3, always('/'), true, 'Questions fréquentes'),
    page('catalogue', 3, always('/user/preparations'), false, 'Vous devez être connecté'),
    page('catalogue', 3, always('/user/preparations'), true, 'Préparation mesurée'),
    page('disciplines', 3, always(`/user/prepa/${prepaId}`), true, 'Discipline 3'),
    page('trial, disciplines', 3, always(disciplines), false, 'Accès limité'),
    page('trial, disciplines', 3, always(disciplines), true, 'Accès limité'),
    page('trial, study page', 3, always(`${disciplines}/${trial?.discipline}`), false, 'Accès limité'),
    page('trial, study page', 3, always(`${disciplines}/${trial?.discipline}`), true, 'Accès limité'),
    page('dashboard', 8, always('/user/dashboard'), true, 'Préparation mesurée'),
  ];
}

/** Visitors have no style sheets yet; signed-in learners loaded them with the sign-in page. */
const headersOf = ({ sheets }: Site, { signedIn }: Page, learner: number) => ({
  'accept-encoding': 'gzip, br',
  accept: 'text/html',
  ...(signedIn && { cookie: `${sessionCookie(learner)}; ${sheets}` }),
});

const pageTarget = (site: Site, page: Page): Target => ({
  origin: site.origin,
  pid: site.pid,
  databasePid: site.databasePid,
  request: (n) => ({ path: page.path(n), headers: headersOf(site, page, (n % learners) + 1) }),
  check: ({ headers }: IncomingMessage) => {
    if (!headers['content-encoding']) throw new Error(`${page.what} came uncompressed`);
  },
});

/** The baseline server: see floor.ts. */
export const floorTarget = ({ lessons, databasePid }: Site, { origin, pid }: { origin: string; pid: number }): Target => ({
  origin,
  pid,
  databasePid,
  request: (n) => ({ path: `/${(n % lessons.length) + 1}`, headers: { 'accept-encoding': 'identity' } }),
});

/** Checks that the measured response is the complete page, as a visitor or as a signed-in learner. */
async function checkPage(site: Site, page: Page): Promise<void> {
  const response = await fetch(site.origin + page.path(0), { headers: headersOf(site, page, 7), redirect: 'manual' });
  const html = await response.text();
  const whole =
    html.includes(page.text) && html.includes('candidat_7') === page.signedIn && response.headers.has('content-security-policy');
  if (!whole) throw new Error(`this is not the ${page.what}: ${response.status}\n${html.slice(0, 2_000)}`);
}

export const total = (load: Load | undefined): number => (load ? load.cpuMs + load.databaseMs : Number.NaN);

export const describe = (loads: Load[]): string =>
  `${median(loads.map(({ cpuMs }) => cpuMs)).toFixed(3)} ms and the database's ${median(loads.map(({ databaseMs }) => databaseMs)).toFixed(3)} ms`;
