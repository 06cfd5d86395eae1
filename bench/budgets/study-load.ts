/** Measures CPU time and requests per second of the signed-in study page, as multiples of those of the baseline server (floor.ts). */
import type { IncomingMessage } from 'node:http';
import { asRead } from '../../src/shared/rich-text/as-read.ts';
import { sql } from '../../test/support/sql.ts';
import { insertLessons, sessionCookie } from '../support/fixtures.ts';
import { type Load, LoadClient, type Target } from '../support/http-load.ts';
import { largeLesson } from '../support/large-lesson.ts';
import { median, type Report, spread } from '../support/report.ts';
import { learners, type Site } from '../support/site.ts';
import type { StartedNode, Workshop } from '../support/workshop.ts';
import { floorTarget } from './page-load.ts';

/** Warm-up pairs that are not counted: until V8 has compiled the hot functions, each run is faster than the one before. */
const warmUpPairs = 6;
const warmPairs = 15;
const coldPairs = 7;
const floorRequests = 2_500;
const warmRequests = 1_200;
/** Passes over all lessons; before each pass the lessons get a new version, so that no text is cached. */
const coldPasses = 3;
/** Id of the lesson of 200 KB in the table `floor`, from which the baseline server reads. */
const largeRow = 1_000_000;
const largePairs = 7;
const largeRequests = 500;

export async function measureStudyLoad(workshop: Workshop, site: Site, report: Report): Promise<void> {
  report.section('Signed-in study page under load');
  const floorServer = await workshop.start('floor', new URL('./floor.ts', import.meta.url).pathname, () => ({
    DATABASE_URL: site.databaseUrl,
  }));
  const seen = new Set<string>();
  const ours = studyTarget(site, seen);
  await checkPage(site);
  const floor = new LoadClient(floorTarget(site, floorServer));
  const study = new LoadClient(ours);
  workshop.teardown(() => {
    floor.close();
    study.close();
  });

  const warm: Pair[] = [];
  for (let pair = -warmUpPairs; pair < warmPairs; pair += 1) {
    const loads = await inTurn(
      pair,
      () => floor.run(floorRequests),
      () => study.run(warmRequests),
    );
    if (pair >= 0) warm.push(loads);
  }

  const cold = () => study.run(site.lessons.length, { passes: coldPasses, between: () => nextVersion(site) });
  await cold();
  seen.clear();
  const coldRuns: Pair[] = [];
  for (let pair = 0; pair < coldPairs; pair += 1) {
    coldRuns.push(await inTurn(pair, () => floor.run(floorRequests), cold));
  }
  const coldRequests = coldPairs * coldPasses * site.lessons.length;
  if (seen.size !== coldRequests) throw new Error(`${coldRequests} requests were to be cold, ${seen.size} were`);
  await measureLargeLesson(site, floorServer, report);
  await floorServer.stop();

  const [first] = warm;
  report.fact('floor: bare Fastify, 1 query, Accept-Encoding: identity', describe(warm.map((run) => run.floor)));
  report.fact('ours, warm, Accept-Encoding: gzip, br', describe(warm.map((run) => run.ours)));
  report.fact('ours, cold, Accept-Encoding: gzip, br', describe(coldRuns.map((run) => run.ours)));
  report.fact('sent a request', `floor ${kilobytes(first?.floor.bytes)} KB plain, ours ${kilobytes(first?.ours.bytes)} KB gzip`);
  report.fact('alternating pairs', `${warmPairs} warm (${warmRequests} requests), ${coldPairs} cold (${coldPasses * site.lessons.length})`);
  budget(report, 'CPU a page, content warm', warm, 3);
  budget(report, 'CPU a page, content cold', coldRuns, 15);
  rate(report, 'requests/s, content warm', warm);
  rate(report, 'requests/s, content cold', coldRuns);
}

