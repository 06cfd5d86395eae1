import { execFile } from 'node:child_process';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { projectRoot } from '../../src/platform/settings/project-root.ts';
import { sql } from '../../test/support/sql.ts';
import { cpuTime, databaseServer, endedCpuTime } from '../support/cpu-time.ts';
import { administratorToken, insertAdministrator, sessionCookie } from '../support/fixtures.ts';
import { productionSettings } from '../support/site.ts';
import type { Workshop } from '../support/workshop.ts';
import { ask } from './ask.ts';
import { device, subject } from './subject.ts';
import { findPlaces, type Places, type Visit } from './visits.ts';

/** A connection of a command ends a moment after it; one that the server has opened meanwhile does not. */
const connectionEndsWithinMs = 1_000;

/** What PostgreSQL has done since it was last asked. */
interface Work {
  statements: number;
  /** Pages of 8 KB that statements have looked at, in shared buffers or read into them. */
  buffers: number;
}

/** One database, and the built server on it. */
export interface Side {
  places: Places;
  /** How long an answer took, in ms; of a file its first byte. */
  visit(visit: Visit): Promise<number>;
  command(args: string[]): Promise<void>;
  workOf(work: () => Promise<unknown>): Promise<Work>;
  /** CPU of the server and of PostgreSQL's processes for it, in ms. */
  cpuOf(work: () => Promise<unknown>): Promise<number>;
  /** CPU of PostgreSQL's processes for connections that this work opens and closes, in ms. */
  databaseCpuOf(work: () => Promise<unknown>): Promise<number>;
}

/** How this site names the learner to their devices. */
async function learnerTag(origin: string, cookie: string): Promise<string> {
  const headers = { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const body = JSON.stringify({ appareil: device, prepas: [] });
  const response = await fetch(`${origin}/api/hors-ligne/contact`, { method: 'POST', headers, body });
  const { learner } = (await response.json()) as { learner?: string };
  if (!learner) throw new Error(`/api/hors-ligne/contact answered ${response.status} without the learner`);
  return learner;
}

export async function openSide(workshop: Workshop, name: string, url: string): Promise<Side> {
  const counter = new pg.Client({ connectionString: Object.assign(new URL(url), { pathname: '/postgres' }).href });
  await counter.connect();
  workshop.teardown(() => counter.end());
  await counter.query('create extension if not exists pg_stat_statements');
  const database = new URL(url).pathname.slice(1);
  // Over https an administrator's session is read from this name alone.
  const administrator = `__Host-${await insertAdministrator(url).catch(() => `adminToken=${administratorToken}`)}`;
  // In a database of an earlier run the learner would have what that one has written, too.
  await sql(url, `delete from offline_entry where user_id = (select id from app_user where username = 'candidat_${subject}')`);
  // The administrator has given their password for as long as the run lasts, also in a database of an earlier one.
  await sql(
    url,
    `update administrator_session set created_at = now(), used_at = now(), expires_at = now() + interval '8 hours', confirmed_at = now() + interval '2 hours'`,
  );
  const settings = { ...productionSettings(join(workshop.folder, name), url), RECONCILE_PAYMENTS: 'off' };
  const server = await workshop.start(name, join(projectRoot, 'dist/server/server.js'), () => settings);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  workshop.teardown(() => agent.destroy());
  const cookies = { visitor: '', learner: sessionCookie(subject), administrator };

  const site = { agent, origin: server.origin };
  /** What is bounded by the minute is asked again when it may be; what is bounded by the hour, when its count is forgotten. */
  const visit = async (one: Visit): Promise<number> => {
    const { ms, retryAfter } = await ask(site, one, cookies[one.who]);
    if (retryAfter === 0) return ms;
    if (retryAfter > 60) await sql(url, 'delete from attempt_limit');
    else await sleep(retryAfter * 1000);
    return visit(one);
  };

  const databasePid = await databaseServer(url);
  /** PostgreSQL's processes for connections: those of the server, and of a command that runs. */
  const connections = async (): Promise<number[]> => {
    const { rows } = await counter.query<{ pid: number }>('select pid from pg_stat_activity where datname = $1', [database]);
    return rows.map(({ pid }) => pid);
  };
  const { PATH = '', HOME = '' } = process.env;
  return {
    places: { ...(await findPlaces(url)), learner: await learnerTag(server.origin, cookies.learner) },
    visit,
    async command(args) {
      await promisify(execFile)(process.execPath, [join(projectRoot, 'dist/cli/main.js'), ...args], {
        signal: workshop.signal,
        cwd: workshop.folder,
        env: { PATH, HOME, ...settings, NODE_ENV: 'test' },
        maxBuffer: 2 ** 26,
      });
    },
    async cpuOf(work) {
      const used = async () => new Map([server.pid, ...(await connections())].map((pid) => [pid, cpuTime(pid)] as const));
      const before = await used();
      await work();
      // A connection that was closed meanwhile takes what it had used before along.
      return [...(await used())].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0);
    },
    async databaseCpuOf(work) {
      const others = new Set(await connections());
      // Not of those that run on: PostgreSQL is still writing down what was filled in, and the servers look after themselves.
      const before = endedCpuTime(databasePid);
      await work();
      const deadline = Date.now() + connectionEndsWithinMs;
      while (Date.now() < deadline && (await connections()).some((pid) => !others.has(pid))) await sleep(10);
      // It is counted once its process is gone, a moment later.
      await sleep(10);
      return endedCpuTime(databasePid) - before;
    },
    async workOf(work) {
      await counter.query('select pg_stat_statements_reset(0, (select oid from pg_database where datname = $1), 0)', [database]);
      await work();
      const { rows } = await counter.query<Work>(
        `select coalesce(sum(calls), 0)::int as statements, coalesce(sum(shared_blks_hit + shared_blks_read), 0)::int as buffers
         from pg_stat_statements where dbid = (select oid from pg_database where datname = $1)`,
        [database],
      );
      return rows[0] ?? { statements: Number.NaN, buffers: Number.NaN };
    },
  };
}
