import { counted, REVISIONS } from '../remarks.ts';
import type { Reading } from './reading.ts';
import { attribute, child, descendants, elementsOf, nameOf, settingOf, switchOf } from './xml.ts';

const CONTAINERS = /^w:(?:sdt|sdtContent|ins|moveTo|customXml|smartTag)$/;

/** Returns an HTML table; an empty list when it has no rows. @param fill writes the content of a Word cell into an HTML cell */
export function tableOf(table: Element, reading: Reading, fill: (cell: Element, source: Element) => void): Element[] {
  const properties = child(table, 'w:tblPr');
  const all = inside(table, 'w:tr');
  const rows = all.filter((row) => child(child(row, 'w:trPr'), 'w:del') === undefined);
  if (rows.length < all.length) reading.remarks.say(REVISIONS);
  const hasHeader = rows.length > 1 && isFirstRowSet(properties) && reading.styles.hasHeaderRow(settingOf(properties, 'w:tblStyle'));
  const widths = columnWidths(table, rows);
  if (descendants(table, 'w:tcPr').some((cell) => isShaded(cell)))
    reading.remarks.count('shades', (n) => `Fond coloré des cellules : non repris (${counted(n, 'tableau', 'tableaux')}).`);
  const written = reading.document.createElement('table');
  /** The last cell that starts in each column. */
  const above = new Map<number, Element>();
  let tag = 'th';
  for (const [index, row] of rows.entries()) {
    const properties = child(row, 'w:trPr');
    if (switchOf(properties, 'w:tblHeader') !== true && !(hasHeader && index === 0)) tag = 'td';
    const missing = (name: string): Cell => ({
      element: reading.document.createElement(tag),
      span: whole(settingOf(properties, name)),
      isCovered: false,
    });
    const cells = mergedAcross(inside(row, 'w:tc'), reading).map(({ cell, span }, column): Cell => {
      const merge = child(child(cell, 'w:tcPr'), 'w:vMerge');
      const isCovered = merge !== undefined && attribute(merge, 'w:val') !== 'restart';
      if (isCovered && index > 0) nameCovered(cell, reading);
      const element = reading.document.createElement(tag);
      if (index === 0 && widths) element.setAttribute('class', `w-${widths[column]}`);
      // Covered cells are read too, so that their lost content is reported.
      fill(element, cell);
      return { element, span, isCovered };
    });
    written.append(rowOf([missing('w:gridBefore'), ...cells, missing('w:gridAfter')], above, reading.document));
  }
  return rows.length === 0 ? [] : [written];
}

interface Cell {
  readonly element: Element;
  /** Number of columns; 0 when the cell does not exist. */
  readonly span: number;
  /** Whether a cell above spans this one. */
  readonly isCovered: boolean;
}

function rowOf(cells: readonly Cell[], above: Map<number, Element>, document: Document): Element {
  const row = document.createElement('tr');
  let column = 0;
  for (const { element, span, isCovered } of cells.filter((cell) => cell.span > 0)) {
    const upper = isCovered ? above.get(column) : undefined;
    if (upper) upper.setAttribute('rowspan', String(Number(upper.getAttribute('rowspan') ?? 1) + 1));
    else {
      if (span > 1) element.setAttribute('colspan', String(span));
      above.set(column, element);
      row.append(element);
    }
    column += span;
  }
  return row;
}

/** Returns the rows of a table or the cells of a row, also those wrapped in other elements. */
function inside(parent: Element, name: 'w:tr' | 'w:tc'): Element[] {
  return elementsOf(parent).flatMap((element) =>
    nameOf(element) === name ? [element] : CONTAINERS.test(nameOf(element)) ? inside(element, name) : [],
  );
}

/** Merges cells of a row. Old files mark each merged cell instead of giving a span. */
function mergedAcross(cells: readonly Element[], reading: Reading): { cell: Element; span: number }[] {
  const merged: { cell: Element; span: number }[] = [];
  for (const cell of cells) {
    const properties = child(cell, 'w:tcPr');
    const span = Math.max(1, whole(settingOf(properties, 'w:gridSpan')));
    const across = child(properties, 'w:hMerge');
    const last = merged.at(-1);
    if (across && attribute(across, 'w:val') !== 'restart' && last) {
      last.span = Math.min(100, last.span + span);
      nameCovered(cell, reading);
    } else merged.push({ cell, span: Math.min(100, span) });
  }
  return merged;
}

/** Adds a remark about text in a covered cell. Word does not show this text either. */
function nameCovered(cell: Element, { remarks }: Reading): void {
  const text = (cell.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
  if (text !== '') remarks.say(`Texte caché sous une cellule fusionnée, non repris : ${text.slice(0, 80)}`);
}

const whole = (text: string | null): number => (text !== null && /^\d{1,4}$/.test(text) ? Number(text) : 0);

function isFirstRowSet(properties: Element | undefined): boolean {
  const look = child(properties, 'w:tblLook');
  const said = attribute(look, 'w:firstRow');
  if (said !== null) return /^(?:1|true|on)$/.test(said);
  return (Number.parseInt(attribute(look, 'w:val') ?? '0', 16) & 0x20) !== 0;
}

function isShaded(cell: Element): boolean {
  const fill = attribute(child(cell, 'w:shd'), 'w:fill');
  return fill !== null && !/^(?:auto|ffffff)$/i.test(fill);
}

/** Returns column widths in percent, rounded to tens; null when they are about equal or the first row has merged cells. */
function columnWidths(table: Element, rows: readonly Element[]): number[] | null {
  const columns = elementsOf(child(table, 'w:tblGrid')).map((column) => whole(attribute(column, 'w:w')));
  const first = rows[0] ? inside(rows[0], 'w:tc') : [];
  return first.length === columns.length ? shares(columns) : null;
}

/** Returns column widths in percent, rounded to tens; null when they are about equal, unknown, or too many. */
export function shares(columns: readonly number[]): number[] | null {
  const total = columns.reduce((sum, width) => sum + width, 0);
  if (columns.length < 2 || columns.length > 10 || columns.includes(0)) return null;
  if (Math.max(...columns) < 1.5 * Math.min(...columns)) return null;
  return columns.map((width) => Math.min(100, Math.max(10, Math.round((width / total) * 10) * 10)));
}
