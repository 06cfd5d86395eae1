import { parseHTML } from 'linkedom';
import { imageAddress, linkAddress } from '../../../../shared/rich-text/addresses.ts';
import { RichTextError } from '../../../../shared/rich-text/document.ts';
import { normaliseForeign } from '../../../../shared/rich-text/foreign/normalise.ts';
import { SILENT } from '../../../../shared/rich-text/foreign/support/element-kinds.ts';
import { asDataCell } from '../header-cells.ts';
import { closeMarkup } from '../html/unclosed-markup.ts';
import { Macros } from '../macros/macros.ts';
import { tooComplex } from '../refusal.ts';
import type { Definitions } from './definitions.ts';
import { asFigure } from './figure.ts';
import { liftDisplayedFormulas, renderTextFormulas } from './formulas-in-text.ts';
import { newlinesIn, revealAttributes, revealed } from './hidden-text.ts';
import { COMMENT_ELEMENT, LINE_ATTRIBUTE, type Report } from './source-lines.ts';
import { markdownToHtml, NOTES } from './to-html.ts';

/** Deepest nesting of elements before the schema is applied. */
const maxNesting = 100;
/** Prefix of the address of a picture that is embedded in the text itself. */
export const EMBEDDED = 'embedded-image:';

const LINE_IN_TEXT = new RegExp(`(&lt;[a-z]+) ${LINE_ATTRIBUTE}="[\\d:]*"`, 'gi');

export interface ImportedBody {
  readonly root: Element;
  /** Remarks on parts that the schema could not hold, without line numbers. */
  readonly remarks: readonly string[];
  /** Whether the body ends with notes. */
  readonly hasNotes: boolean;
}

/**
 * Converts a Markdown text into a tree of elements that the schema knows. Content that the seed would refuse is kept as far as
 * possible, and reported.
 * @param macros the commands that the file defines
 * @param keepImage returns the address and size of the embedded picture with this number; null when it was refused
 * @throws AppError 400 when elements are nested too deeply
 */
export async function readImportedBody(
  source: string,
  firstLine: number,
  onReport: Report,
  keepImage: (index: number) => Promise<{ src: string; width: number; height: number } | null>,
  definitions: Definitions,
  macros = new Macros(),
): Promise<ImportedBody> {
  const report: Report = (line, message) => onReport(line, revealed(message));
  let root: Element;
  let html = '';
  try {
    html = closed(markdownToHtml(source, firstLine, report, { definitions, keepsAll: true }), firstLine, report);
    root = parseHTML(`<!doctype html><html><body>${html}</body></html>`).document.body;
    root.normalize();
    const walk = new Walk(firstLine, report, macros);
    walk.children(root, 0);
    walk.absent.forEach(leaveOut);
  } catch (error) {
    throw error instanceof RangeError || error instanceof RichTextError ? tooComplex() : error;
  }
  liftDisplayedFormulas(root);
  for (const image of [...root.querySelectorAll(`img[src^="${EMBEDDED}"]`)]) {
    const stored = await keepImage(Number(image.getAttribute('src')?.slice(EMBEDDED.length)));
    if (!stored) image.remove();
    else for (const [name, value] of Object.entries(stored)) image.setAttribute(name, String(value));
  }
  const { notes } = normaliseForeign(root);
  for (const header of [...root.querySelectorAll('th')]) if (isNameless(header)) asDataCell(header);
  return { root, remarks: notes, hasNotes: html.includes(NOTES) };
}

/** Returns HTML without unclosed markup. Removes line attributes from tags that became text, and reports removed elements. */
function closed(html: string, firstLine: number, report: Report): string {
  const safe = closeMarkup(html).replaceAll(LINE_IN_TEXT, '$1');
  for (const name of ['object', 'applet', 'dialog', 'select', 'svg', 'canvas', 'video', 'audio', 'map', 'button']) {
    const count = (text: string): number => text.split(`<${name} `).length;
    if (count(safe) < count(html)) report(firstLine, `Élément jamais fermé, laissé de côté : <${name}>`);
  }
  return safe;
}

