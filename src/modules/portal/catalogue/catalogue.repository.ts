import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { RowOf } from '../../../platform/database/rows.ts';
import { dayIn } from '../../../shared/dates.ts';
import type { PrepaRow } from '../../catalogue/index.ts';
import type { EnrolmentRow } from '../../enrolment/index.ts';
import type { Payment } from '../../payment/index.ts';
import { errorCount, type UpcomingExam, upcomingExamsSql } from '../../questions/index.ts';
import { type Plan, plansSql } from '../../revision/index.ts';
import { contentsOf, type PrepaContents } from '../contents/contents.repository.ts';
import type { PageAsked, PublishedPage } from './published-page.repository.ts';
import type { FindPublishedPage } from './published-pages.ts';

/** A learner's enrolment (`enrolmentId` is null without one), their open payments for a published prepa, or the requested prepa. */
interface OwnRow extends Omit<PrepaRow, 'id'>, Omit<EnrolmentRow, 'id'> {
  /** Revision of the entire catalogue, null when unknown; in each row, and in a row without other data. */
  revision: string | null;
  /** The learner's plans, the same in each row. */
  plans: Plan[];
  /** Number of the learner's errors, at most 100. */
  errors: number;
  /** The next mock exams for the learner. */
  exams: UpcomingExam[];
  /** Id of a published prepa, as for the columns that describe it; null for others. */
  id: number | null;
  enrolmentId: number | null;
  /** Reference of the latest open payment; null without one. */
  openReference: string | null;
  openProvider: string;
  openAmount: number;
  openAt: Date;
  /** Number of open payments. */
  openCount: number;
  /** Contents of the requested prepa. The date is a text, since JSON has no dates. */
  contents: (Omit<PrepaContents, 'changedAt'> & { changed_at: string | null }) | null;
}

/** An open attempt to pay for a published prepa. */
export interface OpenPaymentRow extends RowOf<Payment, 'reference' | 'provider' | 'amount' | 'createdAt'> {
  prepaId: number;
  /** Number of the learner's open attempts for this prepa; this is the latest. */
  open: number;
}

/** SQL columns that describe prepa `p`, and the null columns of rows without enrolment or payment. */
const prepa = 'p.nom, p.description, p.prix, p.image, p.is_published, p.auteur_id as auteur';
const noEnrolment =
  'null::int as enrolment_id, null::int as prepa_id, null::text as prepa_nom, null::text as statut, null::timestamptz as date_inscription, null::timestamptz as date_expiration';
const noPayment =
  'null::text as open_reference, null::text as open_provider, null::int as open_amount, null::timestamptz as open_at, null::int as open_count';

const plansAndErrors = `${plansSql('$1', '$2', '$3')} as plans, ${errorCount('$1', '$2')} as errors, ${upcomingExamsSql('$2', { learner: '$1' })} as exams`;

/**
 * Returns the statement of a learner's ($1) data on the catalogue.
 * @param revision columns of the learner's revision, now ($2) and today ($3) @param more further rows; the requested prepa is $4
 */
const ownOf = (name: string, revision: string, more = '') =>
  namedStatement<OwnRow>({
    name,
    text: `select c.revision, c.plans, c.errors, c.exams, own.* from (
             select (select revision from catalogue_revision) as revision, ${revision}) c left join (
             (select case when p.is_published then p.id end as id, ${prepa},
                     e.id as enrolment_id, e.prepa_id, coalesce(p.nom, e.prepa_nom) as prepa_nom, e.statut, e.date_inscription, e.date_expiration,
                     ${noPayment}, null::json as contents
              from enrolment e left join prepa p on p.id = e.prepa_id
              where e.user_id = $1 order by (e.statut = 'active') desc, e.date_expiration desc limit 200)
             union all
             (select p.id, ${prepa}, ${noEnrolment}, o.reference, o.provider, o.amount, o.created_at, o.open_count, null
              from (select distinct on (prepa_id) prepa_id, reference, provider, amount, created_at, count(*) over (partition by prepa_id)::int as open_count
                    from payment where user_id = $1 and status in ('created', 'pending') and not start_unanswered order by prepa_id, id desc) o
                   join prepa p on p.id = o.prepa_id and p.is_published)
             ${more}) own on true`,
  });

