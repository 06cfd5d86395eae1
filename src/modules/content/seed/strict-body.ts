import { parseHTML } from 'linkedom';
import type { Node } from 'prosemirror-model';
import { imageAddress, linkAddress } from '../../../shared/rich-text/addresses.ts';
import { MAX_ALT_LENGTH, MAX_CELL_SPAN, MAX_IMAGE_SIDE } from '../../../shared/rich-text/bounds.ts';
import { checkDocument, RichTextError } from '../../../shared/rich-text/document.ts';
import { isListLabel } from '../../../shared/rich-text/list-labels.ts';
import { isBackgroundColor, isTextColor } from '../../../shared/rich-text/palette.ts';
import { documentFromDom } from '../../../shared/rich-text/parse.ts';
import { wordsOf } from '../texts/header-cells.ts';
import { whatIsLost } from '../texts/markdown/completeness.ts';
import { Definitions } from '../texts/markdown/definitions.ts';
import { asFigure } from '../texts/markdown/figure.ts';
import { liftDisplayedFormulas, renderTextFormulas } from '../texts/markdown/formulas-in-text.ts';
import { newlinesIn, revealAttributes, revealed, withoutOwnSigns } from '../texts/markdown/hidden-text.ts';
import { COMMENT_ELEMENT, LINE_ATTRIBUTE, type Report, withLines } from '../texts/markdown/source-lines.ts';
import { markdownToHtml } from '../texts/markdown/to-html.ts';
import { PLACEHOLDER_FOLDER } from './image-placeholders.ts';

export interface Body {
  /** Local images have placeholder addresses. */
  readonly document: Node;
  /** Names of the local images that the text shows, with the line of their first use. */
  readonly images: ReadonlyMap<string, number>;
  /** Lines of the boxes to tick, which are signs at the start of list items. They are admitted in questions only. */
  readonly boxes: readonly number[];
}

/** Elements that the schema knows, and their attributes. */
export const KNOWN: Readonly<Record<string, readonly string[]>> = {
  p: ['class', 'dir'],
  h2: ['class', 'dir'],
  h3: ['class', 'dir'],
  h4: ['class', 'dir'],
  h5: ['class', 'dir'],
  h6: ['class', 'dir'],
  blockquote: [],
  pre: [],
  code: ['class'],
  hr: [],
  br: [],
  ul: ['dir'],
  ol: ['start', 'type', 'data-label', 'dir'],
  li: [],
  table: [],
  thead: [],
  tbody: [],
  tr: [],
  th: ['colspan', 'rowspan', 'scope', 'class'],
  td: ['colspan', 'rowspan', 'class'],
  figure: [],
  figcaption: [],
  img: ['src', 'alt', 'width', 'height'],
  a: ['href'],
  strong: [],
  b: [],
  em: [],
  i: [],
  u: [],
  s: [],
  del: [],
  strike: [],
  sub: [],
  sup: [],
  span: ['class'],
};

