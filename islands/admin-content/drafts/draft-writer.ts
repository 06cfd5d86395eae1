/** Interval between writes, in ms: including the write itself, a draft is less than a second old. */
const intervalMs = 700;

/**
 * Calls `write` at most once per interval, and within one interval after a change (a debounce would wait for a pause in typing).
 * Writes at once when the page is hidden or left.
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
    /** Call after each change. */
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
