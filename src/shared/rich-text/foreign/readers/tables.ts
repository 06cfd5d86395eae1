import { MAX_CELL_SPAN } from '../../bounds.ts';
import { type Declarations, points } from '../support/css.ts';

interface Cell {
  readonly element: Element;
  readonly span: number;
  readonly width: Width | null;
}

interface Width {
  readonly size: number;
  readonly percent: boolean;
}

/** A table being written: its element and its cells' widths. */
export class TableWriter {
  readonly element: Element;
  readonly #document: Document;
  readonly #rows: { element: Element; cells: Cell[] }[] = [];
  readonly #columns: Width[] = [];

  constructor(document: Document) {
    this.#document = document;
    this.element = document.createElement('table');
  }

  /** Records the width in a `<col>`. */
  column(col: Element, css: Declarations): void {
    const width = widthOf(col, css);
    const span = spanOf(col, 'span');
    if (width) for (let index = 0; index < span && this.#columns.length < 1_000; index += 1) this.#columns.push(width);
  }

  row(): void {
    const element = this.#document.createElement('tr');
    this.element.appendChild(element);
    this.#rows.push({ element, cells: [] });
  }

  cell(source: Element, tag: 'td' | 'th', css: Declarations): Element {
    if (this.#rows.length === 0) this.row();
    const element = this.#document.createElement(tag);
    const row = this.#rows.at(-1) as { element: Element; cells: Cell[] };
    row.element.appendChild(element);
    for (const name of ['colspan', 'rowspan'] as const) {
      const span = spanOf(source, name);
      if (span > 1) element.setAttribute(name, String(span));
    }
    const kept = /(?:^|\s)w-(?:[1-9]0|100)(?:\s|$)/.exec(source.getAttribute('class') ?? '')?.[0].trim();
    if (kept) element.setAttribute('class', kept);
    row.cells.push({ element, span: spanOf(source, 'colspan'), width: kept ? null : widthOf(source, css) });
    return element;
  }

  /** Removes the last row, which Word adds only for the columns' widths. */
  dropRow(): void {
    const row = this.#rows.pop();
    if (row) this.element.removeChild(row.element);
  }

  /** Sets the columns' widths. Returns whether the table has any cells. */
  finish(): boolean {
    const rows = this.#rows.filter(({ element, cells }) => {
      if (cells.length > 0) return true;
      this.element.removeChild(element);
      return false;
    });
    if (rows.length === 0) return false;
    const sizes = rows.map(({ cells }) => this.#sizes(cells));
    const whole = Math.max(...sizes.slice(0, 200).map((row) => row?.reduce((sum, { size }) => sum + size, 0) ?? 0));
    const known = new Set<number>();
    rows.forEach(({ cells }, index) => {
      const row = sizes[index];
      if (!row || row.length < 2) return;
      let column = 0;
      cells.forEach(({ element, span }, at) => {
        const width = row[at] as Width;
        const share = width.percent ? width.size : (width.size / whole) * 100;
        // Each column's width is set once, in its first row.
        if (span === 1 && !known.has(column) && share >= 5 && share < 100) {
          element.setAttribute('class', `w-${Math.max(10, Math.min(100, Math.round(share / 10) * 10))}`);
          known.add(column);
        }
        column += span;
      });
    });
    return true;
  }

  /** Returns the widths of a row's cells; null if not all are known. */
  #sizes(cells: readonly Cell[]): Width[] | null {
    const own = cells.map(({ width }) => width);
    if (own.every((width) => width !== null && width.percent === own[0]?.percent)) return own as Width[];
    if (own.some((width) => width !== null) || cells.some(({ span }) => span > 1) || this.#columns.length !== cells.length) return null;
    return this.#columns;
  }
}

function widthOf(element: Element, css: Declarations): Width | null {
  for (const text of [css.width, element.getAttribute('width')]) {
    if (!text) continue;
    const [, percent] = /^\s{0,9}(\d{1,3}(?:\.\d{0,6})?)\s?%/.exec(text) ?? [];
    if (percent) return { size: Number(percent), percent: true };
    const size = /^\d{1,5}$/.test(text.trim()) ? Number(text) * 0.75 : points(text);
    if (size && size > 0) return { size, percent: false };
  }
  return null;
}

function spanOf(element: Element, name: 'colspan' | 'rowspan' | 'span'): number {
  const span = Number(element.getAttribute(name) ?? 1);
  return Number.isInteger(span) && span >= 1 && span <= MAX_CELL_SPAN ? span : 1;
}
