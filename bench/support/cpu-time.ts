import { readdirSync, readFileSync } from 'node:fs';
import { sql } from '../../test/support/sql.ts';

/** CPU that a process has used, in ms, all threads together, user and system, as the scheduler has counted it. */
export function cpuTime(pid: number): number {
  let nanoseconds = 0;
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`))
      nanoseconds += Number.parseInt(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'), 10);
  } catch {
    // It has ended meanwhile.
  }
  return nanoseconds / 1e6;
}

/** Of /proc/<pid>/stat; every Linux that Node runs on has 100. */
const ticksPerSecond = 100;

/** The same of a PostgreSQL server: its first process, all that it has running for connections and for itself, and those that have ended. */
export function databaseCpuTime(server: number): number {
  const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').trim().split(' ');
  const running = [server, ...children.map(Number)].reduce((sum, pid) => sum + cpuTime(pid), 0);
  return running + endedCpuTime(server);
}

/** CPU that processes which a process had started, and which have ended, have used in all, in ms; told in steps of 10. */
export function endedCpuTime(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field, the name, may hold anything but ends with the last parenthesis.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[13]) + Number(fields[14])) / ticksPerSecond) * 1000;
}

/** The first process of the server that answers here. */
export async function databaseServer(url: string): Promise<number> {
  const [row] = await sql<{ pid: number }>(url, `select pid from pg_stat_activity where backend_type = 'checkpointer'`);
  const status = readFileSync(`/proc/${row?.pid}/status`, 'utf8');
  return Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]);
}
