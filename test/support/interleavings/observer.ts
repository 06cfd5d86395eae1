import type pg from 'pg';

/** A connection of its own to the same server, which looks at what the others wait for. */
export type Observer = pg.Client;

/** A connection as PostgreSQL knows it. */
export interface Backend {
  pid: number;
  inTransaction: boolean;
}

const blockers = 'select pid, pg_blocking_pids(pid) as blockers from unnest($1::int[]) pid';

/** Which backends each of these waits for; none for one that waits for no lock. */
export async function waitsFor(observer: Observer, pids: number[]): Promise<Map<number, number[]>> {
  const { rows } = await observer.query<{ pid: number; blockers: number[] }>({ name: 'blockers', text: blockers, values: [pids] });
  return new Map(rows.map((row) => [row.pid, row.blockers]));
}

/** Ends what a backend is doing with an error. */
export async function cancelBackend(observer: Observer, pid: number): Promise<void> {
  await observer.query('select pg_cancel_backend($1)', [pid]);
}
