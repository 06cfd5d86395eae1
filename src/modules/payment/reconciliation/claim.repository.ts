import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';

/** A claimed payment is left alone for this long; settling it sets its next check, so that only a crash waits it out. In ms. */
const claimLasts = 2 * 60_000;

/** Of each claim, for the payments begun last; what they leave, and the rest, is for those that have been due for longest. */
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

/** A payment so young that its learner is still waiting for it, in ms. */
const freshFor = 10 * 60_000;
/** At that age the schedule asks at least as often; a later instant means that the provider wants to be left alone. In ms. */
const maxFreshWaitMs = 4 * 60_000;

interface Claim {
  now: Date;
  all: boolean;
  fresh: boolean;
  limit: number;
  /** Payments looked at in this run already. */
  except: number[];
  /** Providers that want to be left alone. */
  exceptProviders: string[];
}

/**
 * Claims payments that are due, with `fresh` the young ones too, with `all` any that the schedule still follows. Rows that another process has locked are skipped.
 * Three quarters of a claim go to the payments begun last, whose learners are waiting, the rest to those that have been due for longest: however
 * many there are of either, the others are reached too.
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
