/**
 * `ONLY=exam make soak`: a mock exam of CANDIDATES (30,000) against the built site: the sealed paper fetched ahead, the key at one instant,
 * answers for MINUTES (6) that stand for an hour, all hand-ins within a minute, while 200 readers study. The server is killed twice and
 * PostgreSQL once. Afterwards the acknowledged answers are compared with those that count, and points and ranks with independent SQL.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig } from '../../src/config.ts';
import { createKernel } from '../../src/kernel.ts';
import { markExam } from '../../src/modules/questions/exams/marking/marking.service.ts';
import { freePort } from '../../src/platform/processes/free-port.ts';
import { createAnnouncedExam, type TestExam } from '../../test/support/exams.ts';
import { startOwnPostgres } from '../../test/support/own-postgres.ts';
import { sql } from '../../test/support/sql.ts';
import { onServer, TEMPLATE } from '../../test/support/template.ts';
import { startClient } from '../support/client-process.ts';
import { databaseServer } from '../support/cpu-time.ts';
import {
  composeTexts,
  enrolEverybody,
  insertDisciplines,
  insertLearners,
  insertLessons,
  insertPrepa,
  sessionCookie,
} from '../support/fixtures.ts';
import { LoadClient, type Target } from '../support/http-load.ts';
import { loadDemonstration, productionSettings } from '../support/site.ts';
import type { Workshop } from '../support/workshop.ts';
import type { CandidatesPlan, CandidatesResult } from './exam-candidates.ts';
import { compareExam } from './exam-verdict.ts';
import type { GroupResult, LoadPlan } from './load-client.ts';

const questions = 60;
const readers = 200;
/** Pages that the readers open in a second: each one every five seconds. */
const pagesPerSecond = readers / 5;
const lessons = 50;
/** All hand-ins come within this time, in ms. */
const handInMs = 60_000;
const minuteMs = 60_000;
/** Learners of the exam that is measured alone. */
const rounds = 5;
const perRound = 400;

export interface ExamOptions {
  candidates: number;
  /** Duration of the exam: they stand for an hour. */
  minutes: number;
  /** Processes of the server. */
  processes: number;
  seed: number;
}