const own = ownOf('portal.own-catalogue', `'[]'::json as plans, 0 as errors, '[]'::json as exams`);
const ownAndRevision = ownOf('portal.own-dashboard', plansAndErrors);
const ownAndAsked = ownOf(
  'portal.own-dashboard-and-asked',
  plansAndErrors,
  `union all
   select p.id, ${prepa}, ${noEnrolment}, ${noPayment}, (select row_to_json(c) from (${contentsOf('p.id')}) c)
   from prepa p where p.id = $4::int and p.is_published`,
);

interface CatalogueAsked extends PageAsked {
  /** A prepa to pay for, on the page or not. */
  chosen?: number | undefined;
  /** The time at which the learner's plans, errors and exams are read too; without it they are not. */
  revisionAt?: Date;
}

function ownRows(em: EntityManager, userId: string, revisionAt: Date | undefined, chosen: number | undefined): Promise<OwnRow[]> {
  if (!revisionAt) return own(em, [userId]);
  const values = [userId, revisionAt, dayIn(revisionAt)];
  return chosen === undefined ? ownAndRevision(em, values) : ownAndAsked(em, [...values, chosen]);
}

/**
 * Returns a page of the published prepas, with the learner's enrolments, open payments for published prepas, and the contents of one
 * prepa.
 * One statement reads all of the learner's data, since a page may send four; the shared pages are read only when they change.
 * Prepas are in order of creation, enrolments active first and then by latest end, payments latest first. `others` are published
 * prepas outside the page in which the learner is enrolled or has a payment.
 */
export async function findCatalogueOf(
  em: EntityManager,
  findPage: FindPublishedPage,
  userId: string,
  { chosen, revisionAt, ...asked }: CatalogueAsked,
): Promise<{
  catalogue: PublishedPage;
  /** Revision of the catalogue as read, or of a moment before. */
  revision: string | null;
  others: PrepaRow[];
  enrolments: EnrolmentRow[];
  openPayments: OpenPaymentRow[];
  contents: PrepaContents | null;
  /** The learner's dates of concours and sessions of today. */
  plans: Plan[];
  /** Number of the learner's errors, at most 100. */
  errors: number;
  exams: UpcomingExam[];
}> {
  const rows = await ownRows(em, userId, revisionAt, chosen);
  const revision = rows[0]?.revision ?? null;
  const catalogue = await findPage(em, revision, asked);
  const onPage = new Set(catalogue.prepas.map(({ id }) => id));
  const others = new Map<number, PrepaRow>();
  for (const { id, nom, description, prix, image, isPublished, auteur } of rows) {
    if (id !== null && !onPage.has(id)) others.set(id, { id, nom, description, prix, image, isPublished, auteur });
  }
  const enrolments = rows.flatMap(({ enrolmentId: id, prepaId, prepaNom, statut, dateInscription, dateExpiration }) =>
    id === null ? [] : [{ id, prepaId, prepaNom, statut, dateInscription, dateExpiration }],
  );
  const rank = ({ statut }: EnrolmentRow) => (statut === 'active' ? 0 : 1);
  enrolments.sort((one, other) => rank(one) - rank(other) || Number(other.dateExpiration) - Number(one.dateExpiration));
  const openPayments = rows.flatMap(
    ({ id, openReference: reference, openProvider: provider, openAmount: amount, openAt: createdAt, openCount: open }) =>
      id === null || reference === null ? [] : [{ prepaId: id, reference, provider, amount, createdAt, open }],
  );
  openPayments.sort((one, other) => Number(other.createdAt) - Number(one.createdAt));
  const held = rows.find(({ contents }) => contents !== null)?.contents;
  const contents = held ? { ...held, changedAt: held.changed_at === null ? null : new Date(held.changed_at) } : null;
  const { plans = [], errors = 0, exams = [] } = rows[0] ?? {};
  return { catalogue, revision, plans, errors, exams, others: [...others.values()], enrolments, openPayments, contents };
}
