import type { RemovalReason } from '../../../src/shared/offline/offline-copy.ts';

/** What the view says of something, with values in their places: all words stand in its templates. */
export function words(root: HTMLElement, name: string, values: Record<string, string> = {}): DocumentFragment {
  const template = root.querySelector<HTMLTemplateElement>(`template[data-says="${name}"]`) as HTMLTemplateElement;
  const said = template.content.cloneNode(true) as DocumentFragment;
  for (const [key, value] of Object.entries(values)) {
    const place = said.querySelector(`[data-fill="${key}"]`);
    if (place) place.textContent = value;
  }
  return said;
}

/** An element of the page that the script changes, by its `data-part`. */
export const partOf = <Part extends HTMLElement>(root: HTMLElement, name: string): Part | null =>
  root.querySelector<Part>(`[data-part="${name}"]`);

/** Why a copy was removed, as the page says it. */
export const whyTaken: Record<RemovalReason, string> = {
  ended: 'votre accès a pris fin',
  'device-removed': 'cet appareil a été retiré de ceux qui la gardent',
  'session-ended': 'cet appareil a été déconnecté de votre compte',
  'other-account': 'elle était gardée pour un autre compte',
  'prepa-gone': "elle n'est plus proposée",
};
