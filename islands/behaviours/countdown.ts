/**
 * `data-behaviour="countdown"`: shows itself, counts `data-seconds` down, one every 1,000 ms, then goes to `data-href`;
 * a button `data-countdown-stop` inside stops it and hides it. Without script nothing moves and the page's links remain.
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
    // The message that announced the redirection is no longer true.
    document.querySelector('#toasts .toast--info')?.remove();
  });
}
