import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import type { ItemRef } from './outline.ts';
import { reportFinished } from './use-marks.ts';

/** How long the end of a text must be visible to count as reached, in ms. */
const dwellMs = 3_000;

/**
 * Tracks items finished, or marked as not finished, since the page was loaded. An item is finished by the reader, or when `end` (an element
 * below the text) stays visible for a while in a visible tab. An item marked as not finished is not finished again when its end is visible.
 * @param item null if the current item is not finished by reading
 */
export function useFinish(item: ItemRef | null, end: RefObject<HTMLElement | null>) {
  const [finished, setFinished] = useState<ReadonlyMap<number, boolean>>(new Map());
  const say = async (isFinished: boolean): Promise<void> => {
    if (!item || finished.get(item.id) === isFinished) return;
    const before = finished.get(item.id);
    const put = (value: boolean | undefined) =>
      setFinished((known) => {
        const next = new Map(known);
        if (value === undefined) next.delete(item.id);
        else next.set(item.id, value);
        return next;
      });
    put(isFinished);
    // If the mark was not stored, undo it so that the reader can try again.
    if (!(await reportFinished(item, isFinished))) put(before);
  };
  const reached = useEffectEvent(() => {
    if (item && !finished.has(item.id)) say(true);
  });
  const id = item?.id;

  useEffect(() => {
    const element = end.current;
    if (id === undefined || !element) return;
    let timer = 0;
    let inView = false;
    const wait = (): void => {
      clearTimeout(timer);
      if (inView && document.visibilityState === 'visible') timer = window.setTimeout(reached, dwellMs);
    };
    const observer = new IntersectionObserver(
      (entries) => {
        inView = entries.at(-1)?.isIntersecting ?? false;
        wait();
      },
      // The bar at the bottom of a phone's screen covers the text.
      { rootMargin: '0px 0px -70px' },
    );
    observer.observe(element);
    document.addEventListener('visibilitychange', wait);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener('visibilitychange', wait);
    };
  }, [id, end]);

  return { finished, say };
}
