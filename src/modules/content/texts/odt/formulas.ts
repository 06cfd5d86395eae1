import { mathMlToLatex } from '../../../../shared/rich-text/foreign/formulas/mathml-to-latex.ts';
import { attribute, elementsOf } from '../docx/xml.ts';

/** An embedded formula. */
export interface ReadFormula {
  /** Null for a formula that is too long or too deep. */
  readonly latex: string | null;
  /** Its source in LibreOffice's own language, or its plain characters. */
  readonly source: string;
}

/** Returns the formula of a `math` element; null when it shows nothing. @param document creates elements as the converter expects them */
export function formulaOf(math: Element, document: Document): ReadFormula | null {
  const copy = copied(math, document);
  const annotations = [...copy.querySelectorAll('annotation')];
  const typed = annotations.find((one) => /tex/i.test(one.getAttribute('encoding') ?? ''))?.textContent?.trim();
  const [annotation] = annotations;
  for (const one of annotations) one.remove();
  const characters = (copy.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
  const source = annotation?.textContent?.trim() || characters;
  // A comma between digits is that of a decimal number, as in Word's equations.
  const latex = typed || (mathMlToLatex(copy)?.replaceAll(/(?<=\d),(?=\d)/g, '{,}') ?? null);
  return latex === null && source === '' ? null : { latex, source };
}

const TEXMATHS = /^\d+(?:\.\d+)?§(?:display|latex|text|inline)§([^§]+)§/;

/** Returns the LaTeX of a picture that the extension TexMaths has drawn; null for other pictures. @param description its description */
export const texMathsOf = (description: string): string | null => TEXMATHS.exec(description.trim())?.[1]?.trim() ?? null;

/** Copies a tree into another document, with local names. Parts with stretched fences become `mfenced`. */
function copied(element: Element, document: Document): Element {
  const inside = elementsOf(element);
  const [first] = inside;
  const last = inside.at(-1);
  const opens = first && isFence(first, 'prefix');
  const isFenced = opens && inside.length > 1;
  const closes = isFenced && last && isFence(last, 'postfix');
  const copy = document.createElement(isFenced ? 'mfenced' : element.localName.toLowerCase());
  if (isFenced) {
    copy.setAttribute('open', first.textContent?.trim() ?? '');
    copy.setAttribute('close', closes ? (last.textContent?.trim() ?? '') : '');
    copy.setAttribute('separators', '');
  } else
    for (const { name, value } of Array.from(element.attributes))
      if (/^[a-z]+$/.test(name) && name !== 'xmlns') copy.setAttribute(name, value);
  const content = isFenced ? inside.slice(1, closes ? -1 : undefined) : inside;
  for (const child of content) copy.append(copied(child, document));
  if (inside.length === 0) copy.append(element.textContent ?? '');
  return copy;
}

const isFence = (element: Element, form: 'prefix' | 'postfix'): boolean =>
  element.localName === 'mo' && attribute(element, 'form') === form && attribute(element, 'stretchy') === 'true';
