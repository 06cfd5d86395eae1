import { daysAgo, type Pruning, pruneRows } from '../../../platform/pruning/pruning.ts';

/** Days after which keys of entries, and devices without a paid prepa, are deleted. */
const rememberedDays = 90;

export const offlinePrunings: readonly Pruning[] = [
  pruneRows('offline_entries', 'clés de ce que des appareils ont envoyé', {
    table: 'offline_entry',
    // The primary key has two columns.
    key: 'ctid',
    condition: 'taken_at < ?',
    values: (run) => [daysAgo(run, rememberedDays)],
  }),
  pruneRows('offline_devices', 'appareils qui ne gardent plus rien', {
    table: 'offline_device',
    key: 'id',
    // A device with a prepa that is still paid for stays, regardless of its last contact.
    condition: `seen_at < ? and not exists (
      select from offline_copy c join enrolment e on e.user_id = offline_device.user_id and e.prepa_id = c.prepa_id
      where c.device_id = offline_device.id and offline_device.removed_at is null and e.date_expiration > ?)`,
    values: (run) => [daysAgo(run, rememberedDays), daysAgo(run, rememberedDays)],
  }),
];
