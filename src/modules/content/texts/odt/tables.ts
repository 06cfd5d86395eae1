import { shares } from '../docx/table.ts';
import { attribute, child, descendants, elementsOf, nameOf } from '../docx/xml.ts';
import { tooComplex } from '../refusal.ts';
import { counted } from '../remarks.ts';
import { twips, wholeNumber } from './lengths.ts';
import type { OdtReading } from './reading.ts';

/** Number of empty rows or columns in a row that are repeated; of more, one stays. Spreadsheets repeat empty ones a million times. */
const maxEmpty = 50;
/** Maximum number of cells of a document. */
const maxCells = 20_000;
const maxSpan = 100;
const ROW_GROUPS = /^table:table-(?:header-rows|rows|row-group)$/;
const COLUMN_GROUPS = /^table:table-(?:header-columns|columns|column-group)$/;

interface Row {
  readonly element: Element;
  readonly isHeader: boolean;
}

/** Reads the tables of one document. */
export class Tables {
  readonly #reading: OdtReading;
  readonly #fill: (cell: Element, source: Element) => void;
  #cells = 0;

  /** @param fill writes the content of a cell into an HTML cell */
  constructor(reading: OdtReading, fill: (cell: Element, source: Element) => void) {
    this.#reading = reading;
    this.#fill = fill;
  }

  /** Returns an HTML table; an empty list when it has no rows. @throws AppError 400 when the document has too many cells */
  read(table: Element): Element[] {
    const { document, remarks } = this.#reading;
    const rows = this.#rowsOf(table, false);
    if (rows.length === 0) return [];
    const widths = this.#widths(table);
    const cellStyles = descendants(table, 'table:table-cell').map((cell) => attribute(cell, 'table:style-name'));
    if ([...new Set(cellStyles)].some((style) => this.#isShaded(style)))
      remarks.count('shades', (n) => `Fond coloré des cellules : non repris (${counted(n, 'tableau', 'tableaux')}).`);
    const written = document.createElement('table');
    for (const [index, { element, isHeader }] of rows.entries()) {
      const row = document.createElement('tr');
      let column = 0;
      for (const { cell, times } of this.#cellsOf(element)) {
        for (let time = 0; time < times; time += 1) {
          const span = Math.min(maxSpan, wholeNumber(attribute(cell, 'table:number-columns-spanned')) || 1);
          const width = index === 0 ? widths?.[column] : undefined;
          column += 1;
          if (nameOf(cell) !== 'table:table-cell') continue;
          row.append(this.#cell(cell, isHeader ? 'th' : 'td', { span, most: rows.length - index, width: span === 1 ? width : undefined }));
        }
      }
      written.append(row);
    }
    return [written];
  }

  #cell(cell: Element, tag: string, { span, most, width }: { span: number; most: number; width: number | undefined }): Element {
    this.#cells += 1;
    if (this.#cells > maxCells) throw tooComplex();
    const element = this.#reading.document.createElement(tag);
    const down = Math.min(maxSpan, most, wholeNumber(attribute(cell, 'table:number-rows-spanned')) || 1);
    if (span > 1) element.setAttribute('colspan', String(span));
    if (down > 1) element.setAttribute('rowspan', String(down));
    if (width !== undefined) element.setAttribute('class', `w-${width}`);
    this.#fill(element, cell);
    return element;
  }

  #rowsOf(parent: Element, isHeader: boolean): Row[] {
    return elementsOf(parent).flatMap((element): Row[] => {
      const name = nameOf(element);
      if (ROW_GROUPS.test(name)) return this.#rowsOf(element, isHeader || name === 'table:table-header-rows');
      if (name !== 'table:table-row') return [];
      const times = this.#times(element, 'table:number-rows-repeated');
      return Array.from({ length: times }, () => ({ element, isHeader }));
    });
  }

  #cellsOf(row: Element): { cell: Element; times: number }[] {
    return elementsOf(row).flatMap((cell) => {
      const name = nameOf(cell);
      if (name === 'table:covered-table-cell') {
        this.#nameCovered(cell);
        return [{ cell, times: Math.min(maxSpan, wholeNumber(attribute(cell, 'table:number-columns-repeated')) || 1) }];
      }
      return name === 'table:table-cell' ? [{ cell, times: this.#times(cell, 'table:number-columns-repeated') }] : [];
    });
  }

  /** Returns how often a row or cell is repeated. @throws AppError 400 when the document has too many cells */
  #times(element: Element, name: string): number {
    const said = attribute(element, name);
    const times = said === null ? 1 : (wholeNumber(said) ?? maxCells + 1);
    if (times > maxEmpty && isBlank(element)) {
      this.#reading.remarks.say('Lignes ou colonnes vides répétées à la fin des tableaux : une seule est gardée.');
      return 1;
    }
    if (times > maxCells) throw tooComplex();
    return Math.max(1, times);
  }

  /** Adds a remark about text in a covered cell. The document does not show this text either. */
  #nameCovered(cell: Element): void {
    const text = (cell.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
    if (text !== '') this.#reading.remarks.say(`Texte caché sous une cellule fusionnée, non repris : ${text.slice(0, 80)}`);
  }

  #isShaded(style: string | null): boolean {
    const background = this.#reading.styles.property('table-cell', style, 'style:table-cell-properties', 'fo:background-color');
    return background !== null && !/^(?:transparent|#ffffff)$/i.test(background);
  }

  #widths(table: Element): number[] | null {
    const columns: number[] = [];
    const collect = (parent: Element): void => {
      for (const element of elementsOf(parent)) {
        if (COLUMN_GROUPS.test(nameOf(element))) collect(element);
        if (nameOf(element) !== 'table:table-column') continue;
        const style = attribute(element, 'table:style-name');
        const width = this.#reading.styles.property('table-column', style, 'style:table-column-properties', 'style:column-width');
        const times = Math.min(maxSpan, wholeNumber(attribute(element, 'table:number-columns-repeated')) || 1);
        for (let time = 0; time < times; time += 1) columns.push(twips(width) ?? 0);
      }
    };
    collect(table);
    const hasMerged = elementsOf(child(table, 'table:table-row')).some((cell) => nameOf(cell) !== 'table:table-cell');
    return hasMerged ? null : shares(columns);
  }
}

const isBlank = (element: Element): boolean =>
  (element.textContent ?? '').trim() === '' && descendants(element, 'draw:frame', 'draw:image').length === 0;
