import { history, undo } from 'prosemirror-history';
import { type EditorState, TextSelection } from 'prosemirror-state';
import t from 'tap';
import { after, htmlOf, textOf } from '../../../test/support/editor-text.ts';
import { replaceByBlocks } from './replace-by-blocks.ts';

const blocks = (html: string) => textOf(html).doc.content;

/** Returns the state after the selected range was replaced. */
function replaced(html: string, by: string): EditorState {
  const state = textOf(html, [history()]);
  const { from, to } = state.selection;
  return state.apply(replaceByBlocks(state, { from, to }, blocks(by)));
}

t.test('exactly the range is replaced, wherever it starts and ends', async (t) => {
  const cases: [name: string, before: string, by: string, after: string][] = [
    ['whole paragraphs', '<p>x</p><p>[a</p><p>b]</p><p>y</p>', '<h2>A</h2><p>B</p>', '<p>x</p><h2>A</h2><p>B</p><p>y</p>'],
    ['within a paragraph', '<p>x[a]y</p>', '<p><strong>A</strong></p>', '<p>x<strong>A</strong>y</p>'],
    ['from within a paragraph to within another', '<p>x[a</p><p>b]y</p>', '<p>A</p><p>B</p>', '<p>xA</p><p>By</p>'],
    ['blocks within a paragraph', '<p>x[a]y</p>', '<ul><li>A</li></ul>', '<p>x</p><ul><li>A</li></ul><p>y</p>'],
    ['the start of a paragraph', '<p>[a</p><p>b]y</p>', '<h2>A</h2><p>B</p>', '<h2>A</h2><p>By</p>'],
    ['the end of a paragraph', '<p>x[a</p><p>b]</p>', '<p>A</p><h2>B</h2>', '<p>xA</p><h2>B</h2>'],
    [
      'in a list',
      '<ul><li>[a]</li><li>b</li></ul>',
      '<p>A</p><ol><li>B</li></ol>',
      '<ul><li><p>A</p><ol><li>B</li></ol></li><li>b</li></ul>',
    ],
    [
      'in a cell',
      '<table><tbody><tr><td>[a]</td><td>b</td></tr></tbody></table>',
      '<p>A</p>',
      '<table><tbody><tr><td>A</td><td>b</td></tr></tbody></table>',
    ],
  ];
  for (const [name, before, by, result] of cases) t.equal(htmlOf(replaced(before, by)), htmlOf(textOf(result)), name);
});

t.test('the literal text comes back with one undo, even right after it was pasted', async (t) => {
  const state = textOf('<p>x|</p>', [history()]);
  const pasted = state.apply(state.tr.insertText(' **a**', 2));
  const range = { from: 2, to: 8 };
  const formatted = pasted.apply(replaceByBlocks(pasted, range, blocks('<p><strong>a</strong></p>')));
  t.equal(htmlOf(formatted), '<p>x<strong>a</strong></p>');
  t.ok(formatted.selection instanceof TextSelection);
  const once = after(formatted, undo);
  t.equal(htmlOf(once), '<p>x **a**</p>');
  t.equal(htmlOf(after(once, undo)), '<p>x</p>');
});
