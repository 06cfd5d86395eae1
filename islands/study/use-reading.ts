import { type MouseEvent, useEffect, useEffectEvent, useReducer, useRef, useState } from 'react';
import { fetchReading } from './fetch-reading.ts';
import { drawWithMathFont, fetchMathFont } from './math-font.ts';
import { addressedItem, documentTitle, type ItemRef, itemHref, placeOf, type StudyProps, sameItem } from './outline.ts';
import { type Reading, ReadingMemory, reduceReading, startReading } from './reading.ts';
import { sayKept } from './say-mark.ts';
import { reportOpened } from './use-marks.ts';

const maxRemembered = 20;

/** Loads the formulas' font, and the script that copies formulas as text. */
function prepareFormulas(): void {
  fetchMathFont();
  import('../formulas/copy-formulas.ts').then(({ start }) => start(), ignore);
}

const ignore = () => {};

export type StudyReading = ReturnType<typeof useReading>;

/** Manages the current item without page loads: links, the browser's back and forward, and failures. */
export function useReading({ trial, base, trail, sections, current }: StudyProps) {
  const [first] = useState<Reading | null>(() => {
    const place = placeOf(sections, current);
    if (!current || !place) return null;
    const { type, id, minutes, documents = [] } = current;
    return { type, id, titre: place.titre, minutes, texts: null, documents };
  });
  const [state, dispatch] = useReducer(reduceReading, first, startReading);
  const [memory] = useState(() => new ReadingMemory(maxRemembered));
  const running = useRef<AbortController>(null);
  const leaving = useRef(false);
  const addressed = useRef<ItemRef>(null);

  function stop(): void {
    running.current?.abort();
    running.current = null;
  }

  function show(reading: Reading, scroll: boolean): void {
    memory.keep(reading);
    if (!sameItem(addressedItem(sections, location.search), reading)) history.pushState(null, '', itemHref(base, reading));
    addressed.current = reading;
    drawWithMathFont();
    if (reading.texts && /<math/.test(reading.texts.contenu + reading.texts.corrige)) prepareFormulas();
    document.title = documentTitle(document.title, reading.titre, trail);
    dispatch({ type: 'show', reading, scroll });
  }

  async function open(item: ItemRef, scroll = true): Promise<void> {
    // The browser is leaving the page: ignore further taps.
    if (leaving.current) return;
    // A second tap on a loading item must not load it again.
    if (running.current && sameItem(state.asked, item)) return;
    stop();
    const known = memory.get(item);
    if (known) {
      // A cached item causes no request, so report it as opened.
      if (!sameItem(state.shown, known)) reportOpened(known);
      return show(known, scroll);
    }

    const controller = new AbortController();
    running.current = controller;
    dispatch({ type: 'ask', item });
    const answer = await fetchReading(item, controller);
    if (running.current !== controller) return;
    running.current = null;
    if (answer === 'failed') return dispatch({ type: 'fail' });
    if (typeof answer === 'object') return show(answer, true);
    // The page may be restored from the back/forward cache: it must not show that it is loading.
    dispatch({ type: 'leave' });
    leaving.current = true;
    const href = itemHref(base, item);
    location.assign(answer === 'signIn' ? `/login?suite=${encodeURIComponent(href)}` : href);
  }

  const traverse = useEffectEvent(() => {
    const item = addressedItem(sections, location.search);
    if (!item) return location.reload();
    // Following a link to a fragment also fires popstate.
    if (sameItem(item, addressed.current)) return;
    addressed.current = item;
    open(item, false);
  });

  useEffect(() => {
    if (trial) return;
    if (first) memory.keep(first);
    sayKept();
    if (document.querySelector('.prose math')) prepareFormulas();
    addressed.current = addressedItem(sections, location.search);
    const back = ({ persisted }: PageTransitionEvent) => {
      leaving.current = false;
      // Restored from the back/forward cache, without a request: report the item as opened.
      if (persisted && addressed.current) reportOpened(addressed.current);
    };
    addEventListener('popstate', traverse);
    addEventListener('pageshow', back);
    return () => {
      removeEventListener('popstate', traverse);
      removeEventListener('pageshow', back);
    };
  }, [trial, first, memory, sections]);

  /** Shows an item in place, unless the click opens a new tab or window. */
  const follow = (event: MouseEvent, item: ItemRef): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    open(item);
  };

  return {
    state,
    ...(trial ? {} : { follow }),
    retry: () => state.asked && open(state.asked),
    /** Cancels the request and returns to the current text. */
    dismiss: () => {
      stop();
      if (state.shown) show(state.shown, false);
      else dispatch({ type: 'leave' });
    },
  };
}