/** Allowed values of `class`, by element: alignment and indent of blocks, width of cells, language of code, colour of text. */
const CLASSES: readonly [RegExp, RegExp][] = [
  [/^code$/, /^language-[a-z0-9+#-]{1,20}$/],
  [/^(?:p|h[2-6])$/, /^(?:align-(?:left|center|right|justify)|indent-[1-8]|align-(?:left|center|right|justify) indent-[1-8])$/],
  [/^t[hd]$/, /^w-(?:[1-9]0|100)$/],
  [/^span$/, /^(?:color|bg)-[a-z]+$/],
];

const MAX_NESTING = 60;
const LOCAL_IMAGE = /^[a-z0-9][a-z0-9-]*\.(?:png|jpe?g|gif|webp)$/;

/**
 * Converts a text of the folder into a document. Returns null when it has a fault; every fault is reported.
 * @param file the file that contains the text: link addresses and notes may be defined anywhere in the file
 */
export function readBody(
  source: string,
  format: 'md' | 'html',
  firstLine: number,
  report: Report,
  file: { source: string; firstLine: number } = { source, firstLine },
): Body | null {
  let faults = 0;
  const counting: Report = (line, message) => {
    faults += 1;
    report(line, revealed(message));
  };
  try {
    const { root, images, boxes } = readTree(source, format, firstLine, counting, file);
    // A tree with faults would cause misleading schema faults, so the schema check is skipped.
    const document = faults > 0 ? null : readDocument(root, firstLine, report);
    return document && { document, images, boxes };
  } catch (error) {
    // Parsers recurse once per nesting level: a text that exhausts the stack is reported like any other fault.
    if (!(error instanceof RangeError && error.message.includes('call stack'))) throw error;
    report(firstLine, "Trop d'éléments imbriqués");
    return null;
  }
}

function readTree(source: string, format: 'md' | 'html', firstLine: number, report: Report, file: { source: string; firstLine: number }) {
  const boxes: number[] = [];
  const html =
    format === 'md'
      ? markdownToHtml(source, firstLine, report, {
          definitions: new Definitions(file.source, file.firstLine),
          reportBox: (line) => boxes.push(line),
        })
      : withLines(withoutOwnSigns(source), firstLine);
  const root: Element = parseHTML(`<!doctype html><html><body>${html}</body></html>`).document.body;
  // The parser starts a new text node at each entity, even within a formula. Merge adjacent text nodes.
  root.normalize();
  const walk = new Walk(firstLine, report);
  walk.children(root, 0);
  liftDisplayedFormulas(root);
  return { root, images: walk.images, boxes };
}

function readDocument(root: Element, firstLine: number, report: Report): Node | null {
  if (root.textContent?.trim() === '' && !root.querySelector('img, [data-latex]')) {
    report(firstLine, 'Le texte est vide');
    return null;
  }
  const doc = documentFromDom(root);
  const lost = whatIsLost(root, doc);
  if (lost) {
    report(firstLine, lost);
    return null;
  }
  try {
    checkDocument(doc);
  } catch (error) {
    if (!(error instanceof RichTextError)) throw error;
    report(firstLine, error.message);
    return null;
  }
  return doc;
}

function isUpTo(most: number, value: string): boolean {
  return /^[1-9]\d{0,8}$/.test(value) && Number(value) <= most;
}

/** Walks the tree once in text order. Tracks the line number, reports unknown elements, and renders formulas. */
class Walk {
  readonly images = new Map<string, number>();
  readonly #report: Report;
  #line: number;
  #heading = 1;

  constructor(line: number, report: Report) {
    this.#line = line;
    this.#report = report;
  }

  children(parent: Element, depth: number): void {
    if (depth > MAX_NESTING) {
      this.#report(this.#line, "Trop d'éléments imbriqués");
      return;
    }
    for (const node of [...parent.childNodes]) {
      if (node.nodeType === 1) this.#element(node as Element, depth);
      else if (node.nodeType === 3) {
        renderTextFormulas(node as Text, this.#line, this.#report);
        this.#line += newlinesIn((node as Text).data);
      } else this.#report(this.#line, 'Instruction qui serait perdue (<!…> ou <?…>)');
    }
  }

  #element(found: Element, depth: number): void {
    const element = asFigure(found);
    const [first, last] = (element.getAttribute(LINE_ATTRIBUTE) ?? '').split(':').map(Number);
    element.removeAttribute(LINE_ATTRIBUTE);
    revealAttributes(element);
    const line = first || this.#line;
    this.#line = line;
    const tag = element.localName;
    const known = KNOWN[tag];
    if (tag === 'h1') this.#report(line, "Un titre de niveau 1 n'est pas admis : le titre de la page en tient lieu, commencez à ## (h2)");
    else if (tag === COMMENT_ELEMENT) this.#report(line, `Commentaire qui serait perdu : ${element.getAttribute('text')?.slice(0, 60)}`);
    else if (!known) this.#report(line, `Élément inconnu : <${tag}>`);
    else this.#attributes(element, known, line);
    if (known) this.#rules(element, line);
    this.#line = last || line;
    // The text inside an unknown element is checked too, unless the element holds no readable text.
    if (!/^(?:script|style|template|svg|math|iframe|object)$/.test(tag)) this.children(element, depth + 1);
    else this.#line += (element.textContent ?? '').split('\n').length - 1;
  }

  #attributes(element: Element, known: readonly string[], line: number): void {
    for (const { name, value } of [...element.attributes]) {
      if (name === 'title' && element.localName === 'img')
        this.#report(line, "Une légende demande que l'image soit seule dans son paragraphe");
      else if (!known.includes(name)) this.#report(line, `Attribut inconnu : ${name} dans <${element.localName}>`);
      else if (/^(?:width|height)$/.test(name) && !isUpTo(MAX_IMAGE_SIDE, value)) this.#badValue(name, value, line);
      else if (/^(?:colspan|rowspan)$/.test(name) && !isUpTo(MAX_CELL_SPAN, value)) this.#badValue(name, value, line);
      else if (name === 'alt' && value.length > MAX_ALT_LENGTH)
        this.#report(line, `Le texte d'une image a ${MAX_ALT_LENGTH} caractères au plus`);
      else if (name === 'start' && !/^\d{1,6}$/.test(value)) this.#badValue(name, value, line);
      else if (/^(?:type|data-label)$/.test(name) && !isLabelValue(name, value)) this.#badValue(name, value, line);
      else if (name === 'class' && !isClassOf(element.localName, value)) this.#badValue(name, value, line);
      else if (name === 'dir' && value !== 'rtl') this.#badValue(name, value, line);
    }
  }

  #badValue(name: string, value: string, line: number): void {
    this.#report(line, `Valeur interdite pour ${name} : ${value.slice(0, 40)}`);
  }

  #rules(element: Element, line: number): void {
    const tag = element.localName;
    if (/^h[2-6]$/.test(tag)) this.#headingRules(element, Number(tag[1]), line);
    else if (tag === 'a') this.#linkRules(element, line);
    else if (tag === 'img') this.#imageRules(element, line);
    else if (tag === 'figure') this.#figureRules(element, line);
    else if (tag === 'code' && element.hasAttribute('class') && element.parentElement?.localName !== 'pre') {
      this.#report(line, "Attribut inconnu : class dans <code> en dehors d'un bloc de code");
    } else if (tag === 'th' && element.querySelector('[data-latex]') && wordsOf(element) === '') {
      this.#report(line, "Un en-tête de tableau ne peut pas tenir en une formule : ajoutez un mot, qu'un lecteur d'écran puisse lire");
    } else if (tag === 'th' && element.textContent?.trim() === '' && !element.querySelector('img')) {
      // An empty header cell labels nothing, but a screen reader would announce it.
      const cell = element.ownerDocument.createElement('td');
      for (const name of ['colspan', 'rowspan', 'class']) {
        const value = element.getAttribute(name);
        if (value) cell.setAttribute(name, value);
      }
      element.replaceWith(cell);
    }
    if (element.parentElement?.closest('pre') && tag !== 'code') this.#report(line, `<${tag}> n'est pas admis dans un bloc de code`);
  }

  #headingRules(element: Element, level: number, line: number): void {
    if (element.textContent?.trim() === '' && !element.querySelector('img')) this.#report(line, 'Titre vide');
    if (level > this.#heading + 1) {
      this.#report(line, `Un titre de niveau ${level} suit un titre de niveau ${this.#heading} : il en manque un entre les deux`);
    }
    this.#heading = level;
  }

  #linkRules(element: Element, line: number): void {
    const href = element.getAttribute('href');
    if (linkAddress(href) === null) this.#report(line, `Lien refusé : ${href ?? ''} (http, https, mailto et tel seulement)`);
  }

  #imageRules(element: Element, line: number): void {
    const src = element.getAttribute('src') ?? '';
    if ((element.getAttribute('alt') ?? '').trim() === '')
      this.#report(line, `Le texte de l'image est vide : ${src} (il dit ce que l'image montre)`);
    if (/^https?:/i.test(src)) {
      if (imageAddress(src) === null) this.#report(line, `Adresse d'image refusée : ${src}`);
    } else if (LOCAL_IMAGE.test(src)) {
      if (!this.images.has(src)) this.images.set(src, line);
      element.setAttribute('src', PLACEHOLDER_FOLDER + src);
    } else {
      this.#report(
        line,
        `Image refusée : ${src.slice(0, 80)} (un fichier png, jpg, gif ou webp à côté du texte, nommé avec a-z, 0-9 et -)`,
      );
    }
  }

  #figureRules(element: Element, line: number): void {
    const tags = [...element.children]
      .map((child) => child.localName)
      .toSorted()
      .join(' ');
    if (tags !== 'img' && tags !== 'figcaption img')
      this.#report(line, 'Une <figure> contient une image, et une légende <figcaption> au plus');
  }
}

const isLabelValue = (name: string, value: string): boolean => (name === 'type' ? /^[1aAiI]$/.test(value) : isListLabel(value));

function isClassOf(tag: string, value: string): boolean {
  const isShaped = CLASSES.some(([tags, values]) => tags.test(tag) && values.test(value));
  const [, kind, color] = /^(color|bg)-(.+)$/.exec(value) ?? [];
  return isShaped && (kind === undefined || (kind === 'color' ? isTextColor(color) : isBackgroundColor(color)));
}
