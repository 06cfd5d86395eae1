import { formatXaf } from '../../../shared/money.ts';
import { asRead } from '../../../shared/rich-text/as-read.ts';
import { presentStudyPage } from '../../../shared/study/study-page.ts';
import { presentDocument } from '../../content/index.ts';
import { enrolmentDays } from '../../enrolment/index.ts';
import type { StudyRow } from './study.repository.ts';

/** Returns the data of a study page, and the prepa with its price. */
export const presentStudy = (study: StudyRow, page: Parameters<typeof presentStudyPage>[1]) => ({
  ...presentStudyPage(
    {
      ...study,
      contenu: asRead(study.contenu ?? ''),
      corrige: study.corrige === null ? null : asRead(study.corrige),
      documents: study.documents.map(presentDocument),
    },
    page,
  ),
  prepa: { id: study.prepaId, nom: study.prepaNom, prix: formatXaf(study.prix), montant: study.prix },
});

/** Returns the text of the unlock button; null when nothing is locked. @param locked number of items that a payment opens @param prix the formatted price */
export function presentUnlock(locked: number, prix: string): string | null {
  if (locked === 0) return null;
  const what = locked === 1 ? "l'autre contenu" : `les ${locked} autres contenus`;
  return `Débloquer ${what} : ${prix}, ${enrolmentDays} jours`;
}
