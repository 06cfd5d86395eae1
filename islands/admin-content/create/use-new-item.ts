import { useRef, useState } from 'react';
import { kindDetails } from '../../../src/shared/item-kinds.ts';
import { writeRule } from '../../../src/shared/questions/marking-rule.ts';
import type { FieldErrors } from '../../forms/form-fields.ts';
import type { DraftPlace } from '../drafts/draft-store.ts';
import type { DocumentJson, ImportedDocument } from '../items/calls.ts';
import { draftedTexts } from '../items/item-body.ts';
import { faultsOf, type ItemFields } from '../items/item-fields.ts';
import { useNewDraft } from './use-new-draft.ts';

type ImportedTexts = Pick<ImportedDocument, 'document' | 'corrige' | 'remarques'> & {
  /** Another one for each file. */
  number: number;
};

/** Holds the fields of a new item and the texts imported from a file. @param currentYear in Africa/Douala */
export function useNewItem(place: DraftPlace, currentYear: number) {
  const [fields, setFields] = useState<ItemFields>({ titre: '', intitule: '', annee: String(currentYear), duree: '', bareme: '' });
  /** Fields that were changed: their faults are shown from then on. */
  const [typed, setTyped] = useState<readonly string[]>([]);
  const [imported, setImported] = useState<ImportedTexts | null>(null);
  const [refused, setRefused] = useState<FieldErrors>({});
  const imports = useRef(0);
  /** The titles typed by the author. The next imported file replaces imported titles, but not typed ones. */
  const typedTitle = useRef('');
  const typedFull = useRef('');
  const faults = faultsOf(place.kind, fields, currentYear);
  const changed = fields.titre !== '' || fields.intitule !== '' || fields.annee !== String(currentYear) || imported !== null;
  const documents = { contenu: imported?.document ?? null, corrige: imported?.corrige ?? null };
  const draft = useNewDraft(place, changed ? { ...fields, ...documents } : null, ({ titre, intitule = '', annee, contenu, corrige }) => {
    setFields({ titre, intitule, annee, duree: '', bareme: '' });
    typedTitle.current = titre;
    typedFull.current = intitule;
    setTyped(['titre']);
    if (contenu) setImported({ ...draftedTexts(place.kind, contenu, corrige), remarques: [], number: 0 });
  });

  const markTyped = (field: string) => setTyped((before) => (before.includes(field) ? before : [...before, field]));
  const isTitleTyped = () => typedTitle.current.trim() !== '';

  return {
    fields,
    documents,
    imported,
    changed,
    draft,
    faults,
    shownFaults: { ...refused, ...Object.fromEntries(Object.entries(faults).filter(([field]) => typed.includes(field))) },
    refuse: setRefused,
    isTitleTyped,
    bind: (field: keyof ItemFields) => ({
      name: field,
      value: fields[field],
      autoComplete: 'off',
      onChange: ({ target: { value } }: { target: { value: string } }) => {
        setFields((before) => ({ ...before, [field]: value }));
        markTyped(field);
        setRefused(({ [field]: _gone, ...others }) => others);
        if (field === 'titre') typedTitle.current = value;
        if (field === 'intitule') typedFull.current = value;
        draft.changed();
      },
    }),
    mendImport(document: DocumentJson): void {
      setImported((before) => before && { ...before, document });
      draft.changed();
    },
    removeImport(): void {
      setImported(null);
      draft.changed();
    },
    /** @param hasTitle whether the server was asked to extract the title */
    takeImport({ titre, intitule, document, corrige, bareme, remarques }: ImportedDocument, hasTitle: boolean): void {
      const isLate = hasTitle && titre !== null && isTitleTyped();
      const late = `Le titre du document, « ${titre} », n'est pas repris : vous en avez saisi un autre entre-temps.`;
      imports.current += 1;
      setImported({ document, corrige, remarques: isLate ? [...remarques, late] : remarques, number: imports.current });
      if (!isTitleTyped()) setFields((before) => ({ ...before, titre: titre ?? '', intitule: typedFull.current || intitule || '' }));
      if (kindDetails[place.kind].hasBareme) setFields((before) => ({ ...before, bareme: bareme ? writeRule(bareme) : '' }));
      markTyped('titre');
      draft.changed();
    },
  };
}
