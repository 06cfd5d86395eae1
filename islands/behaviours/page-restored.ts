/** Runs `renew` when the browser's Back or Forward shows this page as it was: kept alive, or from its cache without asking the server. */
export function onPageRestored(renew: () => void): void {
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) renew();
  });
  // The page may have been shown before this script came.
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (visit?.type === 'back_forward' && visit.transferSize === 0) renew();
}

/** `data-behaviour="fresh"`: what the page shows changes elsewhere, so when it is restored it is loaded anew. Once: that visit counts as a reload. */
export function start(): void {
  onPageRestored(() => location.reload());
}
