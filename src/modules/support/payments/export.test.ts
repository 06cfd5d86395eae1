import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { createTestApp } from '../../../../test/support/app.ts';
import { createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';
import { statementsDuring } from '../../../../test/support/statements.ts';
import { paymentsDownload } from './export.ts';

const home = await createTestApp(t);
const { kernel, databaseUrl } = home;

t.test('for twenty clients that do not read their download, only a batch or two is loaded, not the file', async (t) => {
  const [learner, prepa] = [await createLearner(home), await createPrepa(home)];
  await sql(
    databaseUrl,
    `insert into payment (provider, reference, user_id, prepa_id, prepa_nom, amount, status, checks, created_at, updated_at)
     select 'zitopay', 'ZPlent' || g, $1, $2, 'Prépa', g, 'failed', 0, now(), now() from generate_series(1, 5000) g`,
    [learner.id, prepa.id],
  );
  const pool = await kernel.orm.em.getConnection().getNativeClient();
  const sent = await statementsDuring(async () => {
    const slow = Array.from({ length: 20 }, () => paymentsDownload(kernel.fork(), {}));
    await Promise.all(slow.map((rows) => once(rows, 'readable')));
    do await turn();
    while (pool.idleCount < pool.totalCount);
    for (const rows of slow) rows.destroy();
  });
  t.ok(sent.length <= 40, `${sent.length} batches of 220`);
  t.ok(sent.length >= 20);
});
