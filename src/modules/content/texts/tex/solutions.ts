import { type ListLabel, writtenLabel } from '../../../../shared/rich-text/list-labels.ts';
import type { OwnPlaces } from '../imported-text.ts';
import { counted, type Remarks } from '../remarks.ts';
import { SOLUTION } from './theorems.ts';

/**
 * Moves the solutions of a text into its correction, each below the title of its exercise and the number of its question. Where a
 * correction has no place, or nothing else would stay, they stay as quotations.
 */
export function placeSolutions(root: Element, { hasCorrection }: OwnPlaces, remarks: Remarks): Element | null {
  const solutions = [...root.querySelectorAll(`[${SOLUTION}]`)];
  if (solutions.length === 0) return null;
  const outside =
    (root.textContent ?? '').trim().length - solutions.reduce((sum, { textContent }) => sum + (textContent ?? '').trim().length, 0);
  if (!hasCorrection || outside < 1) {
    for (const solution of solutions) stay(solution);
    return null;
  }
  const correction = root.ownerDocument.createElement('div');
  let last = '';
  for (const solution of solutions) {
    if (solution.parentElement?.closest(`[${SOLUTION}]`)) {
      stay(solution);
      continue;
    }
    const title = solution.getAttribute(SOLUTION) ?? '';
    const place = placeIn(solution);
    if (title !== '' && title !== last) correction.append(block(solution, 'h3', title));
    if (place !== '') correction.append(block(solution, 'p', `Question ${place}`, 'strong'));
    last = title;
    correction.append(...solution.childNodes);
    solution.remove();
  }
  remarks.say(`${counted(solutions.length, 'solution')} : le corrigé en est fait, vérifiez-le.`);
  return correction;
}

function stay(solution: Element): void {
  const quote = solution.ownerDocument.createElement('blockquote');
  quote.append(block(solution, 'p', 'Corrigé', 'strong'), ...solution.childNodes);
  solution.replaceWith(quote);
}

function block(near: Element, tag: string, text: string, inner?: string): Element {
  const element = near.ownerDocument.createElement(tag);
  const inside = inner === undefined ? element : near.ownerDocument.createElement(inner);
  inside.append(text);
  if (inside !== element) element.append(inside);
  return element;
}

/** Returns the labels of the questions around a solution, as in '2. b)'. */
function placeIn(solution: Element): string {
  const labels: string[] = [];
  for (let item = solution.closest('li'); item; item = item.parentElement?.closest('li') ?? null) {
    const list = item.parentElement;
    if (list?.localName !== 'ol') continue;
    const type = list.getAttribute('type');
    const label = (list.getAttribute('data-label') ?? (type && `${type}.`)) as ListLabel;
    labels.unshift(writtenLabel(label, Number(list.getAttribute('start') ?? 1) + [...list.children].indexOf(item)));
  }
  return labels.join(' ');
}
