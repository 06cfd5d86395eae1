import { useEffect, useRef, useState } from 'react';
import type { ItemKind } from '../../../src/shared/item-kinds.ts';
import { isSignedOut } from '../../admin-shared/refusal.ts';
import { SignInAgain } from '../../admin-shared/SignInAgain.tsx';
import { ReadFailure } from '../../ui/ReadFailure.tsx';
import { toast } from '../../ui/toast.ts';
import { type DraftPlace, draftsOf, type StoredDraft } from '../drafts/draft-store.ts';
import { readItem } from '../items/calls.ts';
import { readDraft } from '../items/draft-calls.ts';
import { type Item, itemOfDraft, type KeptDraft, savedDraft } from '../items/records.ts';
import { panelHint, texts } from '../items/texts.ts';
import type { Screen } from '../use-screen.ts';
import { ItemEditor } from './ItemEditor.tsx';
import type { Opened } from './saving.ts';

interface ItemPaneProps {
  place: Omit<DraftPlace, 'item'>;
  screen: Screen;
  currentYear: number;
}

interface Loaded {
  id: number;
  opened: Opened;
  item: Item;
  /** The draft on the server, if the item is published. */
  found: KeptDraft | null;
  drafts: StoredDraft[];
}

/** Reads a published item with its draft on the server, or the draft of a new item. */
async function readOpened(kind: ItemKind, id: number, opened: Opened, hasDraft: boolean) {
  if (opened === 'item') {
    const [answer, draft] = await Promise.all([readItem(kind, id), hasDraft ? readDraft(id) : null]);
    return { answer, found: draft?.ok ? (draft.body as KeptDraft) : null };
  }
  const answer = await readDraft(id);
  return { answer: answer?.ok ? { ...answer, body: itemOfDraft(answer.body as KeptDraft) } : answer, found: null };
}

/** The right side of a tab: shows the selected item once its text is loaded. */
export function ItemPane({ place, screen, currentYear }: ItemPaneProps) {
  const { kind } = place;
  const { items, selected: id } = screen.state.lists[kind];
  const { created } = screen.state;
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [failure, setFailure] = useState<{ id: number; message: string; signedOut: boolean } | null>(null);
  const [asked, setAsked] = useState(0);
  const waiting = useRef<HTMLElement>(null);
  const isNew = id !== null && created?.id === id;
  const draft = screen.state.drafts.find((one) => one.id === id) ?? null;
  const opened = draft && !draft.publie ? 'draft' : 'item';

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new value of `asked` starts a new request
  useEffect(() => {
    if (id === null) return;
    let current = true;
    const { readFailed, gone } = texts[kind];
    const say = (message: string, signedOut = false) => {
      setFailure({ id, message, signedOut });
      toast('error', message);
    };
    Promise.all([readOpened(kind, id, opened, draft !== null), draftsOf({ ...place, item: id })]).then(([{ answer, found }, drafts]) => {
      if (!current) return;
      if (answer?.ok) return setLoaded({ id, opened, item: answer.body as Item, found, drafts });
      if (answer?.status !== 404) return say(readFailed, isSignedOut(answer));
      say(gone);
      screen.reload(kind);
      screen.reloadDrafts();
    });
    return () => {
      current = false;
      setFailure(null);
      setLoaded(null);
    };
  }, [kind, id, opened, asked, screen.refreshed.get(id ?? 0)]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves once for each new item
  useEffect(() => {
    // Moves the focus away from the button, so that early typing does not press it again.
    if (isNew) waiting.current?.focus();
  }, [isNew, id]);

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
  if (loaded?.id !== id || loaded.opened !== opened) {
    return (
      <section className="workbench__main authoring__waiting" ref={waiting} tabIndex={-1} aria-live="polite" aria-busy={failure === null}>
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
  const { item, found, drafts } = loaded;
  return (
    <ItemEditor
      key={`${id} ${opened}`}
      opened={opened}
      found={found}
      draft={draft}
      item={item}
      // The item stays open if it is no longer in the list.
      page={items.find((one) => one.id === id)?.numero_page ?? item.numero_page}
      pages={items.length}
      place={{ ...place, item: id }}
      drafts={drafts}
      active={kind === screen.state.tab}
      currentYear={currentYear}
      created={isNew ? created.remarks : null}
      onOpened={screen.announce}
      onChanged={(changed) =>
        screen.dispatch(
          opened === 'draft' && draft
            ? { type: 'draft kept', draft: savedDraft(draft, changed) }
            : { type: 'changed', kind, item: changed },
        )
      }
      onUnsaved={(unsaved) => screen.drafted.report(kind, id, unsaved)}
      onGone={() => {
        screen.reload(kind);
        screen.reloadDrafts();
      }}
      onRevived={(revived) => {
        if (opened === 'draft') screen.dropDraft(kind, id);
        else screen.remove(kind, id);
        screen.add(kind, revived);
      }}
      onKept={(kept) => screen.dispatch({ type: 'draft kept', draft: kept })}
      onDraftOver={() => screen.dispatch({ type: 'draft over', kind, id })}
      onCopied={screen.addDraft}
      onPublished={(published) => screen.published(kind, published)}
    />
  );
}
