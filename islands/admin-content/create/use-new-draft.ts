import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type Draft, type DraftPlace, draftsOf, removeDrafts, type StoredDraft, thisSession } from '../drafts/draft-store.ts';
import { useDraftWriter } from '../drafts/use-draft-writer.ts';
import { useLeaveWarning } from '../drafts/use-leave-warning.ts';

/**
 * Keeps a draft of a new item while it is typed, and restores a draft left by an earlier page.
 * @param typed null if nothing was typed
 */
export function useNewDraft(place: DraftPlace, typed: Omit<Draft, 'version' | 'at'> | null, onResume: (draft: Draft) => void) {
  const [unkept, setUnkept] = useState(false);
  const [resumed, setResumed] = useState<readonly StoredDraft[]>([]);
  /** True once the item was created or given up. No draft is written after that. */
  const over = useRef(false);
  const losable = unkept && typed !== null;
  useLeaveWarning(losable);

  const changed = useDraftWriter(
    place,
    () => (typed && !over.current ? { ...typed, version: null, at: Date.now() } : null),
    (kept) => setUnkept(!kept),
  );
  const resume = useEffectEvent((drafts: StoredDraft[]) => {
    const [latest] = drafts;
    if (!latest || typed) return;
    onResume(latest.draft);
    setResumed(drafts);
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the place does not change while the dialog is open
  useEffect(() => {
    draftsOf(place).then(resume);
  }, []);

  return {
    resumed: resumed.length > 0,
    /** Whether leaving the page would lose the typed text. */
    losable,
    changed,
    forget: () => {
      over.current = true;
      removeDrafts([{ place, session: thisSession }, ...resumed]);
    },
  };
}
