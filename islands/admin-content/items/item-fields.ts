import { anneeFault, dureeFault, intituleFault, titreFault } from '../../../src/shared/forms/item-rules.ts';
import { type ItemKind, kindDetails } from '../../../src/shared/item-kinds.ts';
import { ruleFault, writeRule } from '../../../src/shared/questions/marking-rule.ts';
import type { FieldErrors } from '../../forms/form-fields.ts';
import type { Item } from './records.ts';

/** The fields of an item besides its texts. */
export interface ItemFields {
  titre: string;
  intitule: string;
  annee: string;
  /** Minutes, or '' if not given. */
  duree: string;
  /** The marking rule of a series as typed, '1 ; -0,25 ; 0'; '' for other kinds. */
  bareme: string;
}

/** Returns the fields of a stored item. */
export const fieldsOf = ({
  titre,
  intitule,
  annee,
  duree,
  bareme,
}: Pick<Item, 'titre' | 'intitule' | 'annee' | 'duree' | 'bareme'>): ItemFields => ({
  titre,
  intitule: intitule ?? '',
  annee: annee ? String(annee) : '',
  duree: duree ? String(duree) : '',
  bareme: typeof bareme === 'object' ? writeRule(bareme) : (bareme ?? ''),
});

/** Returns the faults of the fields. The server checks the same rules (specification §5). @param currentYear in Africa/Douala */
export function faultsOf(kind: ItemKind, { titre, intitule, annee, duree, bareme }: ItemFields, currentYear: number): FieldErrors {
  const fault = {
    titre: titreFault(titre),
    intitule: intituleFault(intitule),
    annee: kindDetails[kind].hasAnnee ? anneeFault(annee, currentYear) : null,
    duree: dureeFault(duree),
    bareme: ruleFault(bareme),
  };
  return Object.fromEntries(Object.entries(fault).filter(([, message]) => message)) as FieldErrors;
}
