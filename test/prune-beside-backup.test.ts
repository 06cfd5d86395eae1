import t from 'tap';
import { openSnapshot } from '../src/platform/backup/snapshot.ts';
import { prune } from '../src/platform/pruning/pruning.ts';
import { createTestApp, openCommands } from './support/app.ts';
import { createLearner } from './support/factories.ts';
import { sql, untilBlocked } from './support/sql.ts';

const home = await createTestApp(t);
const { databaseUrl } = home;
const kernel = await openCommands(t, home);

const run = (dryRun = false) => prune(kernel.fork(), kernel.context, kernel.prunings, { retention: kernel.config.retention, dryRun });

t.test('pruning removes nothing that a running backup has yet to read', async (t) => {
  await createLearner(home);
  await sql(databaseUrl, "update session set expires_at = now() - interval '1 year'");
  const [first, second] = [await openSnapshot(databaseUrl), await openSnapshot(databaseUrl)];
  t.match(await run(true), { sessions: 1 }, 'a dry run may count the rows');
  await first.close();
  await t.rejects(run(), {
    code: 'PRUNE.BACKUP',
    message: "Une sauvegarde est en cours : rien de plus n'a été retiré. Relancez la commande quand elle sera finie.",
  });
  t.equal((await sql(databaseUrl, 'select from session')).length, 1);
  await second.close();
  t.match(await run(), { sessions: 1 });
});

t.test('a batch that has released one of its two locks is not taken for a backup', async (t) => {
  await createLearner(home);
  await sql(databaseUrl, "update session set expires_at = now() - interval '1 year'");
  let pruned: ReturnType<typeof run> | undefined;
  await kernel.fork().transactional(async (tx) => {
    await tx.execute("select pg_advisory_xact_lock(hashtextextended('backup', 0))");
    pruned = run();
    await Promise.race([untilBlocked(databaseUrl, 1), pruned]);
  });
  t.match(await pruned, { sessions: 1 });
});

t.test('a backup waits for a running batch, and does not contain its rows', async (t) => {
  const learner = await createLearner(home);
  const em = kernel.fork();
  let opened: ReturnType<typeof openSnapshot> | undefined;
  await em.transactional(async (tx) => {
    await tx.execute("select pg_advisory_xact_lock(hashtextextended('backup', 0))");
    await tx.execute('delete from session where user_id = ?', [learner.id]);
    opened = openSnapshot(databaseUrl);
    await untilBlocked(databaseUrl, 1);
  });
  const snapshot = await opened;
  t.equal((await snapshot?.client.query('select from session'))?.rowCount, 0);
  await snapshot?.close();
});
