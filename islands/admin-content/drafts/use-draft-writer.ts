import { useEffect, useEffectEvent, useRef } from 'react';
import { type Draft, type DraftPlace, keepDraft, removeDrafts, thisSession } from './draft-store.ts';
import { startDraftWriter } from './draft-writer.ts';

/**
 * Keeps what this page has unsaved, a moment after it was typed; takes the draft away when nothing is any more. Returns what says that something
 * was typed.
 * @param draftNow null: nothing is unsaved
 * @param onKept whether the browser keeps it
 */
export function useDraftWriter(place: DraftPlace, draftNow: () => Draft | null, onKept: (kept: boolean) => void): () => void {
  const writer = useRef<ReturnType<typeof startDraftWriter>>(null);
  const write = useEffectEvent(() => {
    const draft = draftNow();
    const own = { place, session: thisSession };
    if (!draft) return void removeDrafts([own]);
    keepDraft({ ...own, draft }).then(
      () => onKept(true),
      () => onKept(false),
    );
  });

  // As long as what is written in is open; its place is decided then.
  useEffect(() => {
    const started = startDraftWriter(write);
    writer.current = started;
    return started.stop;
  }, []);
  return () => writer.current?.changed();
}
