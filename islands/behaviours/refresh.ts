/** `data-behaviour="refresh"`: reloads the page once after `data-seconds`, or as soon as somebody looks at it again. */
export function startRefresh(): void {
  const seconds = document.querySelector<HTMLElement>('[data-behaviour="refresh"]')?.dataset.seconds;
  if (seconds) setTimeout(reload, Number(seconds) * 1000);
}

function reload(): void {
  if (document.hidden) document.addEventListener('visibilitychange', reload, { once: true });
  else location.reload();
}
