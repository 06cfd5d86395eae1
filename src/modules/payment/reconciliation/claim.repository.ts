import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';

/** Lifetime of a claim, in ms. Settling a payment sets its next check, so only a crash lets a claim run out. */
const claimLasts = 2 * 60_000;

/** Share of each claim for the newest payments. Payments that have been due longest get the rest, and the unused part of this share. */
const shareOfNewest = 3 / 4;

const claim = namedStatement<{ id: number }>({
  name: 'payment.claim',
  text: `with newest as materialized (
           -- Looking for refunds is nothing that a learner waits for.
           select id from payment
           where next_check_at <= $7 and (next_check_at <= $1 or created_at > $5) and status <> 'succeeded'
             and id <> all($3::int[]) and provider <> all($6::text[])
           order by created_at desc, id desc limit $8 for update skip locked
         ), overdue as materialized (
           select id from payment
           where next_check_at <= $7 and (next_check_at <= $1 or created_at > $5)
             and id <> all($3::int[]) and provider <> all($6::text[]) and id not in (select id from newest)
           order by next_check_at, id limit $4::int - (select count(*) from newest) for update skip locked
         )
         -- An array and no join: the planner takes a limit that it does not know for a tenth of the table.
         update payment set next_check_at = $2 where id = any(array(select id from newest union all select id from overdue)) returning id`,
});

/** Age below which a learner is probably still waiting for the payment, in ms. */
const freshFor = 10 * 60_000;
/** Longest interval of the schedule at that age, in ms. A later check means that the provider requested a pause. */
const maxFreshWaitMs = 4 * 60_000;

interface Claim {
  now: Date;
  all: boolean;
  fresh: boolean;
  limit: number;
  /** Payments already checked in this run. */
  except: number[];
  /** Providers that are paused. */
  exceptProviders: string[];
}

/**
 * Claims due payments; with `fresh` also the recent ones; with `all` all that the schedule still follows. Rows locked by another
 * process are skipped.
 * Three quarters of a claim go to the newest payments, whose learners are waiting, the rest to those that have been due longest. So
 * neither group can starve the other.
 */
export async function claimOpenPayments(em: EntityManager, { now, all, fresh, limit, except, exceptProviders }: Claim): Promise<number[]> {
  const due = all ? 'infinity' : now;
  const youngerThan = fresh ? new Date(now.getTime() - freshFor) : 'infinity';
  const latest = fresh && !all ? new Date(now.getTime() + maxFreshWaitMs) : due;
  const rows = await claim(em, [
    due,
    new Date(now.getTime() + claimLasts),
    except,
    limit,
    youngerThan,
    exceptProviders,
    latest,
    Math.ceil(limit * shareOfNewest),
  ]);
  return rows.map(({ id }) => id);
}
