import { suggestEmail } from '../../src/shared/forms/mail-domain.ts';

/**
 * `data-behaviour="mail-domain"`: proposes, while an address is typed in the field `data-field`, the address with a known domain in
 * `[data-meant]`. Its button changes the field.
 */
export function start(element: HTMLElement): void {
  const field = document.getElementById(element.dataset.field ?? '') as HTMLInputElement | null;
  const meant = element.querySelector('[data-meant]');
  if (!field || !meant) return;
  const propose = () => {
    const email = suggestEmail(field.value, { typing: true });
    meant.textContent = email;
    element.hidden = email === null;
  };
  field.addEventListener('input', propose);
  // The address may have been typed before this script was loaded.
  if (field.value) propose();
  element.querySelector('button')?.addEventListener('click', () => {
    field.value = meant.textContent ?? '';
    element.hidden = true;
    field.focus();
  });
}
