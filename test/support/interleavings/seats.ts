import { once } from 'node:events';
import { DatabaseError, type PoolClient, type QueryResult } from 'pg';
import { loadConfig } from '../../../src/config.ts';
import { createKernel, type Kernel } from '../../../src/kernel.ts';
import type { Scheduler } from './scheduler.ts';

/** Largest number of concurrent statements of one actor: the start of a payment verifies several payments at once. */
const connectionsOfSeat = 4;

/** A kernel for an actor, as a process has it. The scheduler controls its connections while an actor uses it. */
export interface Seat {
  kernel: Kernel;
  /** Process ids of its connections' backends. */
  pids: number[];
  /** The actor that uses the seat, and its scheduler; null between two runs. */
  taken: { name: string; scheduler: Scheduler } | null;
}

/** Opens a seat with all its connections: opening one later would add a variable delay. */
export async function openSeat(databaseUrl: string): Promise<Seat> {
  const config = loadConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent' });
  const kernel = await createKernel(config, { databaseUrl });
  const seat: Seat = { kernel, pids: [], taken: null };
  const pool = await kernel.orm.em.getConnection().getNativeClient();
  Object.assign(pool.options, { max: connectionsOfSeat, idleTimeoutMillis: 0, maxLifetimeSeconds: 0 });
  const clients = await Promise.all(Array.from({ length: connectionsOfSeat }, () => pool.connect()));
  for (const client of clients) watch(client as Client, seat);
  for (const client of clients) client.release();
  return seat;
}

type Query = (...args: unknown[]) => unknown;

/** Adds properties that the driver's types lack. */
type Client = PoolClient & { processID: number; readyForQuery: boolean };

/** Sends every statement of this connection through the scheduler while its seat is in use. */
function watch(client: Client, seat: Seat): void {
  const backend = { pid: client.processID, inTransaction: false };
  seat.pids.push(backend.pid);
  const query = client.query.bind(client) as Query;
  const scheduled: Query = (...args) => {
    const { taken } = seat;
    if (!taken) return query(...args);
    const callback = typeof args.at(-1) === 'function' ? (args.pop() as (error: unknown, value?: unknown) => void) : null;
    const send = async () => {
      try {
        return inOneOrder(await (query(...args) as Promise<QueryResult>));
      } catch (error) {
        // The driver reports an error before the transaction has released its locks.
        if (error instanceof DatabaseError && !client.readyForQuery) await once(client, 'drain');
        throw error;
      }
    };
    const answer = taken.scheduler.statement(taken.name, backend, textOf(args[0]), send);
    if (!callback) return answer;
    answer.then(
      (value) => callback(undefined, value),
      (error: unknown) => callback(error),
    );
    return undefined;
  };
  client.query = scheduled as typeof client.query;
}

/**
 * Rows returned by a change are unordered: their order depends on their pages, which earlier interleavings have changed. Sorting makes runs
 * repeatable.
 */
function inOneOrder(result: QueryResult): QueryResult {
  const written = (row: unknown) => JSON.stringify(row);
  if (result.command !== 'SELECT' && result.rows?.length > 1) result.rows.sort((a, b) => (written(a) < written(b) ? -1 : 1));
  return result;
}

const textOf = (statement: unknown): string => (typeof statement === 'string' ? statement : ((statement as { text?: string }).text ?? '?'));
