import { sql } from '../sql.ts';

/** What PostgreSQL calls a broken unique constraint. */
const duplicate = '23505';

const openAgain = `
  with paid as (
    select p.id as payment, e.id as enrolment, e.date_expiration as until
    from payment p join enrolment e on (e.user_id, e.prepa_id) = (p.user_id, p.prepa_id)
    where p.reference = $1 and p.status in ('succeeded', 'refunded')
  ), extension as (
    insert into enrolment_extension (enrolment_id, payment_id, days, source, expires_before, expires_after, created_at)
    select enrolment, payment, 30, 'payment', until, until + interval '720 hours', now() from paid
    returning enrolment_id, expires_after
  )
  update enrolment e set date_expiration = x.expires_after, statut = 'active' from extension x where e.id = x.enrolment_id returning e.id`;

/**
 * Opens the days of a paid payment a second time, past the application: no row lock, no look at what is there. Only the constraint
 * `enrolment_extension_payment_unique` stands in its way. @returns whether it got through
 */
export async function intrude(databaseUrl: string, reference: string): Promise<boolean> {
  try {
    return (await sql(databaseUrl, openAgain, [reference])).length > 0;
  } catch (error) {
    if ((error as { code?: string }).code === duplicate) return false;
    throw error;
  }
}

/** Takes away what makes a second extension impossible. */
export async function dropConstraint(databaseUrl: string): Promise<void> {
  await sql(databaseUrl, 'alter table enrolment_extension drop constraint enrolment_extension_payment_unique');
}
