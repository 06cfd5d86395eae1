import { MAX_CELL_SPAN } from '../../../../shared/rich-text/bounds.ts';
import { asDataCell, wordsOf } from '../header-cells.ts';
import { isCommand, nameOf } from './cursor.ts';
import { plainColumns } from './formulas.ts';
import type { EnvironmentNode, TexNode } from './nodes.ts';
import type { TexReader } from './reader.ts';

interface SourceRow {
  readonly cells: TexNode[][];
  isHeader: boolean;
}

/** Lines and colours of a table: with the number of their arguments. */
const LINES: Readonly<Record<string, number>> = {
  hline: 0,
  cline: 1,
  hhline: 1,
  toprule: 0,
  midrule: 0,
  bottomrule: 0,
  cmidrule: 1,
  addlinespace: 0,
  endhead: 0,
  endfirsthead: 0,
  endfoot: 0,
  endlastfoot: 0,
  rowcolor: 1,
  cellcolor: 1,
  firsthline: 0,
  lasthline: 0,
  noalign: 1,
  tabucline: 1,
  hdashline: 0,
  rowcolors: 3,
  arrayrulecolor: 1,
};

/** Reads a table. */
export function tableOf(reader: TexReader, node: EnvironmentNode): void {
  const cursor = reader.cursor(node.children);
  cursor.option();
  if (/\*$|^(?:tabular[xy]|xltabular)$/.test(node.name)) cursor.group();
  cursor.takeText(/^\s*(?:to|spread)\b[^{]*/);
  cursor.option();
  const columns = [...plainColumns(cursor.rawGroup()).replaceAll('|', '')];
  const { rows, caption } = rowsOf(
    reader,
    cursor.until(() => false),
  );
  reader.endParagraph();
  if (caption) {
    reader.scoped(caption, { tag: 'em' });
    reader.endParagraph();
  }
  if (rows.length === 0) return;
  const table = reader.document.createElement('table');
  const body = reader.document.createElement('tbody');
  table.append(body);
  reader.block(table);
  fill(reader, body, rows, columns);
}

function rowsOf(reader: TexReader, nodes: readonly TexNode[]): { rows: SourceRow[]; caption: readonly TexNode[] | null } {
  const cursor = reader.cursor(nodes);
  const rows: SourceRow[] = [];
  let cells: TexNode[][] = [[]];
  let caption: readonly TexNode[] | null = null;
  // A long table repeats its head and foot on each page; here each stands once.
  let headRows: number | null = null;
  let footRows = 0;
  let foot: SourceRow[] = [];
  const endRow = (): void => {
    if (cells.length > 1 || cells[0]?.some((part) => !isBlank(part))) rows.push({ cells, isHeader: false });
    cells = [[]];
  };
  for (let node = cursor.next(); node; node = cursor.next()) {
    if (node.kind === 'sign' && node.text === '&') cells.push([]);
    else if (isCommand(node, '\\', 'tabularnewline', 'cr')) {
      cursor.takeStar();
      cursor.dimension();
      endRow();
    } else if (Object.hasOwn(LINES, nameOf(node))) {
      if (
        /^(?:midrule|endhead|endfirsthead)$/.test(nameOf(node)) &&
        rows.length > 0 &&
        rows.length <= 3 &&
        !rows.some(({ isHeader }) => isHeader)
      )
        for (const row of rows) row.isHeader = true;
      if (isCommand(node, 'endfirsthead')) headRows = rows.length;
      else if (isCommand(node, 'endhead')) rows.length = Math.min(rows.length, headRows ?? rows.length);
      else if (isCommand(node, 'endfoot', 'endlastfoot')) foot = rows.splice(footRows);
      if (/^end(?:first)?head$/.test(nameOf(node))) footRows = rows.length;
      cursor.takeText(/^\s*\([lr]*\)/);
      cursor.option();
      for (let count = LINES[nameOf(node)] ?? 0; count > 0; count -= 1) {
        cursor.option();
        cursor.argument();
      }
    } else if (isCommand(node, 'caption')) {
      cursor.takeStar();
      cursor.option();
      caption = cursor.argument() ?? [];
    } else (cells.at(-1) as TexNode[]).push(node);
  }
  endRow();
  return { rows: [...rows, ...foot], caption };
}

const isBlank = (node: TexNode): boolean => node.kind === 'break' || (node.kind === 'text' && node.text.trim() === '');

function fill(reader: TexReader, body: Element, rows: readonly SourceRow[], columns: readonly string[]): void {
  /** Cells of earlier rows that reach into the next ones, by column. */
  const reaching = new Map<number, { cell: Element; left: number }>();
  const widths: number[] = [];
  for (const { cells, isHeader } of rows) {
    const row = reader.document.createElement('tr');
    body.append(row);
    let column = 0;
    for (const nodes of cells) {
      const above = reaching.get(column);
      if (above && nodes.every(isBlank)) {
        column += 1;
        continue;
      }
      if (above) cutShort(above, column, reaching);
      const cell = reader.document.createElement(isHeader ? 'th' : 'td');
      row.append(cell);
      const { span, rowSpan } = fillCell(reader, cell, nodes, columns[column] ?? 'l');
      if (rowSpan > 1) reaching.set(column, { cell, left: rowSpan });
      column += span;
    }
    for (const [at, reach] of [...reaching]) {
      reach.left -= 1;
      if (reach.left === 0) reaching.delete(at);
      if (at >= column) column = at + 1;
    }
    widths.push(column);
  }
  for (const { cell, left } of reaching.values()) setSpan(cell, 'rowspan', Number(cell.getAttribute('rowspan')) - left);
  const width = Math.max(...widths.slice(0, 10_000));
  for (const [index, row] of [...body.children].entries()) {
    for (let missing = width - (widths[index] ?? width); missing > 0 && width <= 200; missing -= 1)
      row.append(reader.document.createElement('td'));
    for (const cell of [...row.children]) if (cell.localName === 'th' && wordsOf(cell) === '') asDataCell(cell);
  }
}

/** Ends a cell that reaches down where another one stands in its way. */
function cutShort({ cell, left }: { cell: Element; left: number }, column: number, reaching: Map<number, unknown>): void {
  setSpan(cell, 'rowspan', Number(cell.getAttribute('rowspan')) - left);
  reaching.delete(column);
}

function fillCell(reader: TexReader, cell: Element, nodes: readonly TexNode[], column: string): { span: number; rowSpan: number } {
  let content = nodes;
  let span = 1;
  let rowSpan = 1;
  let align = column;
  for (let round = 0; round < 2; round += 1) {
    const first = content.findIndex((node) => !isBlank(node));
    const start = content[first];
    if (!isCommand(start, 'multicolumn', 'multirow')) break;
    const cursor = reader.cursor(content.slice(first + 1));
    cursor.takeStar();
    cursor.option();
    const count = Number(cursor.rawGroup());
    const known = Number.isInteger(count) && count >= 1 && count <= MAX_CELL_SPAN ? count : 1;
    cursor.option();
    const second = cursor.raw(cursor.argument() ?? []);
    cursor.option();
    if (start.name === 'multicolumn') {
      span = known;
      align = plainColumns(second).replaceAll('|', '')[0] ?? column;
    } else rowSpan = known;
    const inside = cursor.argument() ?? [];
    content = [...inside, ...cursor.until(() => false)];
  }
  setSpan(cell, 'colspan', span);
  setSpan(cell, 'rowspan', rowSpan);
  const saved = reader.align;
  reader.align = align === 'c' ? 'center' : align === 'r' ? 'right' : null;
  reader.blocksInto(cell, content, reader.marks);
  reader.align = saved;
  return { span, rowSpan };
}

function setSpan(cell: Element, name: 'colspan' | 'rowspan', span: number): void {
  if (span > 1) cell.setAttribute(name, String(span));
  else cell.removeAttribute(name);
}
