import { useEffect, useState } from 'react';
import { pauseBeforeRetry } from '../runtime/busy.ts';
import type { IconName } from '../ui/Icon.tsx';
import type { ItemRef } from './outline.ts';
import { sayMark } from './say-mark.ts';

/** An additional mark of items: its name in the server's response, and its label and icon in the contents. */
export interface ItemMark {
  field: string;
  label: string;
  icon: IconName;
}

/** The reader's marks on the items of this discipline, by id. */
export interface Marks {
  opened: ReadonlySet<number>;
  finished: ReadonlySet<number>;
  others: readonly (Pick<ItemMark, 'label' | 'icon'> & { ids: ReadonlySet<number> })[];
  /** The item opened last. */
  last: ItemRef | null;
  /** The item with which the page opened. */
  openedWith: ItemRef | null;
}

interface MarksWanted {
  base: string;
  shown: ItemRef | null;
  /** Items finished or reopened since the page was loaded; overrides the server's response. */
  finished: ReadonlyMap<number, boolean>;
  others: readonly ItemMark[];
  enabled: boolean;
}

/**
 * Loads the marks of a discipline. They are personal and the page is the same for all, so they have their own request. Null while loading
 * and if loading fails: the contents are then shown without marks.
 */
export function useMarks({ base, shown, finished, others, enabled }: MarksWanted): Marks | null {
  const [marks, setMarks] = useState<Marks | null>(null);
  const [first] = useState(shown);
  const id = shown?.id;
  const isMissing = enabled && !marks;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each item has its own end
  useEffect(() => {
    if (!isMissing) return;
    const controller = new AbortController();
    // On a phone the contents are rarely opened: load the marks when they, or the end of a text, become visible.
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      fetchMarks(base.slice(base.lastIndexOf('/') + 1), others, controller.signal).then(
        (found) => setMarks({ ...found, openedWith: first }),
        () => {},
      );
    });
    for (const element of document.querySelectorAll('.study__nav, .study__finish')) observer.observe(element);
    return () => {
      observer.disconnect();
      controller.abort();
    };
  }, [base, first, others, isMissing, id]);
  // Shown items count as opened, even before the server knows it.
  const [opened, setOpened] = useState<readonly number[]>([]);
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

/** Reports that an item is shown instead of the page's first item. The caller does not wait; a failed report loses only the mark. */
export function reportOpened({ id }: ItemRef): void {
  sayMark(`/api/items/${id}/lu`);
}

/** Reports that an item is finished or reopened. @returns whether the mark was stored, or will be sent again later */
export const reportFinished = ({ id }: ItemRef, isFinished: boolean): Promise<boolean> =>
  sayMark(`/api/items/${id}/${isFinished ? 'termine' : 'rouvert'}`);
