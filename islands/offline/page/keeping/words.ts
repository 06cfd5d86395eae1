import type { RemovalReason } from '../../../../src/shared/offline/offline-copy.ts';

/** Returns the content of the view's template `name`, with `values` filled into its `data-fill` elements. */
export function words(root: HTMLElement, name: string, values: Record<string, string> = {}): DocumentFragment {
  const template = root.querySelector<HTMLTemplateElement>(`template[data-says="${name}"]`) as HTMLTemplateElement;
  const said = template.content.cloneNode(true) as DocumentFragment;
  for (const [key, value] of Object.entries(values)) {
    const place = said.querySelector(`[data-fill="${key}"]`);
    if (place) place.textContent = value;
  }
  return said;
}

/** Returns the element with this `data-part`. */
export const partOf = <Part extends HTMLElement>(root: HTMLElement, name: string): Part | null =>
  root.querySelector<Part>(`[data-part="${name}"]`);

/** Why a copy was removed, as a French clause. */
export const whyTaken: Record<RemovalReason, string> = {
  ended: 'votre accès a pris fin',
  'device-removed': 'cet appareil a été retiré de ceux qui la gardent',
  'session-ended': 'cet appareil a été déconnecté de votre compte',
  'other-account': 'elle était gardée pour un autre compte',
  'prepa-gone': "elle n'est plus proposée",
};
