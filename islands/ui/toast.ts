export type ToastKind = 'success' | 'error' | 'info' | 'warning';

/** Shows a toast, top right, for 5,000 ms (specification §9); it stays while it is pointed at or focused. */
export function toast(kind: ToastKind, message: string): void {
  const stack = document.getElementById('toasts');
  if (!stack) return;
  const element = document.createElement('div');
  element.className = `toast toast-${kind}`;
  element.setAttribute('role', kind === 'error' || kind === 'warning' ? 'alert' : 'status');
  const text = document.createElement('p');
  text.textContent = message;
  const close = document.createElement('button');
  close.type = 'button';
  close.className = 'toast-close';
  close.setAttribute('aria-label', 'Fermer le message');
  close.textContent = '×';
  element.append(text, close);
  stack.append(element);
  expire(element);
}

/** Removes a toast after 5,000 ms or when its button is pressed. */
export function expire(element: HTMLElement): void {
  let timer = 0;
  const start = () => {
    timer = window.setTimeout(() => element.remove(), 5000);
  };
  const hold = () => window.clearTimeout(timer);
  element.querySelector('button')?.addEventListener('click', () => element.remove());
  element.addEventListener('pointerenter', hold);
  element.addEventListener('pointerleave', start);
  element.addEventListener('focusin', hold);
  element.addEventListener('focusout', start);
  start();
}
