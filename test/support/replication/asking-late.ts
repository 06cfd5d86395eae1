import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import type { Kernel } from '../../../src/kernel.ts';
import { sql } from '../sql.ts';

/** Run as the owner, who commits with `remote_apply`: returns when the replica has applied it and everything before. */
export const arrived = "select pg_logical_emit_message(true, 'test', '')";
const harmless =
  /^\s*(select|show|begin|start|set|commit|rollback|savepoint|release|with(?!.*\b(insert into|update|delete from|merge into)\b))\b/is;
const maxWaitMs = 10_000;

/**
 * With TOPOLOGY=replica: delays each request until the replica is in use and has the rows that the test has written before, through
 * factories on the site's own pool. Writes by requests are not awaited: the site must handle them itself.
 */
export async function askingLate(app: FastifyInstance, { orm, replicas }: Kernel, databaseUrl: string): Promise<void> {
  if (!replicas) return;
  const wrapped = new WeakSet<PoolClient>();
  let asking = 0;
  let written = true;
  /** Shared by concurrent requests. */
  let arriving: Promise<void> | null = null;
  const pool = await orm.em.getConnection().getNativeClient();
  pool.on('acquire', (client: PoolClient) => {
    if (wrapped.has(client)) return;
    wrapped.add(client);
    const watched = (...values: unknown[]) => {
      const [first] = values as [string | { text?: string }];
      const text = typeof first === 'string' ? first : (first?.text ?? '');
      if (asking === 0 && !harmless.test(text)) written = true;
      // Looks the method up at each call, since a test may replace it to count statements.
      return Reflect.apply(Object.getPrototypeOf(client).query, client, values);
    };
    Object.assign(client, { query: watched });
  });

  const inject = app.inject.bind(app) as (...values: unknown[]) => Promise<unknown>;
  const late = async (...values: unknown[]) => {
    await app.ready();
    if (written) {
      written = false;
      arriving = untilArrived().finally(() => {
        arriving = null;
      });
    }
    await arriving;
    asking += 1;
    try {
      return await inject(...values);
    } finally {
      asking -= 1;
    }
  };
  Object.assign(app, { inject: late });

  async function untilArrived(): Promise<void> {
    await sql(databaseUrl, arrived);
    await untilRead();
  }

  /** Waits until the site uses the replica, late or not. A replica that is unreachable for long is left to the test. */
  async function untilRead(): Promise<void> {
    const deadline = Date.now() + maxWaitMs;
    while (replicas?.state().every(({ fault }) => fault !== null) && Date.now() < deadline) await sleep(10);
  }
}
