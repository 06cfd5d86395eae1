import t from 'tap';
import { textOf } from '../../test/support/editor-text.ts';
import { figuresOf, wordsIn } from './word-count.ts';

t.test('words of all blocks are counted, and a formula as one', async (t) => {
  const count = (html: string) => wordsIn(textOf(html).doc);
  t.equal(count('<p></p>'), 0);
  t.equal(count("<h2>Les suites</h2><p>Soit <strong>l'en</strong>semble : a, b - et 3.</p>"), 8);
  t.equal(count('<p>Soit <span class="formula" data-latex="u_n + 1"></span>.</p><div class="formula-block" data-latex="x + y"></div>'), 3);
  t.equal(count('<ul><li>un<ul><li>deux</li></ul></li></ul><table><tr><td>trois</td><td>quatre cinq</td></tr></table>'), 5);
});

t.test('figures are written in French', async (t) => {
  t.equal(figuresOf(0), '0 mot');
  t.equal(figuresOf(1), '1 mot, 1 min de lecture');
  t.equal(figuresOf(1_300).replaceAll(/\s/g, ' '), '1 300 mots, 7 min de lecture');
});
