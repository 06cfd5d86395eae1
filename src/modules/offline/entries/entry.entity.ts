import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { outboxKinds } from '../../../shared/offline/offline-copy.ts';
import { Item } from '../../content/index.ts';
import { User } from '../../identity/index.ts';

/** An action on a device, counted once per key. Kept as long as a device may send the entry again. */
export const OfflineEntry = defineEntity({
  name: 'OfflineEntry',
  tableName: 'offline_entry',
  indexes: [{ name: 'offline_entry_item_user_index', properties: ['item', 'user'] }],
  properties: {
    user: () => p.manyToOne(User).mapToPk().primary().deleteRule('cascade'),
    /** Idempotency key, made by the device. */
    cle: p.uuid().primary(),
    item: () => p.manyToOne(Item).mapToPk().deleteRule('cascade'),
    type: p.enum([...outboxKinds]),
    /** Time of the action. */
    at: p.datetime(),
    takenAt: p.datetime().index('offline_entry_taken_index'),
  },
});
export type OfflineEntry = InferEntity<typeof OfflineEntry>;
