import { useEffect, useState } from 'react';
import { isSignedOut } from '../../admin-shared/refusal.ts';
import { SignInAgain } from '../../admin-shared/SignInAgain.tsx';
import { ReadFailure } from '../../ui/ReadFailure.tsx';
import { toast } from '../../ui/toast.ts';
import { type DraftPlace, draftsOf, type StoredDraft } from '../drafts/draft-store.ts';
import type { Unsaved } from '../drafts/use-drafts.ts';
import { readItem, type SavedItem } from '../items/calls.ts';
import type { Item, ItemSummary } from '../items/records.ts';
import { panelHint, texts } from '../items/texts.ts';
import { ItemEditor, type ItemEditorProps } from './ItemEditor.tsx';

interface ItemPaneProps
  extends Pick<ItemEditorProps, 'kind' | 'active' | 'currentYear' | 'pages' | 'created' | 'onOpened' | 'onChanged' | 'onGone'> {
  /** Id of what is selected. */
  selected: number | null;
  /** What the list says of it; null when it does not name it any more: what is open stays open. */
  summary: ItemSummary | null;
  place: Omit<DraftPlace, 'item'>;
  onUnsaved: (id: number, unsaved: Unsaved) => void;
  /** Its text became a new item, since it is gone. */
  onRevived: (revived: SavedItem, lost: number) => void;
}

interface Loaded {
  id: number;
  item: Item;
  drafts: StoredDraft[];
}

/** The right side of a tab: what is selected, once its text is read. */
export function ItemPane({ kind, selected: id, summary, place, onUnsaved, onGone, onRevived, ...further }: ItemPaneProps) {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [failure, setFailure] = useState<{ id: number; message: string; signedOut: boolean } | null>(null);
  const [asked, setAsked] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: asking again reads again
  useEffect(() => {
    if (id === null) return;
    let current = true;
    const { readFailed, gone } = texts[kind];
    const say = (message: string, signedOut = false) => {
      setFailure({ id, message, signedOut });
      toast('error', message);
    };
    Promise.all([readItem(kind, id), draftsOf({ ...place, item: id })]).then(([answer, drafts]) => {
      if (!current) return;
      if (answer?.ok) return setLoaded({ id, item: answer.body as Item, drafts });
      if (answer?.status !== 404) return say(readFailed, isSignedOut(answer));
      say(gone);
      onGone();
    });
    return () => {
      current = false;
      setFailure(null);
      setLoaded(null);
    };
  }, [kind, id, asked]);

  if (id === null) {
    return (
      <section className="workbench__main">
        <div className="empty">
          <p>{texts[kind].nothingSelected}</p>
          <p>{panelHint}</p>
        </div>
      </section>
    );
  }
  if (loaded?.id !== id) {
    return (
      <section className="workbench__main authoring__waiting" aria-live="polite" aria-busy={failure === null}>
        {failure?.id === id ? (
          <>
            <ReadFailure message={failure.message} onRetry={() => setAsked((times) => times + 1)} />
            {failure.signedOut && <SignInAgain>Revenez ensuite ici et réessayez.</SignInAgain>}
          </>
        ) : (
          <p className="workbench__waiting">Chargement...</p>
        )}
      </section>
    );
  }
  const { item, drafts } = loaded;
  return (
    <ItemEditor
      key={id}
      {...further}
      kind={kind}
      item={item}
      page={summary?.numero_page ?? item.numero_page}
      place={{ ...place, item: id }}
      drafts={drafts}
      onUnsaved={(unsaved) => onUnsaved(id, unsaved)}
      onGone={onGone}
      onRevived={(revived) => onRevived(revived, id)}
    />
  );
}
