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
