import { formatDate, formatInstant } from '../../../shared/dates.ts';
import type { ItemKind } from '../../../shared/item-kinds.ts';
import { presentPlace } from '../../../shared/study/place.ts';
import { faultNames } from './report.forms.ts';
import type { ReportRow } from './report.repository.ts';

/** The ids that make up the address of an item's page. */
export interface ItemAddress {
  prepaId: number;
  disciplineId: number;
  kind: ItemKind;
  itemId: number;
}

/** Returns the address of an item on the study page. The study page redirects learners without access to the trial. */
export const studyAddress = ({ prepaId, disciplineId, kind, itemId }: ItemAddress): string =>
  `/user/prepa/${prepaId}/${disciplineId}?type=${kind}&item=${itemId}`;

/** Returns a report for the administrators' list. */
export const presentReport = (row: ReportRow) => ({
  id: row.id,
  titre: row.titre,
  itemPlace: presentPlace(row),
  /** Address of the item in the editor. */
  href: `/admin/discipline/${row.disciplineId}?type=${row.kind}&item=${row.itemId}`,
  fault: faultNames[row.fault],
  place: row.place,
  message: row.message,
  username: row.username,
  at: { machine: row.createdAt.toISOString(), text: formatInstant(row.createdAt) },
  closed: row.closedAt && formatDate(row.closedAt),
  answer: row.answer,
});
