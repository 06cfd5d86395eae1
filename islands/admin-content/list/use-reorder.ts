import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { pageSize } from './screen-state.ts';

/** Where a dragged item would go: before the entry `index` of the page that is shown (after the last one at its end), or to another page. */
type Drop = { index: number } | { page: number };

interface Drag {
  id: number;
  /** Of the dragged entry, on its page. */
  from: number;
  startY: number;
}

interface ReorderOptions {
  list: RefObject<HTMLUListElement | null>;
  /** The list's page that is shown, from 1. */
  page: number;
  onMove: (id: number, to: number) => void;
}

/** Pixels that a pointer may tremble before it drags. */
const threshold = 5;
/** Pixels from the window's edge where it scrolls. */
const edge = 56;

/** Dragging by pointer, touch included: over the list a line shows where the item would go; a page's button takes it to that page. */
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
    /** Whether the press that has just ended dragged something, and is no click. */
    wasDragged: () => dragged.current,
    /** On which side of an entry the line stands. */
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
 * The place that a dropped item has then, from 1; null when it stays. Another page takes it in at the side from which it comes: as its first
 * from before, as its last from behind.
 * @param from index on the shown page
 */
export function placeOf(drop: Drop, from: number, page: number): number | null {
  if ('page' in drop) {
    if (drop.page === page) return null;
    return drop.page > page ? (drop.page - 1) * pageSize + 1 : drop.page * pageSize;
  }
  if (drop.index === from || drop.index === from + 1) return null;
  return (page - 1) * pageSize + (drop.index > from ? drop.index : drop.index + 1);
}
