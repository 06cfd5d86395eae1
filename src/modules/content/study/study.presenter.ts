import type { IslandProps } from '../../../platform/pages/islands.ts';
import { itemKinds } from '../../../shared/item-kinds.ts';
import { formatXaf } from '../../../shared/money.ts';
import { asRead } from '../../../shared/rich-text/as-read.ts';
import { enrolmentDays } from '../../enrolment/index.ts';
import { presentDocument } from '../items/item.presenter.ts';
import type { StudyRow } from './study.repository.ts';

interface StudyPage {
  trial: boolean;
  /** The page's address without its query string. */
  base: string;
}

/** A study page for its template and its island; the texts themselves go into the island's slots. */
export function presentStudy(study: StudyRow, { trial, base }: StudyPage) {
  const sections = itemKinds.map((type) => ({
    type,
    items: study.outline
      .filter(({ kind }) => kind === type)
      .map(({ id, titre, annee }, index) => ({
        id,
        titre,
        ...(annee === null ? {} : { annee }),
        ...(trial && index > 0 ? { locked: true } : {}),
      })),
  }));
  const trail = `${study.disciplineNom} - ${study.prepaNom}`;
  const current =
    study.itemId !== null && study.kind !== null
      ? {
          type: study.kind,
          id: study.itemId,
          hasCorrection: study.corrige !== null,
          ...(study.documents.length > 0 && { documents: study.documents.map(presentDocument) }),
        }
      : null;
  const props: IslandProps<'study'> = { trial, base, trail, sections, current };
  const slots = { contenu: asRead(study.contenu ?? ''), corrige: asRead(study.corrige ?? '') };
  return {
    formulas: Object.values(slots).some((html) => html.includes('<math')),
    title: study.titre ? `${study.titre} - ${trail}` : trail,
    prepa: { id: study.prepaId, nom: study.prepaNom, prix: formatXaf(study.prix), montant: study.prix },
    discipline: { nom: study.disciplineNom },
    island: { props, slots },
  };
}

/** What a payment opens of this discipline; null where nothing is locked. @param prix as written */
export function presentUnlock(sections: IslandProps<'study'>['sections'], prix: string): string | null {
  const locked = sections.flatMap(({ items }) => items).filter((item) => item.locked).length;
  if (locked === 0) return null;
  const what = locked === 1 ? "l'autre contenu" : `les ${locked} autres contenus`;
  return `Débloquer ${what} : ${prix}, ${enrolmentDays} jours`;
}
