/** Measures what questions cost: a page with twenty of them, one answer, and twenty answers on a phone. */
import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { sql } from '../../test/support/sql.ts';
import { newPhone, newTab } from '../support/browser.ts';
import { insertLearners, insertLessons, type Lesson, sessionCookie } from '../support/fixtures.ts';
import { type Load, LoadClient, type Target } from '../support/http-load.ts';
import { median, type Report, spread } from '../support/report.ts';
import { learners, type Site } from '../support/site.ts';
import type { Workshop } from '../support/workshop.ts';
import { describe, floorTarget, total } from './page-load.ts';

const asked = 20;
/** A learner number that no other benchmark uses. */
const reader = 100_001;
const warmUpRounds = 4;
const rounds = 9;
const requests = 500;

/** A question of the lesson, and an id of one of its choices. */
interface Asked {
  id: string;
  choice: string;
}

export async function measureQuestions(workshop: Workshop, browser: Browser, site: Site, report: Report): Promise<void> {
  report.section('Questions: a page with twenty, an answer, and twenty answers on a phone');
  const { lesson, questions } = await insertQuestions(site);
  await measurePage(workshop, site, lesson, report);
  await measureAnswer(workshop, site, questions, report);
  await measurePhone(browser, site, lesson, report);
}

/** Inserts a lesson of choice questions of the demonstration, under new ids. */
async function insertQuestions({ databaseUrl, disciplines }: Site): Promise<{ lesson: Lesson; questions: Asked[] }> {
  const found = await sql<{ id: string; section: string }>(
    databaseUrl,
    `select q.id, substring(i.contenu from '<section class="question" data-id="' || q.id || '".*?</section>') as section
     from question q join item i on i.id = q.item_id where q.kind = 'one' and q.usable and q.position is not null order by q.id limit $1`,
    [asked],
  );
  if (found.length < asked) throw new Error(`the demonstration has ${found.length} such questions`);
  const renamed = found.map(({ id, section }, index) => {
    const newId = `bench${String(index).padStart(7, '0')}`;
    return { was: id, id: newId, section: section.replace(id, newId), choice: /<article data-id="(\w+)"/.exec(section)?.[1] ?? '' };
  });
  const [lesson] = await insertLessons(databaseUrl, disciplines[0] ?? 0, [renamed.map(({ section }) => section).join('')]);
  if (!lesson) throw new Error('no lesson');
  await sql(
    databaseUrl,
    `insert into question (id, item_id, position, kind, points, key, judged, usable)
     select n.id, $1, n.position, q.kind, q.points, q.key, q.judged, true
     from unnest($2::text[], $3::text[]) with ordinality as n (id, was, position) join question q on q.id = n.was`,
    [lesson.id, renamed.map(({ id }) => id), renamed.map(({ was }) => was)],
  );
  return { lesson, questions: renamed };
}

/** Runs both sides in turn. Returns the loads of the counted rounds, and the ratios of their CPU times. */
async function beside(floor: Target, ours: Target): Promise<{ floor: Load[]; ours: Load[]; ratios: number[] }> {
  const [base, client] = [new LoadClient(floor), new LoadClient(ours)];
  const loads: { floor: Load[]; ours: Load[] } = { floor: [], ours: [] };
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    const first = round % 2 === 0 ? await base.run(requests) : null;
    const own = await client.run(requests);
    const beside = first ?? (await base.run(requests));
    if (round < 0) continue;
    loads.floor.push(beside);
    loads.ours.push(own);
  }
  base.close();
  client.close();
  return { ...loads, ratios: loads.ours.map((load, round) => total(load) / total(loads.floor[round])) };
}

async function measurePage(workshop: Workshop, site: Site, lesson: Lesson, report: Report): Promise<void> {
  const server = await workshop.start('questions-floor', new URL('./floor.ts', import.meta.url).pathname, () => ({
    DATABASE_URL: site.databaseUrl,
  }));
  const studyPage = (shown: Lesson): Target => ({
    origin: site.origin,
    pid: site.pid,
    databasePid: site.databasePid,
    request: (n) => ({
      path: site.studyPath(shown),
      headers: { 'accept-encoding': 'gzip, br', cookie: `${sessionCookie((n % learners) + 1)}; ${site.sheets}` },
    }),
  });
  const [other] = site.lessons;
  if (!other) throw new Error('no lesson');
  const floor = await beside(floorTarget(site, server), studyPage(lesson));
  const text = await beside(studyPage(other), studyPage(lesson));
  await server.stop();
  const size = text.ours[0]?.bytes ?? 0;
  report.fact(
    `study page with ${asked} questions`,
    `${median(floor.ratios).toFixed(2)} × floor (${spread(floor.ratios)}); ${describe(floor.ours)}; ${(size / 1000).toFixed(1)} KB`,
  );
  report.budget({
    what: `study page with ${asked} questions beside one with a lesson of 15 KB`,
    measured: median(text.ratios),
    limit: 1.2,
    unit: '×',
    detail: spread(text.ratios),
  });
}

