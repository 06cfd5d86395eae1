import { formulaElement } from '../../../../shared/rich-text/formula-element.ts';
import { asDataCell, wordsOf } from '../header-cells.ts';
import { ListBuilder } from './lists.ts';
import type { ParagraphShape } from './reading.ts';

type Shapes = ReadonlyMap<Element, ParagraphShape>;

/** Width of one indentation level, in twentieths of a point. */
const indentLevel = 720;
const maxIndent = 8;
/** Maximum number of paragraphs between two items of the same list. */
const lookAhead = 4;

/** A block of the text, with the shape of its paragraph in Word. */
interface Block {
  readonly elements: Element[];
  readonly shape: ParagraphShape | null;
}

/**
 * Converts the paragraphs, tables and finished lists of a container into blocks of the schema: headings, lists, quotations, code, figures with
 * captions.
 */
export function buildBlocks(container: Element, shapes: Shapes): void {
  for (const inner of [...container.children]) {
    if (inner.localName === 'table') buildTable(inner, shapes);
    else if (/^[uo]l$/.test(inner.localName)) for (const item of [...inner.children]) buildBlocks(item, shapes);
  }
  const blocks = [...container.children].map((element) => readBlock(element, shapes)).filter((block) => block !== null);
  container.replaceChildren();
  const lists = new ListBuilder(container);
  for (const [index, block] of blocks.entries()) {
    const { elements, shape } = block;
    if (shape?.list) {
      lists.item(shape.list, elements);
      continue;
    }
    if (shape && joinsLast(container, block, lists.isOpen)) continue;
    if (isHeading(shape)) lists.close();
    const from = lists.isOpen ? lists.left : 0;
    if (lists.absorb(isHeading(shape) ? null : shape, elements, continuesInside(blocks, index, lists.depth))) {
      for (const element of elements) indent(element, (shape?.left ?? 0) - from);
      continue;
    }
    if (shape && shape.role !== 'quote') for (const element of elements) indent(element, shape.left);
    container.append(...elements);
  }
}

const isHeading = (shape: ParagraphShape | null): boolean => shape?.role === 'heading' || shape?.role === 'title';

function buildTable(table: Element, shapes: Shapes): void {
  for (const cell of [...table.querySelectorAll('td, th')].filter((found) => found.closest('table') === table)) {
    buildBlocks(cell, shapes);
    if (cell.children.length === 0) cell.append(cell.ownerDocument.createElement('p'));
    if (cell.localName === 'th' && wordsOf(cell) === '' && !cell.querySelector('img')) asDataCell(cell);
  }
}

/** Returns the block of an element; null for an empty paragraph, which authors only use as white space. */
function readBlock(element: Element, shapes: Shapes): Block | null {
  if (element.localName !== 'p') return { elements: [element], shape: null };
  const shape = shapes.get(element) ?? null;
  if (isEmpty(element) && element.firstElementChild?.getAttribute('data-role') === 'rule')
    return { elements: [element.ownerDocument.createElement('hr')], shape: null };
  if (isEmpty(element) && !shape?.list) return null;
  const pieces = shape?.role === 'body' ? lifted(element) : [element];
  return { elements: pieces.map((piece) => shaped(piece, shape)), shape };
}

const isEmpty = (element: Element): boolean => element.textContent?.trim() === '' && !element.querySelector('img, [data-latex]');

/** Splits a paragraph at its displayed formulas, since these are blocks. */
function lifted(paragraph: Element): Element[] {
  const pieces: Element[] = [];
  let rest: Element = paragraph;
  // getElementsByTagName, as querySelectorAll for each paragraph would take half the time of a long document.
  for (const formula of [...paragraph.getElementsByTagName('div')]) {
    // A formula inside emphasis stays in its line: lifting it would split the emphasis element.
    if (formula.parentElement !== rest && formula.parentElement !== paragraph) continue;
    const after = paragraph.cloneNode(false) as Element;
    while (formula.nextSibling) after.append(formula.nextSibling);
    formula.remove();
    if (!isEmpty(rest)) pieces.push(rest);
    pieces.push(formula);
    rest = after;
  }
  if (pieces.length === 0 || !isEmpty(rest)) pieces.push(rest);
  return pieces;
}

