/** Number of the learner who requests the pages. Their rows are the same in every database. */
export const subject = 1;
/** The identifier that the learner's device sends. */
export const device = '00000000-0000-4000-8000-000000000001';
/** Token of the session in `sessionCookie` (fixtures.ts). */
const token = `bench-candidat_${subject}`;

export const subjectRows = (): string[] => [
  `insert into session (id, user_id, expires_at, created_at)
   select encode(sha256(convert_to('${token}', 'UTF8')), 'hex'), pg_temp.uuid_of(${subject}), now() + interval '30 days', now()`,
  `insert into enrolment (user_id, prepa_id, prepa_nom, statut, date_inscription, date_expiration)
   select pg_temp.uuid_of(${subject}), id, nom, 'active', now() - interval '10 days', now() + interval '20 days' from numbered where n < 3`,
  `insert into payment (provider, reference, user_id, prepa_id, prepa_nom, amount, status, provider_transaction_id, next_check_at, created_at, updated_at, settled_at)
   select 'zitopay', 'ZP' || 1700000000000 + g.n || 'deadbeef', pg_temp.uuid_of(${subject}), p.id, p.nom, p.prix, case when g.n = 30 then 'pending' else 'succeeded' end, 'OWN' || g.n,
          case when g.n = 30 then now() + interval '1 hour' end, now() - interval '1 day' * (40 - g.n), now(), case when g.n < 30 then now() - interval '1 day' * (40 - g.n) end
   from generate_series(1, 30) g(n) join numbered p on p.n = g.n % 4`,
  `insert into payment_event (payment_id, type, actor, to_status, at)
   select id, 'created', 'learner', 'created', created_at from payment where reference like 'ZP%deadbeef'`,
  `insert into notification (user_id, message, date_creation)
   select pg_temp.uuid_of(${subject}), 'Votre inscription est confirmée.', now() - interval '1 hour' * n from generate_series(1, 60) n`,
  `insert into item_reading (user_id, item_id, read_at, finished_at)
   select pg_temp.uuid_of(${subject}), id, now() - interval '1 hour' * place, now() from own_item where n < 3 and place <= 15`,
  `insert into practice (user_id, item_id, verdict, marked_at)
   select pg_temp.uuid_of(${subject}), id, 'a_revoir', now() - interval '1 hour' * place from own_item where n < 3 and kind = 'exercise'`,
  // One device of this learner keeps two prepas, another one keeps the first of them.
  `insert into offline_device (user_id, secret, nom, session_id, seen_at, created_at)
   select pg_temp.uuid_of(${subject}), encode(sha256(convert_to(secret, 'UTF8')), 'hex'), 'Chrome, Android',
          encode(sha256(convert_to('${token}', 'UTF8')), 'hex'), now(), now() - interval '9 days'
   from unnest(array['${device}', 'another']) secret`,
  `insert into offline_copy (device_id, prepa_id, kept_at)
   select d.id, p.id, d.created_at from offline_device d, numbered p
   where d.user_id = pg_temp.uuid_of(${subject}) and (p.n = 0 or p.n = 1 and d.secret = encode(sha256('${device}'), 'hex'))`,
  `insert into item_report (item_id, user_id, kind, place, message, created_at)
   select id, pg_temp.uuid_of(${subject}), 'texte', 'Introduction', 'Il manque un mot.', now() from own_item where n = 0 and place <= 5`,
];
