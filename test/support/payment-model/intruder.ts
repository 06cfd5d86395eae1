import { sql } from '../sql.ts';

/** PostgreSQL's error code for a violated unique constraint. */
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
 * Opens the days of a paid payment a second time without the application: no row lock and no check of existing rows. Only the constraint
 * `enrolment_extension_payment_unique` prevents it. @returns whether the insertion succeeded
 */
export async function intrude(databaseUrl: string, reference: string): Promise<boolean> {
  try {
    return (await sql(databaseUrl, openAgain, [reference])).length > 0;
  } catch (error) {
    if ((error as { code?: string }).code === duplicate) return false;
    throw error;
  }
}

/** Drops the constraint that prevents a second extension. */
export async function dropConstraint(databaseUrl: string): Promise<void> {
  await sql(databaseUrl, 'alter table enrolment_extension drop constraint enrolment_extension_payment_unique');
}
