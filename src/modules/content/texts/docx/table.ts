import { counted, REVISIONS } from '../remarks.ts';
import { MARK } from './findings.ts';
import type { Surroundings } from './surroundings.ts';
import { attribute, child, descendants, elementsOf, nameOf, settingOf, switchOf } from './xml.ts';

const CONTAINERS = /^w:(?:sdt|sdtContent|ins|moveTo|customXml|smartTag)$/;

/** A table as rows of cells; `content` writes what a cell holds. */
export function tableXml(table: Element, around: Surroundings, content: (cell: Element) => string): string {
  const properties = child(table, 'w:tblPr');
  const all = inside(table, 'w:tr');
  const rows = all.filter((row) => child(child(row, 'w:trPr'), 'w:del') === undefined);
  if (rows.length < all.length) around.remarks.say(REVISIONS);
  const hasHeader = rows.length > 1 && isFirstRowSet(properties) && around.styles.hasHeaderRow(settingOf(properties, 'w:tblStyle'));
  const widths = columnWidths(table, rows);
  if (descendants(table, 'w:tcPr').some((cell) => isShaded(cell)))
    around.remarks.count('shades', (n) => `Fond coloré des cellules : non repris (${counted(n, 'tableau', 'tableaux')}).`);
  const xml = rows.map((row, index) => {
    const properties = child(row, 'w:trPr');
    const isHeader = switchOf(properties, 'w:tblHeader') === true || (hasHeader && index === 0);
    const cells = mergedAcross(inside(row, 'w:tc'), around).map(({ cell, span }, column) => {
      const merge = child(child(cell, 'w:tcPr'), 'w:vMerge');
      if (merge && attribute(merge, 'w:val') !== 'restart' && index > 0) nameCovered(cell, around);
      const width = index === 0 && widths ? `<w:bookmarkStart w:id="0" w:name="${MARK.width}-${widths[column]}"/>` : '';
      return cellXml(span, merge && (attribute(merge, 'w:val') === 'restart' ? 'restart' : 'continue'), width + content(cell));
    });
    const missing = ['w:gridBefore', 'w:gridAfter'].map((name) => {
      const count = whole(settingOf(properties, name));
      return count > 0 ? cellXml(count, undefined, '') : '';
    });
    return `<w:tr>${isHeader ? '<w:trPr><w:tblHeader/></w:trPr>' : ''}${missing[0]}${cells.join('')}${missing[1]}</w:tr>`;
  });
  return rows.length === 0 ? '' : `<w:tbl>${xml.join('')}</w:tbl>`;
}

function cellXml(span: number, merge: 'restart' | 'continue' | undefined, content: string): string {
  const properties = (span > 1 ? `<w:gridSpan w:val="${span}"/>` : '') + (merge ? `<w:vMerge w:val="${merge}"/>` : '');
  return `<w:tc>${properties && `<w:tcPr>${properties}</w:tcPr>`}${content || '<w:p/>'}</w:tc>`;
}

/** Rows of a table or cells of a row, whatever stands around them. */
function inside(parent: Element, name: 'w:tr' | 'w:tc'): Element[] {
  return elementsOf(parent).flatMap((element) =>
    nameOf(element) === name ? [element] : CONTAINERS.test(nameOf(element)) ? inside(element, name) : [],
  );
}

/** Old files merge cells of a row by a mark on each of them. */
function mergedAcross(cells: readonly Element[], around: Surroundings): { cell: Element; span: number }[] {
  const merged: { cell: Element; span: number }[] = [];
  for (const cell of cells) {
    const properties = child(cell, 'w:tcPr');
    const span = Math.max(1, whole(settingOf(properties, 'w:gridSpan')));
    const across = child(properties, 'w:hMerge');
    const last = merged.at(-1);
    if (across && attribute(across, 'w:val') !== 'restart' && last) {
      last.span = Math.min(100, last.span + span);
      nameCovered(cell, around);
    } else merged.push({ cell, span: Math.min(100, span) });
  }
  return merged;
}

/** What stands in a cell that another one reaches over is not seen in Word either. */
function nameCovered(cell: Element, { remarks }: Surroundings): void {
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

/** Widths of the columns in tenths of the table, in percent; null where they are about equal, or the first row does not show them. */
function columnWidths(table: Element, rows: readonly Element[]): number[] | null {
  const columns = elementsOf(child(table, 'w:tblGrid')).map((column) => whole(attribute(column, 'w:w')));
  const total = columns.reduce((sum, width) => sum + width, 0);
  const first = rows[0] ? inside(rows[0], 'w:tc') : [];
  if (columns.length < 2 || columns.length > 10 || first.length !== columns.length || columns.includes(0)) return null;
  if (Math.max(...columns) < 1.5 * Math.min(...columns)) return null;
  return columns.map((width) => Math.min(100, Math.max(10, Math.round((width / total) * 10) * 10)));
}