async function measureAnswer(workshop: Workshop, site: Site, questions: Asked[], report: Report): Promise<void> {
  await sql(site.databaseUrl, 'create table floor_answer (cle uuid primary key, given jsonb not null, answered_at timestamptz not null)');
  const server = await workshop.start('answer-floor', new URL('./answer-floor.ts', import.meta.url).pathname, () => ({
    DATABASE_URL: site.databaseUrl,
  }));
  const json = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  // Each learner answers each question once, as first answers cost most; neighbours answer different ones.
  const question = (n: number) => questions[(n + Math.floor(n / learners)) % questions.length];
  const bodyOf = (n: number) => JSON.stringify({ cle: randomUUID(), choix: [question(n)?.choice ?? ''], numero: 1 });
  const { floor, ours, ratios } = await beside(
    {
      origin: server.origin,
      pid: server.pid,
      databasePid: site.databasePid,
      request: (n) => ({ path: '/', headers: json, body: bodyOf(n) }),
    },
    {
      origin: site.origin,
      pid: site.pid,
      databasePid: site.databasePid,
      request: (n) => ({
        path: `/api/questions/${question(n)?.id}/reponse`,
        headers: { ...json, 'accept-encoding': 'gzip, br', cookie: sessionCookie((n % learners) + 1) },
        body: bodyOf(n),
      }),
    },
  );
  await server.stop();
  const [stored] = await sql<{ answers: number; answered: number }>(
    site.databaseUrl,
    `select (select count(*)::int from answer) as answers, (select sum(answered)::int from question_tally) as answered`,
  );
  if (stored?.answers !== (warmUpRounds + rounds) * requests || stored.answered !== stored.answers)
    throw new Error(`not every answer was stored and counted: ${JSON.stringify(stored)}`);
  report.fact('bare insert', describe(floor));
  report.fact('an answer: CPU beside the bare insert', `${median(ratios).toFixed(2)} × (${spread(ratios)}); ${describe(ours)}`);
  report.budget({ what: 'body of an answer', measured: Buffer.byteLength(bodyOf(0)), limit: 400, unit: 'bytes', digits: 0 });
}

/** Answers all questions of the lesson on a phone and counts what the network carries. */
async function measurePhone(browser: Browser, site: Site, lesson: Lesson, report: Report): Promise<void> {
  await insertLearners(site.databaseUrl, reader, reader);
  await sql(
    site.databaseUrl,
    `insert into enrolment (user_id, prepa_id, prepa_nom, statut, date_inscription, date_expiration)
     select u.id, p.id, p.nom, 'active', now(), now() + interval '20 days' from app_user u, prepa p where u.username = $1 and p.id = $2`,
    [`candidat_${reader}`, site.prepaId],
  );
  const phone = await newPhone(browser, site.origin, reader);
  const { page, protocol } = await newTab(phone);
  const fetched: { url: string; sent: number; bytes: number }[] = [];
  const running = new Map<string, { url: string; sent: number; bytes: number }>();
  protocol.on('Network.requestWillBeSent', ({ requestId, request: { url, postData } }) => {
    if (!url.startsWith('data:')) running.set(requestId, { url, sent: postData?.length ?? 0, bytes: 0 });
  });
  protocol.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const entry = running.get(requestId);
    if (entry) fetched.push({ ...entry, bytes: encodedDataLength });
  });
  await page.goto(site.origin + site.studyPath(lesson), { waitUntil: 'networkidle' });
  report.fact('the page, first visit', `${(sum(fetched) / 1000).toFixed(1)} KB in ${fetched.length} requests`);
  fetched.length = 0;
  for (let index = 0; index < asked; index += 1) {
    const form = page.locator('form.question').first();
    await form.locator('input[name="choix"]').first().check({ force: true });
    await form.getByText('Vérifier', { exact: true }).click();
    await page.locator('.question__verdict').nth(index).waitFor();
  }
  const script = fetched.filter(({ url }) => /\/answer-[^/]*\.js$/.test(url));
  if (script.length === 0) throw new Error(`the script of questions was not fetched: ${fetched.map(({ url }) => url).join(' ')}`);
  report.budget({ what: 'the script of questions', measured: sum(script) / 1000, limit: 4, unit: 'KB' });
  const answers = fetched.filter(({ url }) => url.endsWith('/reponse'));
  report.fact('twenty answers', `${(sum(fetched) / 1000).toFixed(1)} KB in ${fetched.length} requests, of these ${answers.length} answers`);
  report.budget({
    what: 'response to an answer, largest',
    measured: Math.max(...answers.map(({ bytes }) => bytes)) / 1000,
    limit: 3,
    unit: 'KB',
  });
  await phone.close();
}

const sum = (fetched: { bytes: number }[]): number => fetched.reduce((bytes, one) => bytes + one.bytes, 0);
