import t from 'tap';
import { escapeHtml } from '../../../shared/escapes.ts';
import { documentFromJson } from '../../../shared/rich-text/document.ts';
import { richTextSchema } from '../../../shared/rich-text/schema.ts';
import { serialise } from '../../../shared/rich-text/serialise.ts';
import { resolveImages, withFilePlaceholders } from './image-placeholders.ts';
import { KNOWN, readBody } from './strict-body.ts';

const stored = new Map([['a.png', { src: '/media/a.webp', width: 2, height: 1 }]]);

/** Returns the canonical HTML of a text, with formulas as `[latex]`, or its faults. */
function html(source: string, format: 'md' | 'html' = 'md'): string | string[] {
  const faults: string[] = [];
  const body = readBody(source, format, 1, (line, message) => faults.push(`${line}: ${message}`));
  if (!body) return faults;
  const written = serialise(documentFromJson(resolveImages(withFilePlaceholders(body.document.toJSON()), stored)), {
    formula: (latex, display) => escapeHtml(display ? `[[${latex}]]` : `[${latex}]`),
  });
  return written.replaceAll(/ (?:data-latex|tabindex|role|aria-label|loading|decoding|class="formula(?:-block)?")(?:="[^"]*")?/g, '');
}

t.test('formulas in Markdown', async (t) => {
  const cases: [string, string][] = [
    ['$a_1$ et $b_2$', '<p><span>[a_1]</span> et <span>[b_2]</span></p>'],
    ['*a $x*y$ b* **c $u_{n}*v$**', '<p><em>a <span>[x*y]</span> b</em> <strong>c <span>[u_{n}*v]</span></strong></p>'],
    ['5 \\$ et $x$ et 6 \\$', '<p>5 $ et <span>[x]</span> et 6 $</p>'],
    ['$5 \\$ + x$', '<p><span>[5 \\$ + x]</span></p>'],
    ['`$x$` et ``a ` $``', '<p><code>$x$</code> et <code>a ` $</code></p>'],
    ['```js\n$x$ $\n```', '<pre><code class="language-js">$x$ $</code></pre>'],
    ['$a < b$ et $c \\& d$', '<p><span>[a &lt; b]</span> et <span>[c \\&amp; d]</span></p>'],
    ['a\n\n$$\nx +\ny\n$$\n\nb', '<p>a</p><div>[[x +\ny]]</div><p>b</p>'],
    ['a\n$$x$$\nb', '<p>a</p><div>[[x]]</div><p>b</p>'],
    ['a $$x$$ b $$y$$', '<p>a</p><div>[[x]]</div><p>b</p><div>[[y]]</div>'],
    ['- a\n\n  $$x$$\n- $$y$$', '<ul><li>a<div>[[x]]</div></li><li><div>[[y]]</div></li></ul>'],
    ['> $$x$$', '<blockquote><div>[[x]]</div></blockquote>'],
    ['## Les $u_n$', '<h2>Les <span>[u_n]</span></h2>'],
    ['[a $x$](https://a.cm)', '<p><a href="https://a.cm">a <span>[x]</span></a></p>'],
    ['<u>$x$</u>', '<p><u><span>[x]</span></u></p>'],
  ];
  for (const [source, expected] of cases) t.equal(html(source), expected, JSON.stringify(source));
});

t.test('the rest of Markdown', async (t) => {
  const cases: [string, string][] = [
    [
      'a **b** *c* ~~d~~ `e` <u>f</u> H<sub>2</sub>O x<sup>2</sup>',
      '<p>a <strong>b</strong> <em>c</em> <s>d</s> <code>e</code> <u>f</u> H<sub>2</sub>O x<sup>2</sup></p>',
    ],
    ['H~2~O', '<p>H~2~O</p>'],
    ['a[^1] b\n\n[^1]: c $x$', '<p>a<sup>[1]</sup> b</p><p><strong>Notes</strong></p><ol><li>c <span>[x]</span></li></ol>'],
    ['a  \nb\nc', '<p>a<br>b c</p>'],
    ['1. a\n2. b\n   - c\n\n3. d', '<ol><li>a</li><li>b<ul><li>c</li></ul></li><li>d</li></ol>'],
    ['3. a', '<ol start="3"><li>a</li></ol>'],
    [
      '| | b |\n|---|---|\n| $c$ | **d** |',
      '<div class="table-scroll"><table><thead><tr><td></td><th scope="col">b</th></tr></thead><tbody><tr><td><span>[c]</span></td><td><strong>d</strong></td></tr></tbody></table></div>',
    ],
    ['![a](a.png)', '<figure><img src="/media/a.webp" alt="a" width="2" height="1"></figure>'],
    [
      '![a "b"](a.png "Courbe de $f$")',
      '<figure><img src="/media/a.webp" alt="a &quot;b&quot;" width="2" height="1"><figcaption>Courbe de <span>[f]</span></figcaption></figure>',
    ],
    ['a ![b](a.png)', '<p>a <img src="/media/a.webp" alt="b" width="2" height="1"></p>'],
    ['<https://a.cm> &amp; &lt;b&gt; \\*c\\*', '<p><a href="https://a.cm">https://a.cm</a> &amp; &lt;b&gt; *c*</p>'],
    [
      '<table><tr><td colspan="2">$x$</td></tr></table>',
      '<div class="table-scroll"><table><tbody><tr><td colspan="2"><span>[x]</span></td></tr></tbody></table></div>',
    ],
    [
      '| a | b |\n|:-:|--:|\n| 1 | |',
      '<div class="table-scroll"><table><thead><tr><th scope="col"><p class="align-center">a</p></th><th scope="col"><p class="align-right">b</p></th></tr></thead><tbody><tr><td><p class="align-center">1</p></td><td></td></tr></tbody></table></div>',
    ],
    ['    code $x$', '<pre><code>code $x$</code></pre>'],
    ['a\n\n---\n\n> b', '<p>a</p><hr><blockquote><p>b</p></blockquote>'],
  ];
  for (const [source, expected] of cases) t.equal(html(source), expected, JSON.stringify(source));
});

t.test('HTML', async (t) => {
  t.equal(
    html('<p>5 \\$ $x$ <code>$y$</code></p><pre>$z$\n  $</pre>', 'html'),
    '<p>5 $ <span>[x]</span> <code>$y$</code></p><pre><code>$z$\n  $</code></pre>',
  );
  t.equal(html('<p>a &lt; b $c &lt; d$ &amp;amp;</p>', 'html'), '<p>a &lt; b <span>[c &lt; d]</span> &amp;amp;</p>');
  t.equal(
    html('<p><img src="a.png" alt="b" title="c"></p>', 'html'),
    '<figure><img src="/media/a.webp" alt="b" width="2" height="1"><figcaption>c</figcaption></figure>',
  );
  t.equal(
    html('<figure>\n  <img src="a.png" alt="b">\n  <figcaption>c <em>d</em></figcaption>\n</figure>', 'html'),
    '<figure><img src="/media/a.webp" alt="b" width="2" height="1"><figcaption>c <em>d</em></figcaption></figure>',
  );
  t.equal(
    html('<table><tr><th></th><th>a</th></tr></table>', 'html'),
    '<div class="table-scroll"><table><thead><tr><td></td><th scope="col">a</th></tr></thead></table></div>',
  );
  const shaped = '<p class="align-right indent-2" dir="rtl">a <span class="color-red">b</span> <span class="bg-yellow">c</span></p>';
  t.equal(html(shaped, 'html'), shaped);
  for (const fault of [
    '<p class="big">a</p>',
    '<p class="align-top">a</p>',
    '<p dir="ltr">a</p>',
    '<p>a <span class="color-mauve">b</span></p>',
  ])
    t.match(html(fault, 'html'), [/^1: Valeur interdite pour (?:class|dir)/], fault);
  t.same(html('<h2>$$x$$</h2>', 'html'), ["1: Une formule hors texte ($$) n'a pas sa place dans <h2>"]);
});

t.test('every accepted element exists in the schema', async (t) => {
  const rules = [...Object.values(richTextSchema.nodes), ...Object.values(richTextSchema.marks)].flatMap(({ spec }) => spec.parseDOM ?? []);
  const tags = new Set(rules.flatMap(({ tag }) => tag?.split(/[.[]/)[0] ?? []));
  const around = ['thead', 'tbody', 'figcaption'];
  t.same(
    Object.keys(KNOWN).filter((tag) => !tags.has(tag) && !around.includes(tag)),
    [],
  );
});

t.test('a text that would exhaust a parser is a fault', async (t) => {
  t.same(html('>'.repeat(50_000)), ["1: Trop d'éléments imbriqués"]);
  t.same(html('<b>'.repeat(15_000), 'html'), ["1: Trop d'éléments imbriqués"]);
  t.same(html('<ul><li>'.repeat(200), 'html'), ["1: Trop d'éléments imbriqués"]);
  for (const source of ['- '.repeat(10_000), '*_'.repeat(5_000), '['.repeat(5_000), '$'.repeat(5_001)]) {
    t.doesNotThrow(() => html(`${source}a`), source.slice(0, 4));
  }
});
