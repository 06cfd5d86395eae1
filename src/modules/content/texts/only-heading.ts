import type { Remarks } from './remarks.ts';
import { allowedTitle } from './title.ts';

/** '1. Introduction' is a part of a text. */
const NUMBERED = /^(?:\d+|[IVX]+)\s*[.)–-]/;

/** Takes the heading at the start out of a text and returns it, if it is the only one of the first level and has no number. Null otherwise. */
export function takeOnlyHeading(root: Element, remarks: Remarks): string | null {
  const first = root.firstElementChild;
  if (first?.localName !== 'h1' || root.querySelectorAll('h1').length > 1 || first.querySelector('img, [data-latex]')) return null;
  const title = (first.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
  if (NUMBERED.test(title) || allowedTitle(title) === null) return null;
  first.remove();
  remarks.say(`Le premier titre, « ${title.slice(0, 120)} », est devenu le titre.`);
  return title;
}
