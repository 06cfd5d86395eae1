import { useEffect, useEffectEvent, useRef } from 'react';
import { type Draft, type DraftPlace, keepDraft, removeDrafts, thisSession } from './draft-store.ts';
import { startDraftWriter } from './draft-writer.ts';

/**
 * Keeps a draft of the page's unsaved text, and deletes it once everything is saved. Returns a function to call after each change.
 * @param draftNow returns null if nothing is unsaved
 * @param onKept called with whether the browser stored the draft
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

  // The writer lives as long as the editor; its place does not change.
  useEffect(() => {
    const started = startDraftWriter(write);
    writer.current = started;
    return started.stop;
  }, []);
  return () => writer.current?.changed();
}
