import { NodeSelection } from 'prosemirror-state';
import t from 'tap';
import { after, changed, htmlOf, textOf } from '../../../test/support/editor-text.ts';
import {
  blockKind,
  clearFormatting,
  isAligned,
  isQuoted,
  isRightToLeft,
  leaveFigure,
  paragraphBelow,
  selectFigure,
  setAlignment,
  setLevel,
  shiftIndent,
  toggleBlockquote,
  toggleCodeBlock,
  toggleDirection,
} from './blocks.ts';

const FIGURE = '<figure><img src="https://a.cm/i.png" alt="" loading="lazy" decoding="async"><figcaption>Une |figure</figcaption></figure>';

t.test('setLevel changes the selected blocks to headings or paragraphs', async (t) => {
  t.equal(changed('<p>|Suites</p>', setLevel(3)), '<h3>Suites</h3>');
  t.equal(changed('<h1>|Suites</h1>', setLevel(0)), '<p>Suites</p>');
  t.equal(changed('<p class="align-center indent-2" dir="rtl">|x</p>', setLevel(2)), '<h2 class="align-center indent-2" dir="rtl">x</h2>');
  t.equal(changed('<p>[un</p><h2>deux</h2><p>trois]</p><p>quatre</p>', setLevel(4)), '<h4>un</h4><h4>deux</h4><h4>trois</h4><p>quatre</p>');
  t.equal(setLevel(2)(textOf(FIGURE)), false, 'a caption cannot become a heading: the picture would be lost');
  t.equal(blockKind(textOf('<h5>|x</h5>')), 5);
  t.equal(blockKind(textOf('<p>|x</p>')), 'paragraph');
  t.equal(blockKind(textOf('<pre><code>|x</code></pre>')), 'code');
  t.equal(blockKind(textOf(FIGURE)), null);
});

t.test('alignment, indentation and direction change in every selected block', async (t) => {
  t.equal(
    changed('<p>[un</p><h2>deux]</h2><p>trois</p>', setAlignment('justify')),
    '<p class="align-justify">un</p><h2 class="align-justify">deux</h2><p>trois</p>',
  );
  t.equal(changed('<p class="align-right">|un</p>', setAlignment('left')), '<p>un</p>');
  t.equal(isAligned(textOf('<p class="align-right">|x</p>'), 'right'), true);
  t.equal(isAligned(textOf('<p class="align-right">|x</p>'), 'left'), false);
  t.equal(
    changed('<p class="indent-7">[un</p><p class="indent-8">deux]</p>', shiftIndent(1)),
    '<p class="indent-8">un</p><p class="indent-8">deux</p>',
  );
  t.equal(shiftIndent(1)(textOf('<p class="indent-8">|x</p>')), false, 'a ninth level of indentation is refused');
  t.equal(shiftIndent(-1)(textOf('<p>|x</p>')), false);
  t.equal(changed('<p class="indent-1">|x</p>', shiftIndent(-1)), '<p>x</p>');
  t.equal(changed('<p>|x</p>', toggleDirection), '<p dir="rtl">x</p>');
  t.equal(changed('<ul><li>|x</li></ul>', toggleDirection), '<ul dir="rtl"><li><p dir="rtl">x</p></li></ul>');
  t.equal(changed('<ul dir="rtl"><li><p dir="rtl">|x</p></li></ul>', toggleDirection), '<ul><li>x</li></ul>');
  t.equal(isRightToLeft(textOf('<p dir="rtl">|x</p>')), true);
  t.equal(setAlignment('center')(textOf('<pre><code>|x</code></pre>')), false, 'code has no alignment');
});

t.test('a right-to-left paragraph can be aligned left and right', async (t) => {
  t.equal(changed('<p dir="rtl">|x</p>', setAlignment('left')), '<p class="align-left" dir="rtl">x</p>');
  t.equal(changed('<p class="align-left" dir="rtl">|x</p>', setAlignment('right')), '<p dir="rtl">x</p>');
  t.equal(
    changed('<p class="align-left" dir="rtl">|x</p>', toggleDirection),
    '<p>x</p>',
    'the alignment to the start of the line needs no class',
  );
  for (const [html, left, right] of [
    ['<p>|x</p>', true, false],
    ['<p class="align-right">|x</p>', false, true],
    ['<p dir="rtl">|x</p>', false, true],
    ['<p class="align-right" dir="rtl">|x</p>', false, true],
    ['<p class="align-left" dir="rtl">|x</p>', true, false],
    ['<p class="align-center" dir="rtl">|x</p>', false, false],
  ] as const) {
    t.equal(isAligned(textOf(html), 'left'), left, html);
    t.equal(isAligned(textOf(html), 'right'), right, html);
  }
});

