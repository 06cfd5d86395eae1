import { MikroORM } from '@mikro-orm/postgresql';
import t from 'tap';
import { migrationList } from '../../../../migrations/list.ts';
import { TestClock } from '../../../../test/support/app.ts';
import { createTestDatabase } from '../../../../test/support/database.ts';
import { createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';
import { loadConfig } from '../../../config.ts';
import { createKernel } from '../../../kernel.ts';
import { entities } from '../../../modules.ts';
import { ormOptions } from '../../../platform/database/open-database.ts';
import { dayIn } from '../../../shared/dates.ts';
import { paymentTotals } from '../../support/index.ts';

t.test('refunds recorded before amounts were stored stay in the books with the full amount', async (t) => {
  const { url: databaseUrl } = await createTestDatabase(t);
  const clock = new TestClock(new Date('2026-11-21T12:00:00Z'));
  const kernel = await createKernel(loadConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent' }), { databaseUrl, clock });
  t.teardown(() => kernel.close());
  const learner = await createLearner({ kernel, clock });
  const prepa = await createPrepa({ kernel, clock });
  const orm = await MikroORM.init(ormOptions({ url: databaseUrl, entities, migrations: migrationList, poolSize: 2 }));
  t.teardown(() => orm.close(true));
  // Together with the later migrations that depend on its columns or guard them.
  const migrations = [
    '20261122101341-partial-refunds',
    '20261122210520-payment-totals',
    '20261122210530-payment-totals-of-before',
    '20261122210738-retention-and-erasure',
    '20261124100000-thirds-and-terms-of-totals',
    '20261124100010-thirds-and-terms-of-before',
  ];
  for (const name of migrations.toReversed()) await orm.migrator.down({ migrations: [name] });
  const at = clock.now();
  const [{ id } = { id: 0 }] = await sql<{ id: number }>(
    databaseUrl,
    `insert into payment (provider, reference, user_id, prepa_id, prepa_nom, amount, status, checks, created_at, updated_at, settled_at)
     values ('zitopay', 'ZP1', $1, $2, 'x', 5000, 'refunded', 1, $3, $3, $3) returning id`,
    [learner.id, prepa.id, at],
  );
  await sql(
    databaseUrl,
    `insert into payment_event (payment_id, type, actor, operator, from_status, to_status, at)
     values ($1, 'transition', 'reconciliation', null, 'pending', 'succeeded', $2), ($1, 'decision', 'operator', 'terminal', 'succeeded', 'refunded', $2)`,
    [id, at],
  );
  for (const name of migrations) await orm.migrator.up({ migrations: [name] });
  t.same(await sql(databaseUrl, 'select refunded_amount, needs_look from payment'), [{ refunded_amount: 5000, needs_look: false }]);
  t.same(await sql(databaseUrl, 'select returned from payment_event order by id'), [{ returned: null }, { returned: 5000 }]);
  const { total } = await paymentTotals(kernel.fork(), { du: '1970-01-01', au: dayIn(at) });
  t.same(total, { received: 1, receivedAmount: 5000, refunded: 1, refundedAmount: 5000 });
  await t.rejects(sql(databaseUrl, 'update payment_event set returned = 1'), /append-only/, 'the history is append-only again');
});
