/** The built site in production mode with the demonstration, and a separate prepa for measurements. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../src/platform/settings/project-root.ts';
import { sql } from '../../test/support/sql.ts';
import { databaseServer } from './cpu-time.ts';
import {
  composeTexts,
  enrolEverybody,
  insertDisciplines,
  insertLearners,
  insertLessons,
  insertPrepa,
  type Lesson,
  sessionCookie,
} from './fixtures.ts';
import type { StartedNode, Workshop } from './workshop.ts';

export const learners = 500;
const disciplineCount = 5;
const lessonCount = 150;
/** Bytes of the row that the baseline server (bench/budgets/floor.ts) sends. */
const floorBytes = 22_000;

export interface Site extends StartedNode {
  /** The cookie of a browser that has the style sheets in its cache. */
  sheets: string;
  databaseUrl: string;
  /** Process id of the PostgreSQL postmaster. */
  databasePid: number;
  prepaId: number;
  disciplines: number[];
  lessons: (Lesson & { text: string })[];
  studyPath(lesson: Lesson): string;
  /** Returns the trial path of the lesson's discipline, which shows the discipline's first lesson. */
  trialPath(lesson: Lesson): string;
  /** Starts another server of the same site with other settings. */
  beside(name: string, env: Record<string, string>): Promise<StartedNode>;
  /** Restarts the server with other settings. */
  restart(env: Record<string, string>): Promise<StartedNode>;
}

export async function openSite(workshop: Workshop): Promise<Site> {
  const databaseUrl = await workshop.database('bench_site');
  const env = productionSettings(workshop.folder, databaseUrl);
  await loadDemonstration(workshop, env);

  const prepaId = await insertPrepa(databaseUrl, 'Préparation mesurée');
  const disciplines = await insertDisciplines(databaseUrl, prepaId, disciplineCount);
  await insertLearners(databaseUrl, 1, learners);
  await enrolEverybody(databaseUrl, prepaId);
  // 15.0 to 17.5 KB each.
  const texts = await composeTexts(
    databaseUrl,
    Array.from({ length: lessonCount }, (_, index) => 15_000 + (index % 6) * 500),
  );
  const lessons = (
    await Promise.all(
      disciplines.map(async (disciplineId, index) => {
        const own = texts.filter((_, at) => at % disciplineCount === index);
        const inserted = await insertLessons(databaseUrl, disciplineId, own);
        return inserted.map((lesson, at) => ({ ...lesson, text: own[at] ?? '' }));
      }),
    )
  ).flat();
  await sql(databaseUrl, 'create table floor (id int primary key, html text not null)');
  const rows = await composeTexts(
    databaseUrl,
    Array.from({ length: lessonCount }, () => floorBytes - 500),
  );
  await sql(databaseUrl, 'insert into floor select n, html from unnest($1::text[]) with ordinality as t (html, n)', [rows]);
  await sql(databaseUrl, 'vacuum analyze');

  const start = (more: Record<string, string> = {}, name = 'site') =>
    workshop.start(name, join(projectRoot, 'dist/server/server.js'), () => ({ ...env, ...more }));
  const server = await start();
  return {
    ...server,
    sheets: await readSheetsCookie(server.origin),
    databaseUrl,
    databasePid: await databaseServer(databaseUrl),
    prepaId,
    disciplines,
    lessons,
    beside: (name, more) => start(more, name),
    restart: async (more) => {
      await server.stop();
      return start(more);
    },
    studyPath: ({ id, disciplineId }) => `/user/prepa/${prepaId}/${disciplineId}?type=course&item=${id}`,
    trialPath: ({ disciplineId }) => `/user/prepa/consultation/${prepaId}/${disciplineId}`,
  };
}

export const productionSettings = (dataDir: string, databaseUrl: string) => ({
  NODE_ENV: 'production',
  LOG_LEVEL: 'info',
  // Load shedding on a busy machine would distort the measurements; bench/soak/load.ts switches it on.
  SHED_LOAD: 'off',
  // The same learners open all measured items; the opened items are still counted.
  ITEM_READS_PER_LEARNER_10_MINUTES: '1000000',
  DATA_DIR: dataDir,
  DATABASE_URL: databaseUrl,
  // Required in production. The benchmark sends no requests to these addresses.
  PUBLIC_URL: 'https://prepa.example',
  ZITOPAY_RECEIVER: 'bench',
  ZITOPAY_BASE_URL: 'https://zitopay.invalid',
});

export async function loadDemonstration(workshop: Workshop, settings: Record<string, string>): Promise<void> {
  const { PATH = '', HOME = '' } = process.env;
  const seed = [join(projectRoot, 'dist/cli/main.js'), 'seed', join(projectRoot, 'demo')];
  await promisify(execFile)(process.execPath, seed, {
    signal: workshop.signal,
    cwd: workshop.folder,
    env: { PATH, HOME, ...settings, NODE_ENV: 'test' },
  });
}

/** Returns the cookie that the site sets after a page that has sent all learner style sheets. */
async function readSheetsCookie(origin: string): Promise<string> {
  const answer = await fetch(`${origin}/user/dashboard`, { headers: { accept: 'text/html', cookie: sessionCookie(1) } });
  const cookie = answer.headers.getSetCookie().find((one) => one.startsWith('css='));
  if (!cookie) throw new Error('the dashboard says of no style sheets that the browser has them');
  return cookie.replace(/;.*/, '');
}
