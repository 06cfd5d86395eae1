import { raiseToasts } from './raise-toasts.ts';

export type ToastKind = 'success' | 'error' | 'info' | 'warning';

/** An action in a toast. Running it closes the toast. */
interface ToastAction {
  text: string;
  run: () => void;
}

/** Shows a toast, top right, for 5,000 ms (specification §9). It stays while hovered or focused. */
export function toast(kind: ToastKind, message: string, action?: ToastAction): void {
  const stack = document.getElementById('toasts');
  if (!stack) return;
  const element = document.createElement('div');
  element.className = `toast toast--${kind}`;
  element.setAttribute('role', kind === 'error' || kind === 'warning' ? 'alert' : 'status');
  element.innerHTML = `${icon(kind)}<p class="toast__text"></p><button class="icon-button" type="button" data-dismiss aria-label="Fermer le message">${icon('close')}</button>`;
  element.children[1]?.append(message);
  if (action) {
    const button = document.createElement('button');
    button.className = 'button button--quiet';
    button.type = 'button';
    button.dataset.dismiss = '';
    button.append(action.text);
    button.addEventListener('click', action.run);
    element.children[1]?.after(button);
  }
  stack.append(element);
  raiseToasts();
}

const icon = (name: string) => `<svg class="icon" aria-hidden="true"><use href="#i-${name}"/></svg>`;
