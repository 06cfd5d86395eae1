import { formatDate, formatInstant } from '../../../shared/dates.ts';
import type { ItemKind } from '../../../shared/item-kinds.ts';
import { presentPlace } from '../../../shared/study/place.ts';
import { faultNames } from './report.forms.ts';
import type { ReportRow } from './report.repository.ts';

/** What names an item's page. */
export interface ItemAddress {
  prepaId: number;
  disciplineId: number;
  kind: ItemKind;
  itemId: number;
}

/** Address of an item's page: the study page, which leads whoever may not read it to the trial. */
export const studyAddress = ({ prepaId, disciplineId, kind, itemId }: ItemAddress): string =>
  `/user/prepa/${prepaId}/${disciplineId}?type=${kind}&item=${itemId}`;

/** A report in the administrators' list. */
export const presentReport = (row: ReportRow) => ({
  id: row.id,
  titre: row.titre,
  itemPlace: presentPlace(row),
  /** Where the item is written. */
  href: `/admin/discipline/${row.disciplineId}?type=${row.kind}&item=${row.itemId}`,
  fault: faultNames[row.fault],
  place: row.place,
  message: row.message,
  username: row.username,
  at: { machine: row.createdAt.toISOString(), text: formatInstant(row.createdAt) },
  closed: row.closedAt && formatDate(row.closedAt),
  answer: row.answer,
});
