import { useState } from 'react';
import type { ItemKind } from '../../../src/shared/item-kinds.ts';
import { call } from '../../runtime/post.ts';
import type { AttachedDocument } from '../../study/outline.ts';
import { toast } from '../../ui/toast.ts';
import { DocumentList } from '../files/DocumentList.tsx';
import { saveTimeoutMs } from '../items/calls.ts';
import { type DraftAnswer, draftAddress } from '../items/draft-calls.ts';
import type { KeptDraft } from '../items/records.ts';

interface ItemFootProps {
  kind: ItemKind;
  id: number;
  isDraft: boolean;
  attached: readonly AttachedDocument[];
  /** Address of the page that prints and exports the text's questions; null without questions. */
  questionsHref: string | null;
  onAttached: (change: (before: readonly AttachedDocument[]) => AttachedDocument[]) => void;
  onCopied: (draft: KeptDraft) => void;
}

/** Copies an item, or its draft, into the draft of a new item. */
const duplicateItem = (id: number): Promise<DraftAnswer | null> => call('POST', `${draftAddress(id)}/copie`, {}, saveTimeoutMs);

/** What stands below the text of the open item: its documents, and what else can be done with it. */
export default function ItemFoot({ kind, id, isDraft, attached, questionsHref, onAttached, onCopied }: ItemFootProps) {
  const [busy, setBusy] = useState(false);

  /** The copy has the text as it was last saved. */
  async function copy(): Promise<void> {
    if (busy) return;
    setBusy(true);
    const answer = await duplicateItem(id);
    setBusy(false);
    if (!answer?.ok || !answer.body.brouillon) {
      toast('error', answer?.body.message ?? "La copie n'a pas pu être créée. Vérifiez votre connexion, puis réessayez.");
      return;
    }
    toast('success', 'Copie créée en brouillon');
    onCopied(answer.body.brouillon);
  }

  return (
    <>
      {isDraft ? (
        <p className="field__hint">Un document PDF se joint une fois le contenu publié.</p>
      ) : (
        <DocumentList kind={kind} itemId={id} documents={attached} onChange={onAttached} />
      )}
      <p>
        <button className="button button--quiet" type="button" aria-busy={busy} onClick={copy}>
          Dupliquer ce contenu
        </button>
      </p>
      {questionsHref && (
        <p>
          <a className="authoring__readings" href={questionsHref}>
            Imprimer ou exporter ses questions
          </a>
        </p>
      )}
    </>
  );
}
