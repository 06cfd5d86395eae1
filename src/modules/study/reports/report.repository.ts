import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import { maxWaiting } from '../../../platform/pages/administration-menu.ts';
import type { PlacedItem } from '../../../shared/study/place.ts';
import { openInTrial, shownTitle } from '../../content/index.ts';
import { accessCondition } from '../../enrolment/index.ts';
import type { FaultKind } from './report.entity.ts';

/**
 * An item, and whether the learner may read it now: all items of prepas in which they are enrolled, the trial's items of other
 * prepas.
 */
export interface ReportableItem extends PlacedItem {
  hasCorrection: boolean;
  enrolled: boolean;
  trial: boolean;
}

const place = `i.id, i.kind, ${shownTitle('i')} as titre, i.annee, p.id as prepa_id, p.nom as prepa_nom, d.id as discipline_id, d.nom as discipline_nom`;
const placed = 'item i join discipline d on d.id = i.discipline_id join prepa p on p.id = d.prepa_id';

const reportable = namedStatement<ReportableItem>({
  name: 'content.reportable-item',
  text: `select ${place}, i.corrige is not null as has_correction, ${accessCondition('$1', 'd.prepa_id', '$2')} as enrolled,
                p.is_published and ${openInTrial('i')} as trial
         from ${placed} where i.id = $3`,
});

export const findReportableItem = async (em: EntityManager, userId: string, now: Date, itemId: number): Promise<ReportableItem | null> =>
  (await reportable(em, [userId, now, itemId]))[0] ?? null;

/** A report with its item and its author. */
export interface ReportRow extends Omit<PlacedItem, 'id'> {
  id: number;
  itemId: number;
  fault: FaultKind;
  place: string;
  message: string;
  createdAt: Date;
  closedAt: Date | null;
  answer: string | null;
  username: string;
}

/** Reports per page of the list. */
export const maxListed = 25;

/**
 * Returns the SQL of a page of reports, with one more row if there is a next page. The limit is a literal: with a parameter,
 * PostgreSQL would plan the statement again at each call.
 */
const listed = (condition: string) => `select r.id, i.id as item_id, i.kind, i.titre, i.annee, p.id as prepa_id, p.nom as prepa_nom,
                d.id as discipline_id, d.nom as discipline_nom, r.kind as fault, r.place, r.message, r.created_at, r.closed_at, r.answer, u.username
         from item_report r join item i on i.id = r.item_id join discipline d on d.id = i.discipline_id join prepa p on p.id = d.prepa_id
              join app_user u on u.id = r.user_id
         where ${condition} and r.id < coalesce($1, 2147483647) order by r.id desc limit ${maxListed + 1}`;

const open = namedStatement<ReportRow>({ name: 'content.open-reports', text: listed('r.closed_at is null') });
const closed = namedStatement<ReportRow>({ name: 'content.closed-reports', text: listed('r.closed_at is not null') });

/** Returns a page of reports, newest first, with one more row if there is a next page. @param before the page begins below this id */
export const listReports = (em: EntityManager, isOpen: boolean, before: number | undefined): Promise<ReportRow[]> =>
  (isOpen ? open : closed)(em, [before ?? null]);

/** SQL: number of open reports, for the administration's menu. `order by id` makes PostgreSQL use the index on open reports. */
export const openReportsCount = `select count(*) from (select from item_report where closed_at is null order by id limit ${maxWaiting + 1}) r`;
