/** `data-behaviour="refresh"`: reloads the page once, after `data-seconds` or when the tab becomes visible again. */
export function start({ dataset: { seconds } }: HTMLElement): void {
  if (seconds) setTimeout(reload, Number(seconds) * 1000);
}

function reload(): void {
  if (document.hidden) document.addEventListener('visibilitychange', reload, { once: true });
  else location.reload();
}
