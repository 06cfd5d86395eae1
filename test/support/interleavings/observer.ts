import type pg from 'pg';

/** A separate connection to the same server that observes the locks of the others. */
export type Observer = pg.Client;

/** A connection's PostgreSQL backend. */
export interface Backend {
  pid: number;
  inTransaction: boolean;
}

const blockers = 'select pid, pg_blocking_pids(pid) as blockers from unnest($1::int[]) pid';

/** Returns, for each backend, the backends that it waits for; an empty list when it waits for no lock. */
export async function waitsFor(observer: Observer, pids: number[]): Promise<Map<number, number[]>> {
  const { rows } = await observer.query<{ pid: number; blockers: number[] }>({ name: 'blockers', text: blockers, values: [pids] });
  return new Map(rows.map((row) => [row.pid, row.blockers]));
}

/** Cancels a backend's current statement with an error. */
export async function cancelBackend(observer: Observer, pid: number): Promise<void> {
  await observer.query('select pg_cancel_backend($1)', [pid]);
}
