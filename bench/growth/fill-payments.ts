import type { Size } from './sizes.ts';

/**
 * The states other than 'succeeded', as a part of all payments. A small database gets a minimum of rows, so that a list of each state fills
 * a page.
 */
const parts = (payments: number): Record<string, number> => {
  const atLeast = (part: number, rows: number) => Math.max(part, rows / payments);
  return {
    failed: 0.1,
    cancelled: atLeast(0.05, 400),
    expired: 0.0545,
    // Enough for refunds on most days of the totals in both years.
    refunded: atLeast(0.02, 1_500),
    review: atLeast(0.0005, 100),
    created: atLeast(0.005, 60),
    pending: atLeast(0.02, 60),
  };
};

/** Returns SQL that maps a number from 0 to 1 to a payment state. */
function stateOf(payments: number): string {
  let from = 0;
  const cases = Object.entries(parts(payments)).map(([state, part]) => {
    from += part;
    return `when u < ${from} then '${state}'`;
  });
  return `case ${cases.join(' ')} else 'succeeded' end`;
}

/** Number of different last digits of telephone numbers. A small database has fewer, so that a search still fills a page. */
const numbersOf = (payments: number): number => Math.min(10_000, Math.floor(payments / 120));

/**
 * Payments, oldest first, with their events, enrolments and notifications to learners, which are all derived from the payments. Each
 * learner pays for one to three prepas; a few prepas have most of the learners. 50,000 of 2,000,000 payments are still open, most of them
 * begun long ago.
 */
export const paymentsOf = ({ learners, prepas, payments }: Size, days: number): string[] => [
  `create temporary table drawn as
   select n, u, learner, at, pg_temp.uuid_of(learner) as user_id, floor(${prepas} * pg_temp.dice(learner * 3 + floor(3 * pg_temp.dice(n, 11) ^ 2)::int, 12) ^ 3)::int as prepa
   from generate_series(1, ${payments}) n,
        lateral (select pg_temp.dice(n, 10) as u, 11 + floor((${learners} - 10) * pg_temp.dice(n, 13))::int as learner,
                        now() - interval '1 hour' - interval '${days} days' * (1 - n::float8 / ${payments}) as at) d`,
  `insert into payment (provider, reference, user_id, prepa_id, prepa_nom, amount, status, provider_transaction_id, method, payer_phone_last, refunded_amount,
                        needs_look, next_check_at, checks, created_at, updated_at, settled_at)
   select case when pg_temp.dice(w.n, 14) < 0.8 then 'zitopay' else 'notchpay' end,
          'ZP' || (extract(epoch from at) * 1000)::bigint || left(user_id::text, 8) || w.n, user_id, p.id, p.nom, p.prix, status,
          case when status in ('succeeded', 'refunded') then 'TX' || w.n end, case when status in ('succeeded', 'refunded') then 'MTN Mobile Money' end,
          case when status in ('succeeded', 'refunded') then lpad((w.n % ${numbersOf(payments)})::text, 4, '0') end, case status when 'refunded' then p.prix else 0 end,
          status = 'succeeded' and pg_temp.dice(w.n, 15) < 0.0002, case when status in ('created', 'pending') then now() + interval '1 hour' * pg_temp.dice(w.n, 16) end,
          3, at, at + interval '3 minutes', case when status in ('succeeded', 'refunded') then at + interval '3 minutes' end
   from drawn w join numbered p on p.n = w.prepa,
        lateral (select ${stateOf(payments)} as status) s
   order by w.n`,
  `insert into payment_event (payment_id, type, actor, to_status, detail, at)
   select id, 'created', 'learner', 'created', jsonb_build_object('amount', amount, 'currency', 'XAF'), created_at from payment where reference like 'ZP%' order by id`,
  `insert into payment_event (payment_id, type, actor, from_status, to_status, detail, at)
   select id, 'transition', 'provider-notification', 'pending', case status when 'refunded' then 'succeeded' else status end, null, updated_at
   from payment where status not in ('created', 'pending') order by id`,
  `insert into payment_event (payment_id, type, actor, from_status, to_status, returned, at)
   select id, 'decision', 'operator', 'succeeded', 'refunded', amount, settled_at + interval '2 days' * pg_temp.dice(id, 17) from payment where status = 'refunded' order by id`,
  `insert into payment_notification (provider, reference, payment_id, content_type, body, received_at, processed_at, candidates, signed, event_key)
   select provider, reference, id, 'application/x-www-form-urlencoded', convert_to('ref=' || reference || '&status=complete', 'UTF8'), settled_at, settled_at,
          jsonb_build_array(reference), provider = 'notchpay', 'event-' || id from payment where settled_at is not null order by id`,
  `insert into enrolment (user_id, prepa_id, prepa_nom, statut, date_inscription, date_expiration, announced_days)
   select user_id, prepa_id, min(prepa_nom), case when max(settled_at) + interval '30 days' > now() then 'active' else 'expired' end, max(settled_at),
          max(settled_at) + interval '30 days', case when max(settled_at) + interval '30 days' > now() then null else 0 end
   from payment where status = 'succeeded' group by user_id, prepa_id order by max(settled_at)`,
  `insert into enrolment_extension (enrolment_id, payment_id, days, source, expires_after, created_at)
   select e.id, p.id, 30, 'payment', p.settled_at + interval '30 days', p.settled_at
   from payment p join enrolment e on e.user_id = p.user_id and e.prepa_id = p.prepa_id where p.status = 'succeeded' order by p.id`,
  `insert into notification (user_id, message, lu, date_creation)
   select user_id, 'Votre inscription à ' || prepa_nom || ' est confirmée.', pg_temp.dice(id, 18) < 0.8, settled_at from payment where settled_at is not null order by id`,
  `insert into reconciliation_pass (id, finished_at) values (1, now()) on conflict (id) do update set finished_at = now()`,
];
