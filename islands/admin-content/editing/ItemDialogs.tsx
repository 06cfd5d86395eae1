import { flushSync } from 'react-dom';
import type { ItemKind, TextField } from '../../../src/shared/item-kinds.ts';
import { Lazy } from '../../admin-shared/Lazy.tsx';
import type { AttachedDocument } from '../../study/outline.ts';
import type { SavedItem } from '../items/calls.ts';
import { type Documents, documentsOf } from '../items/documents.ts';
import { type ItemSummary, summaryOf } from '../items/records.ts';
import { textsOf } from '../items/texts.ts';
import type { Editing } from './use-editing.ts';

/** What is asked for beside the text. */
export type ItemTask = { what: 'versions' | 'preview' } | { what: 'import'; file: File };

interface ItemDialogsProps {
  task: ItemTask | null;
  kind: ItemKind;
  itemId: number;
  page: number;
  pages: number;
  editing: Editing;
  attached: readonly AttachedDocument[];
  /** The text that a file is imported into. */
  field: TextField;
  onChanged: (item: ItemSummary) => void;
  onClose: () => void;
}

const loadVersions = () => import('../versions/VersionsDialog.tsx');
const loadPreview = () => import('../preview/PreviewDialog.tsx');
const loadImport = () => import('../import/ImportDialog.tsx');

/** The dialogs of the item that is open, each fetched when it is first asked for. */
export function ItemDialogs({ task, kind, itemId, page, pages, editing, attached, field, onChanged, onClose }: ItemDialogsProps) {
  const { state, dispatch } = editing;
  switch (task?.what) {
    case 'versions':
      return (
        <Lazy
          load={loadVersions}
          onFailed={onClose}
          props={{
            kind,
            id: itemId,
            current: state.stored.version,
            typed: () => ({ titre: state.titre, annee: state.annee, duree: state.duree, documents: editing.documents() }),
            read: documentsOf,
            onRestored: (restored: SavedItem) => {
              editing.take(restored);
              onChanged(summaryOf(restored));
            },
            onClose,
          }}
        />
      );
    case 'preview':
      return (
        <Lazy
          load={loadPreview}
          onFailed={onClose}
          props={{
            kind,
            titre: state.titre,
            // Somebody else may have deleted it: the list counts it no more.
            label: `Page ${page} sur ${Math.max(page, pages)}`,
            documents: editing.documents(),
            attached,
            onClose,
          }}
        />
      );
    case 'import':
      return (
        <Lazy
          load={loadImport}
          onFailed={onClose}
          props={{
            file: task.file,
            kind,
            field,
            filled: textsOf(kind)
              .map(({ field }) => field)
              .filter((field) => editing.jsonOf(field) !== null),
            documents: editing.documents,
            onImported: (merged: Documents, remarks: string[]) => {
              flushSync(onClose);
              editing.replaceTexts(merged);
              dispatch({ type: 'remarked', remarks });
            },
            onClose,
          }}
        />
      );
    default:
      return null;
  }
}