function shaped(element: Element, shape: ParagraphShape | null): Element {
  if (element.localName !== 'p') return element;
  for (const formula of [...element.getElementsByTagName('div')])
    formula.replaceWith(formulaElement(element.ownerDocument, formula.getAttribute('data-latex') ?? '', false));
  const figure = shape?.role === 'body' ? asFigure(element) : null;
  if (figure) return figure;
  const { role = 'body', level = 0, align = null, isRightToLeft = false } = shape ?? {};
  const tag = role === 'heading' ? `h${level}` : role === 'title' ? 'h1' : role === 'code' && isText(element) ? 'pre' : 'p';
  const block = tag === 'p' ? element : element.ownerDocument.createElement(tag);
  if (tag === 'pre') block.append(preformatted(element));
  else if (block !== element) block.append(...element.childNodes);
  if (role === 'title' || role === 'caption') block.setAttribute('data-role', role);
  if (align && tag !== 'pre') block.setAttribute('class', `align-${align}`);
  if (isRightToLeft && tag !== 'pre') block.setAttribute('dir', 'rtl');
  if (role !== 'quote') return block;
  const quotation = element.ownerDocument.createElement('blockquote');
  quotation.append(block);
  return quotation;
}

/** Code blocks can hold only text. */
const isText = (element: Element): boolean => !element.querySelector('img, [data-latex]');

function preformatted(element: Element): Element {
  for (const lineBreak of [...element.querySelectorAll('br')]) lineBreak.replaceWith('\n');
  const code = element.ownerDocument.createElement('code');
  code.append(element.textContent ?? '');
  return code;
}

/** Returns a figure when the paragraph holds nothing but one image; otherwise null. */
function asFigure(paragraph: Element): Element | null {
  const [image, ...others] = [...paragraph.getElementsByTagName('img')];
  if (!image || others.length > 0 || paragraph.textContent?.trim() !== '' || paragraph.querySelector('[data-latex]')) return null;
  const figure = paragraph.ownerDocument.createElement('figure');
  figure.append(image);
  return figure;
}

/**
 * Appends a block to the last block if they belong together: adjacent lines of code, adjacent quotations, or a figure and its
 * caption.
 */
function joinsLast(container: Element, { elements, shape }: Block, isInList: boolean): boolean {
  const last = container.lastElementChild;
  const [element] = elements;
  if (!last || !element || elements.length !== 1 || isInList) return false;
  if (shape?.role === 'caption' && last.localName === 'figure' && !last.querySelector('figcaption')) {
    const caption = container.ownerDocument.createElement('figcaption');
    caption.append(...element.childNodes);
    last.append(caption);
    return true;
  }
  if (shape?.role === 'quote' && last.localName === 'blockquote') {
    last.append(...element.childNodes);
    return true;
  }
  if (shape?.role === 'code' && element.localName === 'pre' && last.localName === 'pre') {
    last.firstElementChild?.append(`\n${element.textContent ?? ''}`);
    return true;
  }
  return false;
}

/** Returns whether an item below the level of the open list follows within `lookAhead` paragraphs. The list must then stay open. */
function continuesInside(blocks: readonly Block[], index: number, depth: number): boolean {
  for (const { shape } of blocks.slice(index, index + 1 + lookAhead)) {
    if (isHeading(shape)) return false;
    if (shape?.list) return shape.list.depth > depth;
  }
  return false;
}

function indent(element: Element, left: number): void {
  if (!/^(?:p|h[1-6])$/.test(element.localName)) return;
  const level = Math.min(maxIndent, Math.max(0, Math.round(left / indentLevel)));
  if (level > 0) element.setAttribute('class', `${element.getAttribute('class') ?? ''} indent-${level}`.trim());
}
