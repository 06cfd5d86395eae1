import t from 'tap';
import { createTestDatabase } from '../test/support/database.ts';
import { sql } from '../test/support/sql.ts';
import { asRole } from '../test/support/template.ts';
import { runPrepa } from '../test/support/terminal.ts';

// Tests that each task records its end, so that a stopped timer can be noticed.

t.test('expire, prune, backup, push and letters record their end time, except in a dry run', async (t) => {
  const { url: databaseUrl } = await createTestDatabase(t);
  const folder = t.testdir({});
  const env = { NODE_ENV: 'test', DATA_DIR: folder, DATABASE_URL: databaseUrl, COMMANDS_DATABASE_URL: asRole(databaseUrl, 'commands') };
  const prepa = async (...args: string[]) => {
    const { code, error } = await runPrepa(args, env);
    t.equal(code, 0, `${args.join(' ')} ${error}`);
  };
  const names = async () => (await sql<{ name: string }>(databaseUrl, 'select name from task_run order by name')).map(({ name }) => name);
  await prepa('prune', '--dry-run');
  await prepa('enrolments', 'expire', '--dry-run');
  t.same(await names(), []);
  await prepa('prune');
  await prepa('enrolments', 'expire');
  await prepa('push', 'send');
  await prepa('letters', 'send');
  await prepa('backup', `${folder}/sauvegardes`);
  t.same(await names(), ['backup', 'expire', 'letters', 'prune', 'push']);
  await sql(databaseUrl, `delete from task_run where name = 'backup'`);
  await prepa('backup', `${folder}/sauvegardes`, '--media');
  t.same(
    await names(),
    ['backup', 'backup-media', 'expire', 'letters', 'prune', 'push'],
    'a backup with files also counts as a backup of the rows',
  );
  const before = await sql<{ at: Date }>(databaseUrl, `select finished_at as at from task_run where name = 'prune'`);
  await prepa('prune');
  const after = await sql<{ at: Date }>(databaseUrl, `select finished_at as at from task_run where name = 'prune'`);
  t.ok((after[0]?.at ?? 0) > (before[0]?.at ?? 0));
  await sql(databaseUrl, 'drop table task_run');
  await prepa('backup', `${folder}/sauvegardes`);
});
