import { expire } from '../ui/toast.ts';

/** Toasts that the server wrote into the page. */
export function startToasts(): void {
  for (const element of document.querySelectorAll<HTMLElement>('.toast')) expire(element);
}
