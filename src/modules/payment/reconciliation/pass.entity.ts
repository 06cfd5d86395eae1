import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** The last reconciliation that came to its end, whichever process ran it: one row, so that everybody can see whether anybody asks. */
export const ReconciliationPass = defineEntity({
  name: 'ReconciliationPass',
  tableName: 'reconciliation_pass',
  checks: [{ name: 'reconciliation_pass_one_row', expression: 'id = 1' }],
  properties: {
    id: p.integer().primary(),
    finishedAt: p.datetime(),
  },
});
export type ReconciliationPass = InferEntity<typeof ReconciliationPass>;
