/**
 * `data-behaviour="countdown"`: counts `data-seconds` down, one a second, then goes to `data-href`;
 * a button `data-countdown-stop` inside stops it. Without script nothing moves and the links remain.
 */
export function startCountdowns(): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-behaviour="countdown"]')) run(element);
}

function run(element: HTMLElement): void {
  const number = element.querySelector('[data-countdown-number]');
  let left = Number(element.dataset.seconds);
  element.hidden = false;
  const timer = window.setInterval(() => {
    left -= 1;
    if (number) number.textContent = String(left);
    if (left > 0) return;
    window.clearInterval(timer);
    location.assign(element.dataset.href ?? '/');
  }, 1000);
  element.querySelector('[data-countdown-stop]')?.addEventListener('click', () => {
    window.clearInterval(timer);
    element.hidden = true;
  });
}
