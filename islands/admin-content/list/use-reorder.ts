import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { pageSize } from './screen-state.ts';

/** Drop target: before the entry `index` of the current page (after the last entry if equal to its length), or another page. */
type Drop = { index: number } | { page: number };

interface Drag {
  id: number;
  /** Index of the dragged entry on its page. */
  from: number;
  startY: number;
}

interface ReorderOptions {
  list: RefObject<HTMLUListElement | null>;
  /** The current page, from 1. */
  page: number;
  onMove: (id: number, to: number) => void;
}

/** Movement in pixels from which a press counts as dragging. */
const threshold = 5;
/** Distance in pixels from the window's edge within which it scrolls. */
const edge = 56;

/** Drags items by mouse or touch: within the list a line shows the target; a page's button moves the item to that page. */
export function useReorder({ list, page, onMove }: ReorderOptions) {
  const drag = useRef<Drag | null>(null);
  const dragged = useRef(false);
  const [dragging, setDragging] = useState<number | null>(null);
  const [drop, setDrop] = useState<Drop | null>(null);

  function stop(): void {
    drag.current = null;
    setDragging(null);
    setDrop(null);
  }

  useEffect(() => {
    if (dragging === null) return;
    const cancel = (event: KeyboardEvent) => {
      if (event.key === 'Escape') stop();
    };
    addEventListener('keydown', cancel);
    return () => removeEventListener('keydown', cancel);
  });

  function follow(event: PointerEvent): void {
    const { current } = drag;
    if (!current || (dragging === null && Math.abs(event.clientY - current.startY) < threshold)) return;
    dragged.current = true;
    setDragging(current.id);
    if (event.clientY < edge) scrollBy(0, -12);
    if (event.clientY > innerHeight - edge) scrollBy(0, 12);
    setDrop(dropAt(event, list.current));
  }

  function finish(): void {
    const { current } = drag;
    const to = current && drop && dragging !== null ? placeOf(drop, current.from, page) : null;
    stop();
    if (current && to !== null) onMove(current.id, to);
  }

  return {
    dragging,
    /** Returns whether the last press dragged an item, so that its click must be ignored. */
    wasDragged: () => dragged.current,
    /** Returns the side of an entry on which the line is shown. */
    dropMark: (index: number, count: number): 'before' | 'after' | undefined => {
      if (!drop || !('index' in drop)) return undefined;
      if (drop.index === index) return 'before';
      return drop.index === count && index === count - 1 ? 'after' : undefined;
    },
    handle: (id: number, from: number) => ({
      onPointerDown: (event: PointerEvent) => {
        dragged.current = false;
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { id, from, startY: event.clientY };
      },
      onPointerMove: follow,
      onPointerUp: finish,
      onPointerCancel: stop,
    }),
  };
}

function dropAt({ clientX, clientY }: PointerEvent, list: HTMLUListElement | null): Drop | null {
  const page = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-page]')?.dataset.page;
  if (page) return { page: Number(page) };
  const entries = [...(list?.children ?? [])].map((entry) => entry.getBoundingClientRect());
  const index = entries.findIndex(({ top, height }) => clientY < top + height / 2);
  return { index: index < 0 ? entries.length : index };
}

/**
 * Returns the new position of a dropped item, from 1, or null if the item does not move. An item dropped on a later page becomes the
 * first item of that page; on an earlier page, the last item.
 * @param from index on the current page
 */
export function placeOf(drop: Drop, from: number, page: number): number | null {
  if ('page' in drop) {
    if (drop.page === page) return null;
    return drop.page > page ? (drop.page - 1) * pageSize + 1 : drop.page * pageSize;
  }
  if (drop.index === from || drop.index === from + 1) return null;
  return (page - 1) * pageSize + (drop.index > from ? drop.index : drop.index + 1);
}
