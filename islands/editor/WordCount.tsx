import { useEffect, useState } from 'react';
import type { EditorSession } from './session/session.ts';
import { figuresOf, wordsIn } from './word-count.ts';

/** Pause of the author after which words are counted, in ms. */
const PAUSE_MS = 700;
/** Time given to one slice of the count, in ms: a key that is pressed meanwhile waits for it. */
const SLICE_MS = 4;

/** The number of words and the reading time. Counted in slices while the author pauses, and only what has changed. */
export function WordCount({ session }: { session: EditorSession | null }) {
  const [words, setWords] = useState<number | null>(null);
  useEffect(() => {
    if (!session) return;
    let timer = 0;
    const count = (from: number, before: number) => {
      const { doc } = session.view.state;
      const end = performance.now() + SLICE_MS;
      let index = from;
      let sum = before;
      for (; index < doc.childCount && performance.now() < end; index += 1) sum += wordsIn(doc.child(index));
      if (index >= doc.childCount) setWords(sum);
      else timer = window.setTimeout(() => count(index, sum));
    };
    const schedule = () => {
      clearTimeout(timer);
      timer = window.setTimeout(() => count(0, 0), PAUSE_MS);
    };
    schedule();
    session.textListeners.add(schedule);
    return () => {
      clearTimeout(timer);
      session.textListeners.delete(schedule);
    };
  }, [session]);
  return <span className="editor__figures tabular">{words !== null && figuresOf(words)}</span>;
}
