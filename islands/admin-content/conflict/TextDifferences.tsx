import { type ItemKind, kindDetails } from '../../../src/shared/item-kinds.ts';
import type { Documents } from '../items/documents.ts';
import { fieldsOf, type ItemFields } from '../items/item-fields.ts';
import type { Item } from '../items/records.ts';
import { textsOf } from '../items/texts.ts';
import { Comparison } from './Comparison.tsx';

interface TextDifferencesProps {
  kind: ItemKind;
  /** The stored item. */
  theirs: Pick<Item, 'titre' | 'intitule' | 'annee' | 'duree' | 'bareme'>;
  /** The stored texts, parsed by the caller, so that this script does not need the HTML reader again. */
  stored: Documents;
  /** The item as typed here. */
  mine: TypedItem;
}

export type TypedItem = ItemFields & { documents: Documents };

/** Shows the differences between the stored and the typed item: first the fields, then the texts. */
export function TextDifferences({ kind, theirs, stored, mine }: TextDifferencesProps) {
  const fields = [
    { label: 'Titre', before: theirs.titre, after: mine.titre },
    { label: 'Intitulé complet', before: theirs.intitule ?? '', after: mine.intitule },
    ...(kindDetails[kind].hasAnnee ? [{ label: 'Année', before: String(theirs.annee ?? ''), after: mine.annee }] : []),
    ...(kindDetails[kind].hasDuree ? [{ label: 'Durée', before: String(theirs.duree ?? ''), after: mine.duree }] : []),
    ...(kindDetails[kind].hasBareme ? [{ label: 'Barème', before: fieldsOf(theirs).bareme, after: mine.bareme }] : []),
  ].filter(({ before, after }) => before !== after);
  return (
    <>
      {fields.map(({ label, before, after }) => (
        <p key={label}>
          {`${label} : `}
          {before && <del>{before}</del>} {after && <ins>{after}</ins>}
        </p>
      ))}
      {textsOf(kind).map(({ field, label }) => (
        <Comparison key={field} label={textsOf(kind).length > 1 ? label : null} before={stored[field]} after={mine.documents[field]} />
      ))}
    </>
  );
}
