import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Prepa } from '../../catalogue/index.ts';

/** The day of a prepa's concours, set by an administrator. */
export const Concours = defineEntity({
  name: 'Concours',
  tableName: 'concours',
  properties: {
    prepa: () => p.manyToOne(Prepa).mapToPk().primary().deleteRule('cascade'),
    day: p.date(),
  },
});
export type Concours = InferEntity<typeof Concours>;
