import { raiseToasts } from './raise-toasts.ts';

export type ToastKind = 'success' | 'error' | 'info' | 'warning';

/** Shows a toast, top right, for 5,000 ms (specification §9); it stays while it is pointed at or focused. */
export function toast(kind: ToastKind, message: string): void {
  const stack = document.getElementById('toasts');
  if (!stack) return;
  const element = document.createElement('div');
  element.className = `toast toast--${kind}`;
  element.setAttribute('role', kind === 'error' || kind === 'warning' ? 'alert' : 'status');
  element.innerHTML = `${icon(kind)}<p class="toast__text"></p><button class="icon-button" type="button" data-dismiss aria-label="Fermer le message">${icon('close')}</button>`;
  element.children[1]?.append(message);
  stack.append(element);
  raiseToasts();
}

const icon = (name: string) => `<svg class="icon" aria-hidden="true"><use href="#i-${name}"/></svg>`;
