import type { EditorView } from 'prosemirror-view';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { hasOtherPlaces, withoutPassage } from '../../../src/shared/rich-text/remark-forms.ts';
import { wantedPassages } from './find-passages.ts';
import { Notes } from './notes.ts';

interface NotesOptions {
  remarks: readonly string[];
  /** Returns the editors of the texts. Read once. */
  views: () => EditorView[];
  /** Makes the text of a view visible. */
  reveal: (index: number) => void;
  /** Replaces remarks: by what is left of them, null if it is nothing. Returns false if this failed: then they stay. */
  change: (changed: ReadonlyMap<string, string | null>) => Promise<boolean> | boolean;
  /** Whether a change has to wait. */
  busy: boolean;
  /** Called when the last note was settled: its button, which had the focus, is gone. */
  onLast: () => void;
}

/** Shows remarks beside their passages, and settles them one by one. */
export function useNotes({ remarks, views, reveal, change, busy, onLast }: NotesOptions) {
  const notes = useRef<Notes | null>(null);
  /** The note to which the focus moves once a settled one is gone. */
  const next = useRef<string | null>(null);
  const isSending = useRef(false);
  const [placed, setPlaced] = useState<ReadonlySet<string>>(new Set());
  /** Remarks that the author has settled, wholly or in part, and that are not stored yet. */
  const [changed, setChanged] = useState<ReadonlyMap<string, string | null>>(new Map());
  const now = remarks.flatMap((remark) => {
    const left = changed.get(remark);
    return left === undefined ? [remark] : left === null ? [] : [left];
  });
  const text = now.join('\0');

  /** Settles whole remarks, or one passage of one. */
  function settle(settled: readonly string[], index?: number): void {
    setChanged((before) => {
      const next = new Map(before);
      for (const shown of settled) {
        const remark = remarks.find((one) => (next.get(one) ?? one) === shown) ?? shown;
        next.set(remark, index === undefined ? null : withoutPassage(shown, index));
      }
      return next;
    });
  }

  const settlePassage = useEffectEvent((remark: string, index: number, key: string) => {
    const following = notes.current?.following(key) ?? null;
    if (following === null) onLast();
    next.current = following;
    settle([remark], index);
  });
  const show = useEffectEvent(reveal);
  const viewsNow = useEffectEvent(views);

  useEffect(() => {
    const shown = new Notes(viewsNow(), {
      onSettled: ({ remark, index, key }) => settlePassage(remark, index, key),
      onPlaced: setPlaced,
      reveal: (index) => show(index),
    });
    notes.current = shown;
    return () => shown.remove();
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `text` stands for `now`
  useEffect(() => {
    notes.current?.show(now);
    if (next.current !== null) notes.current?.focus(next.current);
    next.current = null;
  }, [text]);

  const send = useEffectEvent(async () => {
    if (isSending.current) return;
    isSending.current = true;
    const sent = changed;
    const isDone = await change(sent);
    isSending.current = false;
    // After a failure the remarks are shown again. What was settled meanwhile stays.
    setChanged((before) => new Map([...before].filter(([remark, left]) => !sent.has(remark) || (isDone && sent.get(remark) !== left))));
  });
  useEffect(() => {
    if (changed.size > 0 && !busy) void send();
  }, [changed, busy]);

  const passages = wantedPassages(now);
  const inText = passages.filter(({ key }) => placed.has(key)).length;
  /** Remarks of which not all is beside the text. */
  const listed = now.filter((remark) => {
    const own = passages.filter((passage) => passage.remark === remark);
    return own.length === 0 || hasOtherPlaces(remark) || own.some(({ key }) => !placed.has(key));
  });
  return { listed, inText, settle, toFirst: () => notes.current?.toFirst() };
}
