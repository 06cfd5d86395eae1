import t from 'tap';
import { richTextSchema } from '../../../src/shared/rich-text/schema.ts';
import { after, changed, htmlOf, textOf } from '../../../test/support/editor-text.ts';
import { applyLink, colorAt, isMarked, linkAt, linkPasted, removeLink, setColor, toggle } from './marks.ts';

const { strong, text_color: textColor, background_color: backgroundColor, subscript, superscript } = richTextSchema.marks;

t.test('a partly marked selection becomes fully marked', async (t) => {
  t.equal(changed('<p>[un <strong>deux</strong>]</p>', toggle(strong)), '<p><strong>un deux</strong></p>');
  t.equal(changed('<p><strong>[un deux]</strong></p>', toggle(strong)), '<p>un deux</p>');
  t.equal(isMarked(textOf('<p>[un <strong>deux</strong>]</p>'), strong), false);
  t.equal(isMarked(textOf('<p><strong>[deux]</strong></p>'), strong), true);
  t.equal(isMarked(after(textOf('<p>un|</p>'), toggle(strong)), strong), true, 'the mark applies to the text typed next');
  t.equal(toggle(strong)(textOf('<pre><code>|x</code></pre>')), false);
  t.equal(changed('<p><sub>[x]</sub></p>', toggle(superscript)), '<p><sup>x</sup></p>', 'subscript and superscript exclude each other');
  t.equal(isMarked(textOf('<p><sub>[x]</sub></p>'), subscript), true);
});

t.test('a colour is set, changed, removed and read', async (t) => {
  t.equal(changed('<p>[x]</p>', setColor(textColor, 'red')), '<p><span class="color-red">x</span></p>');
  t.equal(changed('<p><span class="color-red">[x]</span></p>', setColor(textColor, 'blue')), '<p><span class="color-blue">x</span></p>');
  t.equal(changed('<p><span class="bg-yellow">[x]</span></p>', setColor(backgroundColor, null)), '<p>x</p>');
  t.equal(colorAt(textOf('<p>un <span class="bg-yellow">[x]</span></p>'), backgroundColor), 'yellow');
  t.equal(colorAt(textOf('<p>un| <span class="bg-yellow">x</span></p>'), backgroundColor), null);
  const next = after(textOf('<p>x|</p>'), setColor(textColor, 'green'));
  t.equal(colorAt(next, textColor), 'green');
  t.equal(colorAt(after(next, setColor(textColor, null)), textColor), null);
});

t.test('an address pasted over selected words links the words', async (t) => {
  const linked = (html: string, pasted: string) => changed(html, linkPasted(pasted));
  t.equal(
    linked('<p>voir [la <em>page</em>] ici</p>', ' https://a.cm/cours?x=1#b\n'),
    '<p>voir <a href="https://a.cm/cours?x=1#b">la <em>page</em></a> ici</p>',
  );
  t.equal(linked('<h2>[Écrire]</h2>', 'mailto:prof@a.cm'), '<h2><a href="mailto:prof@a.cm">Écrire</a></h2>');
  t.equal(linked('<p>un <a href="https://a.cm">[deux]</a></p>', 'http://b.cm'), '<p>un <a href="http://b.cm">deux</a></p>');
  for (const pasted of [
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://a.cm',
    'tel:+237600000000',
    '/page',
    'a.cm',
    'voir https://a.cm',
    'https://a.cm https://b.cm',
    'https://',
    'mot',
    '',
  ])
    t.equal(linkPasted(pasted)(textOf('<p>[mot]</p>')), false, pasted);
  for (const html of ['<p>mot|</p>', '<p>[un</p><p>deux]</p>', '<pre><code>[mot]</code></pre>', '<p>[https://b.cm]</p>', '<p>a[ ]b</p>'])
    t.equal(linkPasted('https://a.cm')(textOf(html)), false, html);
});

t.test('a link is added, read, changed and removed', async (t) => {
  t.equal(changed('<p>voir [ici]</p>', applyLink('https://a.cm', 'ici')), '<p>voir <a href="https://a.cm">ici</a></p>');
  t.equal(changed('<p>voir |</p>', applyLink('https://a.cm', '')), '<p>voir <a href="https://a.cm">https://a.cm</a></p>');
  t.equal(
    changed('<p>[x <em>y</em>]</p>', applyLink('https://a.cm', '')),
    '<p><a href="https://a.cm">x <em>y</em></a></p>',
    'a link keeps the marks of its text',
  );
  const linked = '<p>un <a href="https://a.cm">li<strong>e|n</strong></a> fin</p>';
  t.match(linkAt(textOf(linked)), { href: 'https://a.cm', text: 'lien', from: 4, to: 8 });
  t.equal(changed(linked, applyLink('tel:+237600000000', 'lien')), '<p>un <a href="tel:+237600000000">li<strong>en</strong></a> fin</p>');
  t.equal(changed(linked, applyLink('https://b.cm', 'autre')), '<p>un <a href="https://b.cm">autre</a> fin</p>');
  t.equal(changed(linked, removeLink), '<p>un li<strong>en</strong> fin</p>');
  t.equal(linkAt(textOf('<p>|un <a href="https://a.cm">lien</a></p>')), null);
  t.equal(removeLink(textOf('<p>|x</p>')), false);
  t.match(linkAt(textOf('<p><a href="https://a.cm">lien|</a> fin</p>')), { text: 'lien' }, 'a cursor at the end of a link is in the link');
  const typedOn = after(textOf('<p>voir |</p>'), applyLink('https://a.cm', 'ici'));
  t.equal(
    htmlOf(typedOn.apply(typedOn.tr.insertText(' !'))),
    '<p>voir <a href="https://a.cm">ici</a> !</p>',
    'text typed after the link is not linked',
  );
});