t.test('the selection becomes a quotation or code, and back', async (t) => {
  t.equal(changed('<p>[un</p><p>deux]</p>', toggleBlockquote), '<blockquote><p>un</p><p>deux</p></blockquote>');
  t.equal(changed('<blockquote><p>|un</p></blockquote>', toggleBlockquote), '<p>un</p>');
  t.equal(isQuoted(textOf('<blockquote><ul><li>|x</li></ul></blockquote>')), true);
  t.equal(
    isQuoted(textOf('<blockquote><table><tr><td>|x</td></tr></table></blockquote>')),
    false,
    'a table cell is not put into a quotation',
  );
  t.equal(
    changed('<p>[un</p><blockquote><p>deux</p></blockquote><p>trois]</p>', toggleBlockquote),
    '<blockquote><p>un</p><p>deux</p><p>trois</p></blockquote>',
    'all selected blocks become one quotation',
  );
  t.equal(changed('<ul><li>[un</li><li>deux]</li></ul>', toggleBlockquote), '<blockquote><ul><li>un</li><li>deux</li></ul></blockquote>');
  t.equal(changed('<blockquote><ul><li>[un</li><li>deux]</li></ul></blockquote>', toggleBlockquote), '<ul><li>un</li><li>deux</li></ul>');
  t.equal(
    changed('<blockquote><p>un</p><p>|deux</p><p>trois</p></blockquote>', toggleBlockquote),
    '<blockquote><p>un</p></blockquote><p>deux</p><blockquote><p>trois</p></blockquote>',
  );
  t.equal(changed('<p>|x <strong>y</strong></p>', toggleCodeBlock), '<pre><code>x y</code></pre>');
  t.equal(changed('<pre><code class="language-c">|x</code></pre>', toggleCodeBlock), '<p>x</p>');
});

t.test('clearing leaves plain paragraphs with their links', async (t) => {
  const marked =
    '<h2 class="align-center indent-3" dir="rtl">[<strong><span class="color-red">un</span></strong> <a href="https://a.cm">lien</a></h2><ul><li><em>deux]</em></li></ul>';
  t.equal(changed(marked, clearFormatting), '<p>un <a href="https://a.cm">lien</a></p><p>deux</p>');
  t.equal(
    changed(
      '<blockquote><ol><li>[un<ul><li>deux<p>bis</p></li></ul></li></ol><pre><code class="language-c">trois</code></pre></blockquote><table><tr><td><ul><li>quatre]</li></ul></td></tr></table>',
      clearFormatting,
    ).replace(/<div class="table-scroll"[^>]*>/, ''),
    '<p>un</p><p>deux</p><p>bis</p><p>trois</p><table><tbody><tr><td>quatre</td></tr></tbody></table></div>',
    'removes lists, quotations and code, also in a cell',
  );
  t.equal(
    changed(`<p>[un</p>${FIGURE.replace('|', ']')}`, clearFormatting),
    `<p>un</p>${FIGURE.replace('|', '')}`,
    'clearing the format keeps a figure',
  );
  t.equal(
    changed('<p class="align-right">|<em>x</em></p>', clearFormatting),
    '<p><em>x</em></p>',
    'without a selection, only the current block is cleared',
  );
});

t.test('the cursor can leave a figure, table or code block', async (t) => {
  const figure = FIGURE.replace('|', '');
  t.equal(changed(FIGURE, leaveFigure), `${figure}<p></p>`);
  t.equal(changed(`${FIGURE}<p></p>`, paragraphBelow), `${figure}<p></p>`, 'uses an existing empty paragraph');
  t.equal(changed(`${FIGURE}<p>suite</p>`, paragraphBelow), `${figure}<p></p><p>suite</p>`);
  t.equal(leaveFigure(textOf('<p>|x</p>')), false);
  const whole = after(textOf(FIGURE.replace('Une |', '|')), selectFigure);
  t.ok(whole.selection instanceof NodeSelection);
  t.equal(selectFigure(textOf(FIGURE)), false, 'within the caption, Backspace deletes a letter');
  const table = after(textOf('<table><tr><td>|x</td></tr></table>'), paragraphBelow);
  t.equal(table.selection.$from.parent.content.size, 0);
  t.equal(table.selection.$from.depth, 1);
  t.match(htmlOf(table), /<\/table><\/div><p><\/p>$/);
});
