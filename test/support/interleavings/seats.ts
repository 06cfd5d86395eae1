import { once } from 'node:events';
import { DatabaseError, type PoolClient, type QueryResult } from 'pg';
import { loadConfig } from '../../../src/config.ts';
import { createKernel, type Kernel } from '../../../src/kernel.ts';
import type { Scheduler } from './scheduler.ts';

/** Statements of one actor at once, at most: whoever begins a payment asks about several at a time. */
const connectionsOfSeat = 4;

/** Where an actor sits: a kernel of its own, as a process has it, whose connections stand under the scheduler while an actor sits there. */
export interface Seat {
  kernel: Kernel;
  /** Of its connections' backends. */
  pids: number[];
  /** Who sits here now, and under which scheduler; null between two runs. */
  taken: { name: string; scheduler: Scheduler } | null;
}

/** Opens one, with all of its connections: one that is opened later would take as long as it takes. */
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

/** With what is not among the driver's types. */
type Client = PoolClient & { processID: number; readyForQuery: boolean };

/** Every statement of this connection asks the scheduler first while its seat is taken; all others go as they always do. */
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
        // An error is told before the transaction has let go of its locks.
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

/** The rows that a change returns have no order: they come as they lie on their pages, which earlier interleavings have left as they are. */
function inOneOrder(result: QueryResult): QueryResult {
  const written = (row: unknown) => JSON.stringify(row);
  if (result.command !== 'SELECT' && result.rows?.length > 1) result.rows.sort((a, b) => (written(a) < written(b) ? -1 : 1));
  return result;
}

const textOf = (statement: unknown): string => (typeof statement === 'string' ? statement : ((statement as { text?: string }).text ?? '?'));