export async function soakExam(workshop: Workshop, { candidates, minutes, processes, seed }: ExamOptions): Promise<boolean> {
  const postgres = await startOwnPostgres(workshop, { shared_buffers: '512MB', max_wal_size: '4GB', max_connections: '200' });
  await sql(postgres.url, `create database exam template ${TEMPLATE} strategy file_copy`);
  const databaseUrl = onServer(postgres.url, 'exam');
  const settings = { ...productionSettings(workshop.folder, databaseUrl), SHED_LOAD: 'on' };
  await loadDemonstration(workshop, settings);
  const prepaId = await insertPrepa(databaseUrl, 'Préparation du concours blanc');
  const [disciplineId = 0] = await insertDisciplines(databaseUrl, prepaId, 1);
  const all = Math.max(candidates, (rounds + 1) * perRound) + readers;
  await insertLearners(databaseUrl, 1, all);
  await enrolEverybody(databaseUrl, prepaId);
  const texts = await composeTexts(databaseUrl, Array<number>(lessons).fill(15_000));
  const read = await insertLessons(databaseUrl, disciplineId, texts);
  await sql(databaseUrl, 'create table floor_answer (cle uuid primary key, given jsonb not null, answered_at timestamptz not null)');
  await sql(databaseUrl, 'vacuum analyze');

  const kernel = await createKernel(loadConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', DATA_DIR: workshop.folder }), { databaseUrl });
  workshop.teardown(() => kernel.close());
  const home = { kernel, clock: { now: () => new Date(), advance() {} } } as unknown as Parameters<typeof createAnnouncedExam>[0];
  const prepa = { id: prepaId, nom: 'Préparation' };
  const announce = (opensIn: number, openFor: number) =>
    createAnnouncedExam(home, { prepa, questions, opensIn, openFor, duree: Math.ceil(openFor), grace: 1 });

  const server = await openServer(workshop, { ...settings, WEB_PROCESSES: String(processes) });
  const readPages = readersOf(server.origin, {
    from: all - readers,
    paths: read.map(({ id }) => `/user/prepa/${prepaId}/${disciplineId}?type=course&item=${id}`),
    seed,
  });
  await readPages(10);
  const idle = await readPages(20);
  const alone = await announce(3 / 60, 20);
  await sleep(4_000);
  await measureAlone(workshop, { databaseUrl, server, exam: alone, processes });
  const idleHandIns = await handInAlone(server.origin, alone, rounds * perRound);

  // Ten minutes of an hour for the sealed papers.
  const ahead = Math.max(minutes / 6, 0.25);
  const exam = await announce(ahead, minutes);
  const [opensAt, endsAt] = [exam.opensAt.getTime(), exam.closesAt.getTime()];
  const handInFrom = endsAt - handInMs;
  const client = startClient<CandidatesPlan, CandidatesResult>(new URL('exam-candidates.ts', import.meta.url));
  workshop.teardown(() => client.stop());
  const began = { origin: server.origin, exam: exam.id, candidates, questions: exam.questions };
  const playing = client.run({
    ...began,
    fetchFrom: Date.now(),
    opensAt,
    handInFrom,
    endsAt,
    batchEvery: Math.min(60_000, (handInFrom - opensAt) / 3),
    seed,
  });
  const answering = handInFrom - opensAt;
  await until(opensAt);
  console.log(`open: ${candidates} candidates, ${processes} process(es)`);
  const during = readPages(answering / 1_000);
  // A failure of a client is reported where its result is awaited.
  for (const running of [playing, during]) running.catch(() => {});
  for (const [part, kill] of [
    [0.25, () => server.kill()],
    [0.5, () => postgres.restart('kill')],
    [0.7, () => server.kill()],
  ] as const) {
    await until(opensAt + part * answering);
    const at = Date.now();
    await kill();
    console.log(`killed at ${Math.round(100 * part)} % of the answers, back after ${((Date.now() - at) / 1_000).toFixed(1)} s`);
  }
  const beside = await during;
  await until(handInFrom);
  const atHandIn = await readPages((endsAt - Date.now()) / 1_000);
  const played = await playing;
  // The grace of a minute, and the minute after it from which copies can be marked.
  await until(endsAt + 2 * minuteMs + 500);
  const start = performance.now();
  await markExam(kernel.fork(), kernel.context, exam.id);
  console.log(`marked in ${((performance.now() - start) / 1_000).toFixed(1)} s`);
  const found = await compareExam(databaseUrl, exam, played);
  const [stored] = await sql<{ bytes: number }>(
    databaseUrl,
    `select sum(pg_total_relation_size(t))::float8 as bytes from unnest(array['exam_sitting', 'exam_batch', 'exam_result']::regclass[]) t`,
  );

  for (const [kind, times] of Object.entries(played.times))
    console.log(
      `  ${kind.padEnd(8)} ${String(times.length).padStart(8)} ${[0.5, 0.95, 0.99].map((part) => `${quantile(times, part)} ms`).join(', ')} (p50, p95, p99)`,
    );
  console.log(
    `repeated after a cut ${played.repeated}, refused for a moment ${played.refused}, never acknowledged ${played.unacknowledged}`,
  );
  const ratio = (mine: number, calm: number) => `${mine} ms, ${(mine / calm).toFixed(1)} × the idle ${calm} ms`;
  console.log(`p95 of a hand-in: ${ratio(quantile(played.times.handIn, 0.95), quantile(idleHandIns, 0.95))}`);
  console.log(`p95 of readers during the answers: ${ratio(p95(beside), p95(idle))}; at the hand-ins: ${ratio(p95(atHandIn), p95(idle))}`);
  console.log(`candidates ${candidates}, answers ${found.answers}, lost ${found.lost}, double ${found.double}, wrong ranks ${found.ranks}`);
  console.log(`stored: ${((stored?.bytes ?? 0) / candidates / 1_000).toFixed(1)} KB for each candidate`);
  return found.answers > 0 && found.lost + found.double + found.ranks + played.unacknowledged === 0;
}

/** Starts the built server on a port of its own, and kills and starts it again there. */
async function openServer(workshop: Workshop, env: Record<string, string>) {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  let child: ChildProcess;
  const start = async () => {
    const output = openSync(join(workshop.folder, 'exam-server.log'), 'a');
    const { PATH = '', HOME = '' } = process.env;
    child = spawn(process.execPath, [join(process.cwd(), 'dist/server/server.js')], {
      cwd: workshop.folder,
      env: { PATH, HOME, HOST: '127.0.0.1', PORT: String(port), ...env },
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    for (const deadline = Date.now() + 30_000; ; await sleep(50)) {
      const response = await fetch(`${origin}/healthz`).catch(() => null);
      await response?.body?.cancel();
      if (response) return;
      if (child.exitCode !== null || Date.now() > deadline) throw new Error('the server does not answer');
    }
  };
  workshop.teardown(() => child.kill('SIGKILL'));
  await start();
  return {
    origin,
    get pid(): number {
      return child.pid ?? 0;
    },
    async kill(): Promise<void> {
      const ended = once(child, 'close');
      child.kill('SIGKILL');
      await ended;
      await start();
    },
  };
}

/** Returns a function that lets the readers study for some seconds, in a client process. */
function readersOf(origin: string, { from, paths, seed }: { from: number; paths: string[]; seed: number }) {
  const targets = Array.from({ length: readers }, (_, reader) => ({
    group: 'pages',
    method: 'GET' as const,
    path: paths[reader % paths.length] ?? '',
    headers: { cookie: sessionCookie(from + reader + 1), 'accept-encoding': 'gzip, br' },
    good: [200],
  }));
  return async (seconds: number): Promise<GroupResult | undefined> => {
    const client = startClient<LoadPlan, Record<string, GroupResult>>(new URL('load-client.ts', import.meta.url));
    const results = await client.run({ origin, targets, seconds, seed, rate: pagesPerSecond, lanes: 1 }).finally(client.stop);
    return results.pages;
  };
}

const json = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };

/** Returns the body of a hand-in with ten answers. */
function handInBody({ questions: asked, opensAt }: TestExam): string {
  const now = Date.now();
  const reponses = asked.slice(0, 10).map(({ id, choices }) => ({ q: id, g: { choices: [choices[0]] }, t: now }));
  return JSON.stringify({ appareil: randomUUID(), numero: 1, envoye: now, debut: opensAt.getTime(), reponses, fin: 'candidate' });
}

interface Alone {
  databaseUrl: string;
  server: { origin: string; pid: number };
  exam: TestExam;
  processes: number;
}

/** Prints the CPU time of a hand-in beside a bare Fastify with one insert. */
async function measureAlone(workshop: Workshop, { databaseUrl, server, exam, processes }: Alone): Promise<void> {
  if (processes > 1) return;
  const databasePid = await databaseServer(databaseUrl);
  const floor = await workshop.start('exam-floor', new URL('../budgets/answer-floor.ts', import.meta.url).pathname, () => ({
    DATABASE_URL: databaseUrl,
  }));
  const bare: Target = {
    origin: floor.origin,
    pid: floor.pid,
    databasePid,
    request: () => ({ path: '/', headers: json, body: JSON.stringify({ cle: randomUUID(), choix: ['a'] }) }),
  };
  const ours: Target = {
    origin: server.origin,
    pid: server.pid,
    databasePid,
    request: (n) => ({
      path: `/api/concours-blancs/${exam.id}/remise`,
      headers: { ...json, cookie: sessionCookie(n + 1) },
      body: handInBody(exam),
    }),
    check: ({ statusCode }) => {
      if (statusCode !== 200) throw new Error(`a hand-in gives ${statusCode}`);
    },
  };
  const [base, mine] = [new LoadClient(bare), new LoadClient(ours)];
  const ratios: number[] = [];
  let shown = '';
  for (let round = 0; round < rounds; round += 1) {
    const [one, other] = [await base.run(perRound), await mine.run(perRound)];
    if (round === 0) continue;
    ratios.push((other.cpuMs + other.databaseMs) / (one.cpuMs + one.databaseMs));
    shown = `server ${other.cpuMs.toFixed(2)} ms and database ${other.databaseMs.toFixed(2)} ms beside ${one.cpuMs.toFixed(2)} and ${one.databaseMs.toFixed(2)}`;
  }
  base.close();
  mine.close();
  await floor.stop();
  const median = ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? Number.NaN;
  console.log(`CPU of a hand-in: ${median.toFixed(1)} × a bare Fastify with one insert (${shown})`);
}

/** Returns the times of hand-ins one after another, in ms. @param after number of the last learner who has handed in */
async function handInAlone(origin: string, exam: TestExam, after: number): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < 200; n += 1) {
    const at = performance.now();
    const answer = await fetch(`${origin}/api/concours-blancs/${exam.id}/remise`, {
      method: 'POST',
      headers: { ...json, cookie: sessionCookie(after + n + 1) },
      body: handInBody(exam),
    });
    if (answer.status !== 200) throw new Error(`a hand-in gives ${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
    times.push(performance.now() - at);
    await sleep(20);
  }
  return times;
}

function quantile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN) * 10) / 10;
}

/** Waits until a time, in ms since 1970. */
const until = (time: number) => sleep(Math.max(0, time - Date.now()));

const p95 = (group: GroupResult | undefined): number => quantile(group?.times ?? [], 0.95);
