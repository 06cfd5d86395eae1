import { readdirSync, readFileSync } from 'node:fs';
import { sql } from '../../test/support/sql.ts';

/** Returns the CPU time of a process in ms: user and system, all threads, from the scheduler's statistics. */
export function cpuTime(pid: number): number {
  let nanoseconds = 0;
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`))
      nanoseconds += Number.parseInt(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'), 10);
  } catch {
    // The process has ended meanwhile.
  }
  return nanoseconds / 1e6;
}

/** Clock tick of /proc/<pid>/stat; 100 on every Linux that Node supports. */
const ticksPerSecond = 100;

/** Returns the CPU time of a PostgreSQL server in ms: the postmaster, its running child processes, and those that have ended. */
export function databaseCpuTime(server: number): number {
  const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').trim().split(' ');
  const running = [server, ...children.map(Number)].reduce((sum, pid) => sum + cpuTime(pid), 0);
  return running + endedCpuTime(server);
}

/** Returns the total CPU time of the ended child processes of a process, in ms, in steps of 10. */
export function endedCpuTime(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field, the process name, may contain any character but ends at the last parenthesis.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[13]) + Number(fields[14])) / ticksPerSecond) * 1000;
}

/** Returns the process id of the PostgreSQL postmaster at `url`. */
export async function databaseServer(url: string): Promise<number> {
  const [row] = await sql<{ pid: number }>(url, `select pid from pg_stat_activity where backend_type = 'checkpointer'`);
  const status = readFileSync(`/proc/${row?.pid}/status`, 'utf8');
  return Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]);
}