const isNameless = (header: Element): boolean => header.textContent?.trim() === '' && !header.querySelector('img, [data-latex]');

/** Walks the tree once in text order and tracks the line number. */
class Walk {
  /** Images whose file is not part of the import. */
  readonly absent: Element[] = [];
  readonly #report: Report;
  readonly #macros: Macros;
  #line: number;

  constructor(line: number, report: Report, macros: Macros) {
    this.#macros = macros;
    this.#line = line;
    this.#report = report;
  }

  children(parent: Element, depth: number): void {
    if (depth > maxNesting) throw tooComplex();
    for (const node of [...parent.childNodes]) {
      if (node.nodeType === 1) this.#element(node as Element, depth);
      else if (node.nodeType === 3) {
        renderTextFormulas(node as Text, this.#line, this.#report, true, this.#macros);
        this.#line += newlinesIn((node as Text).data);
      }
    }
  }

  #element(found: Element, depth: number): void {
    const element = asFigure(found);
    const [first, last] = (element.getAttribute(LINE_ATTRIBUTE) ?? '').split(':').map(Number);
    element.removeAttribute(LINE_ATTRIBUTE);
    revealAttributes(element);
    const line = first || this.#line;
    this.#line = line;
    this.#line = last || line;
    if (element.localName === COMMENT_ELEMENT || isDropped(element)) {
      this.#leave(element, line);
      return;
    }
    if (element.localName === 'img') this.#image(element, line);
    else if (element.localName === 'a') this.#link(element, line);
    const title = element.localName === 'img' ? null : element.getAttribute('title');
    if (title) this.#report(line, `Une infobulle est laissée de côté : ${title.slice(0, 120)}`);
    this.children(element, depth + 1);
  }

  #leave(element: Element, line: number): void {
    if (element.localName === COMMENT_ELEMENT) {
      const text = element.getAttribute('text') ?? '';
      // An empty comment only ends a list or a quotation.
      if (!/^<!--\s*-->$/.test(text.trim())) this.#report(line, `Commentaire laissé de côté : ${text.slice(0, 60)}`);
    } else {
      const text = element.textContent ?? '';
      this.#report(line, `Élément laissé de côté : <${element.localName}> ${text.replaceAll(/\s+/g, ' ').trim().slice(0, 60)}`.trim());
      this.#line += text.split('\n').length - 1;
    }
    element.remove();
  }

  #link(link: Element, line: number): void {
    const href = link.getAttribute('href');
    if (href === null || linkAddress(href) !== null) return;
    const text = (link.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
    const [address, kept] = [href.trim() && ` (${href.slice(0, 80)})`, text && `, son texte reste : ${text.slice(0, 80)}`];
    this.#report(line, `Lien retiré${address}${kept}`);
    link.removeAttribute('href');
  }

  #image(image: Element, line: number): void {
    const src = image.getAttribute('src') ?? '';
    const title = image.getAttribute('title');
    if (title !== null) {
      this.#report(line, `La légende d'une image au milieu d'un texte est laissée de côté : ${title.slice(0, 80)}`);
      image.removeAttribute('title');
    }
    if (src.startsWith(EMBEDDED) || (/^https?:/i.test(src) && imageAddress(src) !== null)) return;
    const alt = image.getAttribute('alt') ?? '';
    this.#report(line, `Image à ajouter, elle n'est pas dans le fichier : ${src.slice(0, 80)}${alt && ` (${alt.slice(0, 80)})`}`);
    this.absent.push(image);
  }
}

/** Returns whether an element is dropped with its content, and would itself have shown something. */
const isDropped = ({ localName }: Element): boolean => SILENT.has(localName) && !/^(?:wbr|rp|area|param|source|track)$/.test(localName);

/** Removes an image but keeps its caption, which may be a sentence of the text. */
function leaveOut(image: Element): void {
  const figure = image.closest('figure');
  const caption = figure?.querySelector('figcaption');
  if (!figure) image.remove();
  else if (caption?.textContent?.trim()) {
    const paragraph = image.ownerDocument.createElement('p');
    paragraph.append(...caption.childNodes);
    figure.replaceWith(paragraph);
  } else figure.remove();
}
