/** How long typing may be ahead of the draft, in ms: with the time of writing itself it stays under a second. */
const intervalMs = 700;

/**
 * Calls `write` at most once an interval, and never later than an interval after a change: a debounce would wait for the end of the typing. The
 * page's being hidden or left does not wait.
 */
export function startDraftWriter(write: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    write();
  };
  const hidden = (): void => {
    if (document.visibilityState === 'hidden') flush();
  };
  document.addEventListener('visibilitychange', hidden);
  addEventListener('pagehide', flush);
  return {
    /** Something was typed: it is written soon, however long the typing goes on. */
    changed: () => {
      timer ??= setTimeout(flush, intervalMs);
    },
    stop: () => {
      flush();
      document.removeEventListener('visibilitychange', hidden);
      removeEventListener('pagehide', flush);
    },
  };
}
