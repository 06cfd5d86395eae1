import { useEffect, useState } from 'react';
import { pauseBeforeRetry } from '../runtime/busy.ts';
import type { IconName } from '../ui/Icon.tsx';
import type { ItemRef } from './outline.ts';
import { sayMark } from './say-mark.ts';

/** A mark that items may carry besides having been opened and finished: its name in the server's answer, and how the contents show it. */
export interface ItemMark {
  field: string;
  label: string;
  icon: IconName;
}

/** What the reader has made of this discipline's items, by id. */
export interface Marks {
  opened: ReadonlySet<number>;
  finished: ReadonlySet<number>;
  others: readonly (Pick<ItemMark, 'label' | 'icon'> & { ids: ReadonlySet<number> })[];
  /** Opened last. */
  last: ItemRef | null;
  /** What the page came with. */
  openedWith: ItemRef | null;
}

interface MarksWanted {
  base: string;
  shown: ItemRef | null;
  /** Finished since the page came, or not any more, whatever the server has heard of it. */
  finished: ReadonlyMap<number, boolean>;
  others: readonly ItemMark[];
  enabled: boolean;
}

/**
 * Marks of a discipline: they belong to one person, and the page around them is everybody's, so they come by a call of their own. Null until
 * they are there, and for good without network: the contents do without them.
 */
export function useMarks({ base, shown, finished, others, enabled }: MarksWanted): Marks | null {
  const [marks, setMarks] = useState<Marks | null>(null);
  const [first] = useState(shown);
  useEffect(() => {
    const contents = document.querySelector('.study__nav');
    if (!enabled || !contents) return;
    const controller = new AbortController();
    // On a phone the contents are seldom opened: until then their marks cost nothing.
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      fetchMarks(base.slice(base.lastIndexOf('/') + 1), others, controller.signal).then(
        (found) => setMarks({ ...found, openedWith: first }),
        () => {},
      );
    });
    observer.observe(contents);
    return () => {
      observer.disconnect();
      controller.abort();
    };
  }, [base, first, others, enabled]);
  // What is shown is opened, whatever the server has heard of it.
  const [opened, setOpened] = useState<readonly number[]>([]);
  const id = shown?.id;
  useEffect(() => {
    if (id !== undefined) setOpened((ids) => (ids.includes(id) ? ids : [...ids, id]));
  }, [id]);
  return marks && { ...marks, opened: new Set([...marks.opened, ...opened]), finished: withSaid(marks.finished, finished) };
}

function withSaid(ids: ReadonlySet<number>, said: ReadonlyMap<number, boolean>): Set<number> {
  const result = new Set(ids);
  for (const [id, isFinished] of said) isFinished ? result.add(id) : result.delete(id);
  return result;
}

async function fetchMarks(disciplineId: string, others: readonly ItemMark[], signal: AbortSignal): Promise<Omit<Marks, 'openedWith'>> {
  const response = await fetch(`/api/disciplines/${disciplineId}/lus`, { headers: { accept: 'application/json' }, signal });
  const pause = pauseBeforeRetry(response);
  if (pause !== null) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    return fetchMarks(disciplineId, others, signal);
  }
  const answer = await response.json();
  return {
    opened: new Set<number>(answer.ouverts),
    finished: new Set<number>(answer.termines),
    others: others.map(({ field, label, icon }) => ({ label, icon, ids: new Set<number>(answer[field]) })),
    last: answer.dernier,
  };
}

/** Says that an item is shown in place of the one that the page came with; nothing waits for it, and without network nothing is lost but the mark. */
export function reportOpened({ id }: ItemRef): void {
  sayMark(`/api/items/${id}/lu`);
}

/** Says that an item is finished, or not any more. @returns whether that was kept */
export const reportFinished = ({ id }: ItemRef, isFinished: boolean): Promise<boolean> =>
  sayMark(`/api/items/${id}/${isFinished ? 'termine' : 'rouvert'}`);
