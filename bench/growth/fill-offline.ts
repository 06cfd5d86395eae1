import type { Size } from './sizes.ts';

/** One learner in five keeps their paid prepas on a device, and one in twenty has read without a network. */
export const offlineOf = ({ learners }: Size): string[] => [
  `insert into offline_device (user_id, secret, nom, session_id, seen_at, created_at)
   select pg_temp.uuid_of(n), encode(sha256(convert_to('offline-' || n, 'UTF8')), 'hex'), 'Chrome, Android',
          encode(sha256(convert_to('growth-' || n || '-1', 'UTF8')), 'hex'), now() - interval '30 days' * pg_temp.dice(n, 60), now() - interval '60 days'
   from generate_series(11, ${learners}, 5) n`,
  `insert into offline_copy (device_id, prepa_id, kept_at)
   select d.id, e.prepa_id, e.date_inscription from offline_device d join enrolment e on e.user_id = d.user_id where e.statut = 'active'`,
  `insert into offline_entry (user_id, cle, item_id, type, at, taken_at)
   select user_id, md5('entry ' || user_id || item_id)::uuid, item_id, case when finished_at is null then 'lu' else 'termine' end, read_at, read_at + interval '2 hours'
   from item_reading where abs(hashtext(user_id::text)) % 20 = 1`,
];
