import { type Findings, MARK, type ParagraphFinding } from './findings.ts';
import { ListBuilder } from './lists.ts';

/** Twentieths of a point in a level of indentation. */
const indentLevel = 720;
const maxIndent = 8;
/** Paragraphs that may stand between two items of one list. */
const lookAhead = 4;

/** A piece of the text that stands on its own, with what Word said of its paragraph. */
interface Block {
  readonly elements: Element[];
  readonly finding: ParagraphFinding | null;
}

/** The paragraphs and tables of a container as the blocks of the schema: headings, lists, quotations, code, figures with their captions. */
export function buildBlocks(container: Element, findings: Findings): void {
  for (const inner of [...container.children]) if (inner.localName === 'table') buildTable(inner, findings);
  const blocks = [...container.children].map((element) => readBlock(element, findings)).filter((block) => block !== null);
  container.replaceChildren();
  const lists = new ListBuilder(container);
  for (const [index, block] of blocks.entries()) {
    const { elements, finding } = block;
    if (finding?.list) {
      lists.item(finding.list, elements);
      continue;
    }
    if (finding && joinsLast(container, block, lists.isOpen)) continue;
    if (isHeading(finding)) lists.close();
    const from = lists.isOpen ? lists.left : 0;
    if (lists.absorb(isHeading(finding) ? null : finding, elements, continuesInside(blocks, index))) {
      for (const element of elements) indent(element, (finding?.left ?? 0) - from);
      continue;
    }
    if (finding && finding.role !== 'quote') for (const element of elements) indent(element, finding.left);
    container.append(...elements);
  }
}

const isHeading = (finding: ParagraphFinding | null): boolean => finding?.role === 'heading' || finding?.role === 'title';

function buildTable(table: Element, findings: Findings): void {
  for (const cell of [...table.querySelectorAll('td, th')].filter((found) => found.closest('table') === table)) {
    const width = cell.querySelector(':scope > a[id^="w-"]');
    if (width) cell.setAttribute('class', `w-${width.id.slice(2)}`);
    width?.remove();
    buildBlocks(cell, findings);
    if (cell.children.length === 0) cell.append(cell.ownerDocument.createElement('p'));
    if (cell.localName === 'th' && wordsOf(cell) === '' && !cell.querySelector('img')) asDataCell(cell);
  }
}

/** A header of nothing, or of a formula alone, would be announced by a screen reader without a name. */
function asDataCell(header: Element): void {
  const cell = header.ownerDocument.createElement('td');
  for (const { name, value } of [...header.attributes]) cell.setAttribute(name, value);
  cell.append(...header.childNodes);
  header.replaceWith(cell);
}

function wordsOf(element: Element): string {
  const formulas = [...element.querySelectorAll('[data-latex]')].map((formula) => formula.textContent ?? '').join('');
  const text = element.textContent ?? '';
  return text.length === formulas.length ? '' : text.trim();
}

/** Null for an empty paragraph, which is only space between others. */
function readBlock(element: Element, findings: Findings): Block | null {
  if (element.localName !== 'p') return { elements: [element], finding: null };
  const mark = markAtStart(element, MARK.paragraph);
  const finding = findings.paragraphs[Number(mark?.id.slice(2) ?? Number.NaN)] ?? null;
  mark?.remove();
  if (markAtStart(element, MARK.rule) && isEmpty(element)) return { elements: [element.ownerDocument.createElement('hr')], finding: null };
  if (isEmpty(element) && !finding?.list) return null;
  const pieces = finding?.role === 'body' ? lifted(element) : [element];
  return { elements: pieces.map((piece) => shaped(piece, finding)), finding };
}

function markAtStart(element: Element, kind: string): Element | null {
  const first = element.firstElementChild;
  return first?.localName === 'a' && first.id.startsWith(`${kind}-`) ? first : null;
}

const isEmpty = (element: Element): boolean => element.textContent?.trim() === '' && !element.querySelector('img, [data-latex]');

/** A displayed formula is a block: the paragraph ends before it and goes on after it. */
function lifted(paragraph: Element): Element[] {
  const pieces: Element[] = [];
  let rest: Element = paragraph;
  // A query of selectors for each paragraph is half the time of a long document.
  for (const formula of [...paragraph.getElementsByTagName('div')]) {
    // Emphasis around it would have to be cut in two: within it the formula stays in its line.
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

function shaped(element: Element, finding: ParagraphFinding | null): Element {
  if (element.localName !== 'p') return element;
  for (const formula of [...element.getElementsByTagName('div')]) inline(formula);
  const figure = finding?.role === 'body' ? asFigure(element) : null;
  if (figure) return figure;
  const { role = 'body', level = 0, align = null, isRightToLeft = false } = finding ?? {};
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

/** Code is text, and nothing else. */
const isText = (element: Element): boolean => !element.querySelector('img, [data-latex]');

function preformatted(element: Element): Element {
  for (const lineBreak of [...element.querySelectorAll('br')]) lineBreak.replaceWith('\n');
  const code = element.ownerDocument.createElement('code');
  code.append(element.textContent ?? '');
  return code;
}

function inline(formula: Element): void {
  const span = formula.ownerDocument.createElement('span');
  span.setAttribute('class', 'formula');
  span.setAttribute('data-latex', formula.getAttribute('data-latex') ?? '');
  formula.replaceWith(span);
}

/** An image alone in its paragraph. */
function asFigure(paragraph: Element): Element | null {
  const [image, ...others] = [...paragraph.getElementsByTagName('img')];
  if (!image || others.length > 0 || paragraph.textContent?.trim() !== '' || paragraph.querySelector('[data-latex]')) return null;
  const figure = paragraph.ownerDocument.createElement('figure');
  figure.append(image);
  return figure;
}

/** Lines of code, and quotations, that follow one another are one; a caption belongs to the figure before it. */
function joinsLast(container: Element, { elements, finding }: Block, isInList: boolean): boolean {
  const last = container.lastElementChild;
  const [element] = elements;
  if (!last || !element || elements.length !== 1 || isInList) return false;
  if (finding?.role === 'caption' && last.localName === 'figure' && !last.querySelector('figcaption')) {
    const caption = container.ownerDocument.createElement('figcaption');
    caption.append(...element.childNodes);
    last.append(caption);
    return true;
  }
  if (finding?.role === 'quote' && last.localName === 'blockquote') {
    last.append(...element.childNodes);
    return true;
  }
  if (finding?.role === 'code' && element.localName === 'pre' && last.localName === 'pre') {
    last.firstElementChild?.append(`\n${element.textContent ?? ''}`);
    return true;
  }
  return false;
}

/** Whether an item below the first level follows soon, which would otherwise have nothing to be below. */
function continuesInside(blocks: readonly Block[], index: number): boolean {
  for (const { finding } of blocks.slice(index, index + 1 + lookAhead)) {
    if (isHeading(finding)) return false;
    if (finding?.list) return finding.list.depth > 0;
  }
  return false;
}

function indent(element: Element, left: number): void {
  if (!/^(?:p|h[1-6])$/.test(element.localName)) return;
  const level = Math.min(maxIndent, Math.max(0, Math.round(left / indentLevel)));
  if (level > 0) element.setAttribute('class', `${element.getAttribute('class') ?? ''} indent-${level}`.trim());
}
