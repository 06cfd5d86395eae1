import t from 'tap';
import { isLongForm } from './support/long-form.ts';
import { dropConstraint, intrude } from './support/payment-model/intruder.ts';
import { judge, summary } from './support/payment-model/oracle.ts';
import { runPaymentModel } from './support/payment-model/run.ts';
import { wrongTotals } from './support/payment-totals.ts';
import { seedOfRun } from './support/random.ts';
import { sql } from './support/sql.ts';

// `make soak` runs thousands. A seed reproduces the plans, but not the order of concurrent events.
const payments = Number(process.env.PAYMENTS ?? (isLongForm ? 200 : 90));
const seed = seedOfRun();

t.test(`${payments} random payments, seed ${seed}`, async (t) => {
  const { verdicts, complaints, seen, databaseUrl, deeds } = await runPaymentModel(t, { payments, seed });
  t.comment(JSON.stringify(seen));
  for (const [stage, verdict] of Object.entries(verdicts)) t.same(verdict, { lost: [], double: [], wrong: [] }, stage);
  t.same(complaints, [], 'unexpected responses');
  t.equal(seen.kept, seen.keptThere, 'net amount equal in the database and at the providers');
  t.same(await wrongTotals(databaseUrl), [], 'the totals of days are the sums over payments and refunds');
  const least = { payments, succeeded: payments / 4, renewals: 5, takenBack: 1, late: 1, reconciliations: 2, kills: 1, restarts: 1 };
  for (const [name, count] of Object.entries(least)) t.ok((seen[name] ?? 0) >= count, `${name}: ${seen[name]}`);

  // The row lock prevents a second opening by the application; the constraint prevents one by programs that do not use the lock.
  const paid = await sql<{ reference: string }>(
    databaseUrl,
    "select reference from payment where status = 'succeeded' order by id limit 7",
  );
  const intrudeAll = () => Promise.all(paid.map(({ reference }) => intrude(databaseUrl, reference)));
  t.notOk((await intrudeAll()).includes(true), 'no second extension gets past the constraint');
  const verdict = summary([...Object.values(verdicts), await judge(databaseUrl, deeds, 'settled')]);
  await dropConstraint(databaseUrl);
  await intrudeAll();
  t.equal(
    (await judge(databaseUrl, deeds, 'settled')).double.length,
    paid.length,
    'without the constraint the oracle finds each second extension',
  );
  t.comment(verdict);
  t.equal(verdict, 'lost 0, double 0, wrong 0');
});