/** Measures a lesson of 200 KB; the baseline server sends a row of the same size. */
async function measureLargeLesson(site: Site, floorServer: StartedNode, report: Report): Promise<void> {
  const { html } = await largeLesson(site.databaseUrl);
  const [disciplineId] = site.disciplines;
  const [lesson] = await insertLessons(site.databaseUrl, disciplineId ?? 0, [html]);
  if (!lesson) throw new Error('no lesson');
  await sql(site.databaseUrl, 'insert into floor values ($1, $2)', [largeRow, html]);
  const floor = new LoadClient({
    origin: floorServer.origin,
    pid: floorServer.pid,
    databasePid: site.databasePid,
    request: () => ({ path: `/${largeRow}`, headers: { 'accept-encoding': 'identity' } }),
  });
  const study = new LoadClient({ ...studyTarget({ ...site, lessons: [{ ...lesson, text: html }] }, new Set()) });
  const pairs: Pair[] = [];
  for (let pair = -2; pair < largePairs; pair += 1) {
    const loads = await inTurn(
      pair,
      () => floor.run(largeRequests),
      () => study.run(largeRequests),
    );
    if (pair >= 0) pairs.push(loads);
  }
  floor.close();
  study.close();
  report.fact(`a lesson of ${kilobytes(Buffer.byteLength(html))} KB: floor, a row as long`, describe(pairs.map((run) => run.floor)));
  report.fact('ours', describe(pairs.map((run) => run.ours)));
  budget(report, 'CPU a page, a lesson of 200 KB, content warm', pairs, 3);
}

interface Pair {
  floor: Load;
  ours: Load;
}

/** Measures both servers. They take turns in being first, so that a slow change of the machine's speed favours neither. */
async function inTurn(pair: number, floor: () => Promise<Load>, ours: () => Promise<Load>): Promise<Pair> {
  if (pair % 2 === 0) {
    const first = await floor();
    return { floor: first, ours: await ours() };
  }
  const first = await ours();
  return { floor: await floor(), ours: first };
}

function budget(report: Report, what: string, pairs: Pair[], limit: number): void {
  const ratios = pairs.map(({ floor, ours }) => ours.cpuMs / floor.cpuMs);
  report.budget({ what, measured: median(ratios), limit, unit: '× floor', detail: spread(ratios) });
}

function rate(report: Report, what: string, pairs: Pair[]): void {
  const ratios = pairs.map(({ floor, ours }) => ours.perSecond / floor.perSecond);
  report.fact(what, `${median(ratios).toFixed(2)} × floor   ${spread(ratios)}`);
}

function describe(loads: Load[]): string {
  const cpu = median(loads.map(({ cpuMs }) => cpuMs));
  return `${cpu.toFixed(3)} ms of CPU, ${Math.round(median(loads.map(({ perSecond }) => perSecond)))} requests/s`;
}

const kilobytes = (bytes = Number.NaN): string => (bytes / 1000).toFixed(1);

/** @param seen collects the ETag of each response, without the part that depends on the learner: one value per page version */
export function studyTarget(site: Site, seen: Set<string>): Target {
  const { origin, pid, databasePid, lessons } = site;
  const paths = lessons.map((lesson) => site.studyPath(lesson));
  return {
    origin,
    pid,
    databasePid,
    request: (n) => ({
      path: paths[n % paths.length] ?? '/',
      headers: { 'accept-encoding': 'gzip, br', accept: 'text/html', cookie: `${sessionCookie((n % learners) + 1)}; ${site.sheets}` },
    }),
    check: (response: IncomingMessage) => {
      seen.add(String(response.headers.etag).replace(/-[^-]*$/, ''));
    },
  };
}

/** Gives all lessons a new version with one UPDATE, so that cached pages are stale; the title shows the version. */
async function nextVersion({ databaseUrl, disciplines }: Site): Promise<void> {
  await sql(
    databaseUrl,
    `update item set version = version + 1, titre = regexp_replace(titre, '( v[0-9]+)?$', ' v' || version + 1) where discipline_id = any($1)`,
    [disciplines],
  );
}

/** Checks that the measured response is the complete page: compressed, with its lesson and its learner. */
async function checkPage(site: Site): Promise<void> {
  const [lesson] = site.lessons;
  if (!lesson) throw new Error('no lesson');
  const response = await fetch(`${site.origin}${site.studyPath(lesson)}`, {
    headers: { 'accept-encoding': 'gzip', cookie: sessionCookie(7), accept: 'text/html' },
    redirect: 'manual',
  });
  const html = await response.text();
  const links = html.match(/<a /g)?.length ?? 0;
  const whole =
    html.includes('candidat_7') &&
    // The addresses of pictures contain an access token of the learner.
    html.replaceAll(/\?acces=[^"]*/g, '').includes(asRead(lesson.text)) &&
    links >= 30 &&
    response.headers.get('content-security-policy') !== null;
  if (response.headers.get('content-encoding') !== 'gzip' || !whole)
    throw new Error(`this is not the study page: ${response.status}\n${html.slice(0, 2_000)}`);
}
