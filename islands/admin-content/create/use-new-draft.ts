import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type Draft, type DraftPlace, draftsOf, keepDraft, removeDrafts, type StoredDraft, thisSession } from '../drafts/draft-store.ts';
import { type DraftWriter, startDraftWriter } from '../drafts/draft-writer.ts';
import { useLeaveWarning } from '../drafts/use-leave-warning.ts';

/**
 * Keeps what is typed of a new item, and brings back what an earlier page has left of one.
 * @param typed null: nothing is typed
 */
export function useNewDraft(place: DraftPlace, typed: Omit<Draft, 'version' | 'at'> | null, onResume: (draft: Draft) => void) {
  /** The browser keeps no drafts. */
  const [unkept, setUnkept] = useState(false);
  const [resumed, setResumed] = useState<readonly StoredDraft[]>([]);
  const writer = useRef<DraftWriter>(null);
  /** Saved or given up: nothing is kept any more. */
  const over = useRef(false);
  const own = { place, session: thisSession };
  const losable = unkept && typed !== null;
  useLeaveWarning(losable);

  const write = useEffectEvent(() => {
    if (over.current) return;
    if (!typed) return void removeDrafts([own]);
    keepDraft({ ...own, draft: { ...typed, version: null, at: Date.now() } }).then(
      () => setUnkept(false),
      () => setUnkept(true),
    );
  });
  const resume = useEffectEvent((drafts: StoredDraft[]) => {
    const [latest] = drafts;
    if (!latest || typed) return;
    onResume(latest.draft);
    setResumed(drafts);
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the place of a dialog is decided when it opens
  useEffect(() => {
    const started = startDraftWriter(write);
    writer.current = started;
    draftsOf(place).then(resume);
    return started.stop;
  }, []);

  return {
    resumed: resumed.length > 0,
    /** Leaving the page would lose what is typed. */
    losable,
    changed: () => writer.current?.changed(),
    forget: () => {
      over.current = true;
      removeDrafts([own, ...resumed]);
    },
  };
}
