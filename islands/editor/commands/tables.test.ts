import { deleteColumn, deleteRow, mergeCells, splitCell, tableEditing } from 'prosemirror-tables';
import t from 'tap';
import { after, cellsOf, changed, htmlOf, textOf } from '../../../test/support/editor-text.ts';
import { insertTable } from './insert-table.ts';
import { columnWidth, nextCell, previousCell, setColumnWidth, takingAway } from './tables.ts';

/** Removes the wrapper that makes a table scroll. */
const plain = (html: string): string => html.replaceAll(/<div class="table-scroll"[^>]*>|<\/div>/g, '');
const TWO = '<table><tbody><tr><td>A</td><td>B</td></tr><tr><td>C</td><td>D</td></tr></tbody></table>';

t.test('a new table has the cursor in its first cell', async (t) => {
  const state = after(textOf('<p>|</p>'), insertTable(2, 3, true));
  const cells = '<td></td>'.repeat(3);
  const heads = '<th scope="col"></th>'.repeat(3);
  t.equal(plain(htmlOf(state)), `<table><thead><tr>${heads}</tr></thead><tbody><tr>${cells}</tr></tbody></table><p></p>`);
  t.equal(state.selection.$from.node(-1).type.name, 'table_header');
  t.equal(state.selection.from, 4);
  const between = after(textOf('<p>avant|après</p>'), insertTable(1, 1, false));
  t.equal(plain(htmlOf(between)), '<p>avant</p><table><tbody><tr><td></td></tr></tbody></table><p>après</p>');
  t.equal(between.selection.$from.node(-1).type.name, 'table_cell');
});

t.test('moves from cell to cell, and adds a row after the last cell', async (t) => {
  const second = after(textOf(TWO.replace('A', 'A|')), nextCell);
  t.equal(second.doc.textBetween(second.selection.from, second.selection.to), 'B');
  const first = after(second, previousCell);
  t.equal(first.doc.textBetween(first.selection.from, first.selection.to), 'A');
  const added = after(textOf(TWO.replace('D', 'D|')), nextCell);
  t.equal(plain(htmlOf(added.apply(added.tr.insertText('E')))), TWO.replace('</tbody>', '<tr><td>E</td><td></td></tr></tbody>'));
  t.equal(previousCell(textOf(TWO.replace('A', 'A|'))), false);
  t.equal(nextCell(textOf('<p>|x</p>')), false);
});

t.test('removing rows or columns keeps the cursor in the table', async (t) => {
  const row = after(textOf(TWO.replace('D', 'D|')), takingAway(deleteRow));
  t.equal(
    plain(htmlOf(row.apply(row.tr.insertText('x')))),
    TWO.replace('<td>B</td>', '<td>xB</td>').replace('<tr><td>C</td><td>D</td></tr>', ''),
  );
  const column = after(textOf(TWO.replace('A', 'A|')), takingAway(deleteColumn));
  t.equal(plain(htmlOf(column.apply(column.tr.insertText('x')))), TWO.replace('<td>A</td><td>B', '<td>xB').replace('<td>C</td>', ''));
  t.equal(takingAway(deleteRow)(textOf('<p>|x</p>')), false);
});

t.test('a column gets a width in percent, or an automatic width', async (t) => {
  const wide = changed(TWO.replace('B', 'B|'), setColumnWidth(30));
  t.equal(plain(wide), TWO.replaceAll(/<td>([BD])/g, '<td class="w-30">$1'));
  t.equal(columnWidth(textOf(wide.replace('>D<', '>D|<'))), 30);
  t.equal(columnWidth(textOf(wide.replace('>A<', '>A|<'))), null);
  t.equal(plain(changed(wide.replace('>D<', '>D|<'), setColumnWidth(null))), TWO);
  t.equal(setColumnWidth(30)(textOf('<p>|x</p>')), false);
});

t.test('merged and split cells are valid in the schema', async (t) => {
  const merged = after(cellsOf(TWO.replace('A', '[A').replace('B', 'B]'), [tableEditing()]), mergeCells);
  t.equal(
    plain(htmlOf(merged)),
    '<table><tbody><tr><td colspan="2"><p>A</p><p>B</p></td></tr><tr><td>C</td><td>D</td></tr></tbody></table>',
  );
  merged.doc.check();
  const split = after(merged, splitCell);
  t.equal(plain(htmlOf(split)), TWO.replace('<td>A</td><td>B</td>', '<td><p>A</p><p>B</p></td><td></td>'));
  split.doc.check();
});
