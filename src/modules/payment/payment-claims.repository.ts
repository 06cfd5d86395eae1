import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../platform/named-statement.ts';

/** A claimed payment is left alone for this long; settling it sets its next check, so that only a crash waits it out. In ms. */
const claimLasts = 2 * 60_000;

const claim = namedStatement<{ id: number }>({
  name: 'payment.claim',
  text: `with due as materialized (
           select id from payment
           where next_check_at is not null and ($1::timestamptz is null or next_check_at <= $1 or created_at > $5::timestamptz and next_check_at <= $7) and id <> all($3::int[])
             and provider <> all($6::text[])
           order by next_check_at, id limit $4 for update skip locked
         )
         update payment p set next_check_at = $2 from due where p.id = due.id returning p.id`,
});

/** A payment so young that its learner is still waiting for it, in ms. */
const freshFor = 10 * 60_000;
/** At that age the schedule asks at least as often; a later instant means that the provider wants to be left alone. In ms. */
const longestOfFresh = 4 * 60_000;

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

/** Claims payments that are due, with `fresh` the young ones too, with `all` any that the schedule still follows. Rows in other hands are passed over. */
export async function claimOpenPayments(em: EntityManager, { now, all, fresh, limit, except, exceptProviders }: Claim): Promise<number[]> {
  const youngerThan = fresh ? new Date(now.getTime() - freshFor) : null;
  const rows = await claim(em, [
    all ? null : now,
    new Date(now.getTime() + claimLasts),
    except,
    limit,
    youngerThan,
    exceptProviders,
    new Date(now.getTime() + longestOfFresh),
  ]);
  return rows.map(({ id }) => id);
}
