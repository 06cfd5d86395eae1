/**
 * PAYMENTS random payment histories at both providers (test/support/payment-model): servers are killed, the database is restarted,
 * reconciliations run at the same time. Afterwards each provider's ledger is compared with the database by independent SQL.
 */
import type { Test } from 'tap';
import { summary } from '../../test/support/payment-model/oracle.ts';
import { runPaymentModel } from '../../test/support/payment-model/run.ts';

/** Faults shown of each kind. */
const maxShown = 10;

/** @returns whether no fault was found; the last line printed is then `lost 0, double 0, wrong 0` */
export async function soakPayments(t: Test, options: { payments: number; seed: number; withoutConstraint: boolean }): Promise<boolean> {
  const began = performance.now();
  const { verdicts, complaints, seen } = await runPaymentModel(t, {
    ...options,
    servers: 2,
    lanes: 16,
    disturbEvery: 100,
    onProgress: (started) => process.stderr.isTTY && process.stderr.write(`\r${started} payments`),
  });
  console.log(`payments: seed ${options.seed}, ${((performance.now() - began) / 1000).toFixed(0)} s, ${JSON.stringify(seen)}`);
  const { taken = 0, returned = 0, kept = 0, keptThere = 0 } = seen;
  console.log(
    `books, without refunds by operators: taken ${taken}, returned ${returned}, kept ${kept} XAF here, ${keptThere} at the providers`,
  );
  for (const complaint of complaints.slice(0, maxShown)) console.log(`  ${complaint}`);
  for (const [stage, verdict] of Object.entries(verdicts)) {
    for (const [name, faults] of Object.entries(verdict))
      for (const fault of faults.slice(0, maxShown)) console.log(`  ${stage}, ${name}: ${fault}`);
  }
  const result = summary(Object.values(verdicts));
  console.log(result);
  return result === 'lost 0, double 0, wrong 0' && kept === keptThere && complaints.length === 0;
}
