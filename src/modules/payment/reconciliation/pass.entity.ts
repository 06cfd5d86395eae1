import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** The last completed reconciliation of any process, in a single row, so that it is visible whether reconciliation runs. */
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
