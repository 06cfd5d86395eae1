import { anneeFault, dureeFault, titreFault } from '../../../src/shared/forms/item-rules.ts';
import { type ItemKind, kindDetails } from '../../../src/shared/item-kinds.ts';
import type { FieldErrors } from '../../forms/form-fields.ts';

/** The fields of an item besides its texts. */
export interface ItemFields {
  titre: string;
  annee: string;
  /** Minutes, or '' if not given. */
  duree: string;
}

/** Returns the faults of the fields. The server checks the same rules (specification §5). @param currentYear in Africa/Douala */
export function faultsOf(kind: ItemKind, { titre, annee, duree }: ItemFields, currentYear: number): FieldErrors {
  const fault = {
    titre: titreFault(titre),
    annee: kindDetails[kind].hasAnnee ? anneeFault(annee, currentYear) : null,
    duree: dureeFault(duree),
  };
  return Object.fromEntries(Object.entries(fault).filter(([, message]) => message)) as FieldErrors;
}
