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
import type { Visit } from './visit.ts';
import { findPlaces, type Places } from './visits.ts';

/** Time within which a command's connection ends after the command, in ms. Connections that the server opens meanwhile stay open. */
const connectionEndsWithinMs = 1_000;

/** Work of PostgreSQL since the counters were last reset. */
interface Work {
  statements: number;
  /** Buffer accesses of the statements, in pages of 8 KB: found in shared buffers or read into them. */
  buffers: number;
}

/** One database and the built server that uses it. */
export interface Side {
  places: Places;
  /** Sends the request; returns its response time, in ms; for a file, the time to its first byte. */
  visit(visit: Visit): Promise<number>;
  command(args: string[]): Promise<void>;
  workOf(work: () => Promise<unknown>): Promise<Work>;
  /** Returns the CPU time of the server and of PostgreSQL's processes for it, in ms. */
  cpuOf(work: () => Promise<unknown>): Promise<number>;
  /** Returns the CPU time of PostgreSQL's processes for connections that the work opens and closes, in ms. */
  databaseCpuOf(work: () => Promise<unknown>): Promise<number>;
}

/** Returns the identifier that the site gives the learner's devices for the learner. */
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
  // Over HTTPS only the cookie with the prefix is accepted for an administrator's session.
  const administrator = `__Host-${await insertAdministrator(url).catch(() => `adminToken=${administratorToken}`)}`;
  // In a database of an earlier run the learner would also have that run's offline entries.
  await sql(url, `delete from offline_entry where user_id = (select id from app_user where username = 'candidat_${subject}')`);
  // The password confirmation of the administrator lasts for the run, also in a database of an earlier run.
  await sql(
    url,
    `update administrator_session set created_at = now(), used_at = now(), expires_at = now() + interval '8 hours', confirmed_at = now() + interval '2 hours'`,
  );
  const settings = { ...productionSettings(join(workshop.folder, name), url), RECONCILE_PAYMENTS: 'off', PUBLISH_DRAFTS: 'off' };
  const server = await workshop.start(name, join(projectRoot, 'dist/server/server.js'), () => settings);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  workshop.teardown(() => agent.destroy());
  const cookies = { visitor: '', learner: sessionCookie(subject), administrator };

  const site = { agent, origin: server.origin };
  /** Repeats a rate-limited request: after the delay for limits per minute, after deleting the counts for limits per hour. */
  const visit = async (one: Visit): Promise<number> => {
    const { ms, retryAfter } = await ask(site, one, cookies[one.who]);
    if (retryAfter === 0) return ms;
    if (retryAfter > 60) await sql(url, 'delete from attempt_limit');
    else await sleep(retryAfter * 1000);
    return visit(one);
  };

  const databasePid = await databaseServer(url);
  /** Returns the ids of PostgreSQL's connection processes: those of the server and of a running command. */
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
      // The earlier CPU time of a connection that closed meanwhile is missing from the sum.
      return [...(await used())].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0);
    },
    async databaseCpuOf(work) {
      const others = new Set(await connections());
      // Running processes do not count: the checkpointer still writes the filled rows, and the servers have background work.
      const before = endedCpuTime(databasePid);
      await work();
      const deadline = Date.now() + connectionEndsWithinMs;
      while (Date.now() < deadline && (await connections()).some((pid) => !others.has(pid))) await sleep(10);
      // The postmaster counts the CPU time when it has reaped the process, a moment later.
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
