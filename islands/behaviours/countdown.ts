/**
 * `data-behaviour="countdown"`: shows itself, counts `data-seconds` down every 1,000 ms, then opens `data-href`. A button
 * `data-countdown-stop` inside the element stops and hides the countdown. Without script the element stays hidden, and the page has links.
 */
export function start(element: HTMLElement): void {
  const number = element.querySelector('[data-countdown-number]');
  let left = Number(element.dataset.seconds);
  element.hidden = false;
  const timer = setInterval(() => {
    left -= 1;
    if (number) number.textContent = String(left);
    if (left > 0) return;
    clearInterval(timer);
    location.assign(element.dataset.href ?? '/');
  }, 1000);
  element.querySelector('[data-countdown-stop]')?.addEventListener('click', () => {
    clearInterval(timer);
    element.hidden = true;
    // Removes the toast that announced the redirection.
    document.querySelector('#toasts .toast--info')?.remove();
  });
}
