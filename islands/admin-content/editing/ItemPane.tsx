import { useEffect, useRef, useState } from 'react';
import { isSignedOut } from '../../admin-shared/refusal.ts';
import { SignInAgain } from '../../admin-shared/SignInAgain.tsx';
import { ReadFailure } from '../../ui/ReadFailure.tsx';
import { toast } from '../../ui/toast.ts';
import { type DraftPlace, draftsOf, type StoredDraft } from '../drafts/draft-store.ts';
import { readItem } from '../items/calls.ts';
import type { Item } from '../items/records.ts';
import { panelHint, texts } from '../items/texts.ts';
import type { Screen } from '../use-screen.ts';
import { ItemEditor } from './ItemEditor.tsx';

interface ItemPaneProps {
  place: Omit<DraftPlace, 'item'>;
  screen: Screen;
  currentYear: number;
}

/** The right side of a tab: shows the selected item once its text is loaded. */
export function ItemPane({ place, screen, currentYear }: ItemPaneProps) {
  const { kind } = place;
  const { items, selected: id } = screen.state.lists[kind];
  const { created } = screen.state;
  const [loaded, setLoaded] = useState<{ id: number; item: Item; drafts: StoredDraft[] } | null>(null);
  const [failure, setFailure] = useState<{ id: number; message: string; signedOut: boolean } | null>(null);
  const [asked, setAsked] = useState(0);
  const waiting = useRef<HTMLElement>(null);
  const isNew = id !== null && created?.id === id;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new value of `asked` starts a new request
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
      screen.reload(kind);
    });
    return () => {
      current = false;
      setFailure(null);
      setLoaded(null);
    };
  }, [kind, id, asked]);

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
  if (loaded?.id !== id) {
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
  const { item, drafts } = loaded;
  return (
    <ItemEditor
      key={id}
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
      onChanged={(changed) => screen.dispatch({ type: 'changed', kind, item: changed })}
      onUnsaved={(unsaved) => screen.drafted.report(kind, id, unsaved)}
      onGone={() => screen.reload(kind)}
      onRevived={(revived) => {
        screen.remove(kind, id);
        screen.add(kind, revived);
      }}
    />
  );
}
