/** Calls `renew` when Back or Forward restores this page from the back/forward cache or from the HTTP cache. */
export function onPageRestored(renew: () => void): void {
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) renew();
  });
  // The page may have been shown before this script was loaded.
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (visit?.type === 'back_forward' && visit.transferSize === 0) renew();
}

/** `data-behaviour="fresh"`: reloads a restored page once, because its data change on other pages. */
export function start(): void {
  onPageRestored(() => location.reload());
}
