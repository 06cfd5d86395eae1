import { flushSync } from 'react-dom';
import type { ItemKind, TextField } from '../../../src/shared/item-kinds.ts';
import { Lazy } from '../../admin-shared/Lazy.tsx';
import type { AttachedDocument } from '../../study/outline.ts';
import type { SavedItem } from '../items/calls.ts';
import { type Documents, documentsOf } from '../items/documents.ts';
import { type ItemSummary, summaryOf } from '../items/records.ts';
import { textsOf } from '../items/texts.ts';
import type { Publishing } from '../publish/PublishDialog.tsx';
import type { Editing } from './use-editing.ts';

/** The open dialog of an item. */
export type ItemTask = { what: 'versions' | 'preview' | 'publish' } | { what: 'import'; file: File };

interface ItemDialogsProps {
  task: ItemTask;
  kind: ItemKind;
  itemId: number;
  page: number;
  pages: number;
  editing: Editing;
  attached: readonly AttachedDocument[];
  /** The text into which a file is imported. */
  field: TextField;
  publishing: Publishing;
  onChanged: (item: ItemSummary) => void;
  onClose: () => void;
}

const loadVersions = () => import('../versions/VersionsDialog.tsx');
const loadPreview = () => import('../preview/PreviewDialog.tsx');
const loadPublish = () => import('../publish/PublishDialog.tsx');
const loadImport = () => import('../import/ImportDialog.tsx');

/** The dialogs of the open item. Each script is loaded on first use. */
export default function ItemDialogs({
  task,
  kind,
  itemId,
  page,
  pages,
  editing,
  attached,
  field,
  publishing,
  onChanged,
  onClose,
}: ItemDialogsProps) {
  const { state, dispatch } = editing;
  const { titre, intitule, annee, duree, bareme } = state;
  switch (task.what) {
    case 'versions':
      return (
        <Lazy
          load={loadVersions}
          onFailed={onClose}
          props={{
            kind,
            id: itemId,
            current: state.stored.version,
            typed: () => ({ titre, intitule, annee, duree, bareme, documents: editing.documents() }),
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
            titre: intitule || titre,
            // If somebody else has deleted the item, the list no longer counts it.
            label: page === 0 ? 'Brouillon' : `Page ${page} sur ${Math.max(page, pages)}`,
            documents: editing.documents(),
            attached,
            href: `/admin/apercu/${itemId}`,
            onClose,
          }}
        />
      );
    case 'publish':
      return (
        <Lazy
          load={loadPublish}
          onFailed={onClose}
          props={{
            ...publishing,
            kind,
            id: itemId,
            typed: { titre, intitule, annee, duree, bareme, documents: editing.documents() },
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
