import { undoInputRule } from 'prosemirror-inputrules';
import t from 'tap';
import { after, htmlOf, textOf, typed } from '../../../test/support/editor-text.ts';
import { writingRules } from './input-rules.ts';

const type = (html: string, text: string): string => htmlOf(typed(textOf(html, [writingRules()]), text));

t.test('signs at the beginning of a line set its format', async (t) => {
  t.equal(type('<p>|</p>', '# Suites'), '<h1>Suites</h1>');
  t.equal(type('<p>|</p>', '###### Note'), '<h6>Note</h6>');
  t.equal(type('<p>|</p>', '####### Note'), '<p>####### Note</p>', 'a seventh heading level does not exist');
  t.equal(type('<p>|</p>', '> dit-il'), '<blockquote><p>dit-il</p></blockquote>');
  t.equal(type('<p>|</p>', '- un'), '<ul><li>un</li></ul>');
  t.equal(type('<p>|</p>', '* un'), '<ul><li>un</li></ul>');
  t.equal(type('<p>|</p>', '1. un'), '<ol><li>un</li></ol>');
  t.equal(type('<p>|</p>', '3. trois'), '<ol start="3"><li>trois</li></ol>');
  t.equal(type('<p>|</p>', '2) deux'), '<ol start="2" data-label="1)"><li>deux</li></ol>');
  t.equal(type('<p>|</p>', '(1) un'), '<ol data-label="(1)"><li>un</li></ol>');
  t.equal(
    type('<ol><li>un</li></ol><p>|</p>', '2) deux'),
    '<ol><li>un</li></ol><ol start="2" data-label="1)"><li>deux</li></ol>',
    'another label is another list',
  );
  t.equal(
    type('<ol start="3"><li>trois</li></ol><p>|</p>', '4. quatre'),
    '<ol start="3"><li>trois</li><li>quatre</li></ol>',
    'the item joins the list before it',
  );
  t.equal(type('<p>|</p>', '``` x'), '<pre><code>x</code></pre>');
  t.equal(type('<p>|</p>', '```python x'), '<pre><code class="language-python">x</code></pre>');
  t.equal(type('<p>|</p>', '---fin'), '<hr><p>fin</p>');
});

t.test('elsewhere the signs stay text', async (t) => {
  t.equal(type('<p>Le |</p>', '# dièse - 1. > ---'), '<p>Le # dièse - 1. &gt; ---</p>');
  t.equal(type('<pre><code>|</code></pre>', '# $x$ - '), '<pre><code># $x$ - </code></pre>', 'signs in a code block stay text');
  t.equal(type('<p>---| et la suite</p>', '-'), '<p>---- et la suite</p>');
});

t.test('LaTeX between dollars becomes a formula', async (t) => {
  const formula = (latex: string) => `<span class="formula" data-latex="${latex}">${latex}</span>`;
  t.equal(type('<p>|</p>', 'Soit $x$ et $u_n = 2n$.'), `<p>Soit ${formula('x')} et ${formula('u_n = 2n')}.</p>`);
  t.equal(type('<h2>|</h2>', '($\\alpha$)'), `<h2>(${formula('\\alpha')})</h2>`);
});

t.test('amounts and words between dollars stay text', async (t) => {
  for (const text of ['de 5$ à 10$', '$5 et 10$', '$5 et $10', 'US$ ou CA$', '$ x$', '$ $', '\\$x$', 'prix en $beaucoup$'])
    t.equal(type('<p>|</p>', text), `<p>${text}</p>`);
  t.equal(type('<p><code>a |</code></p>', '$x$'), '<p><code>a $x$</code></p>', 'dollars in inline code stay text');
  t.equal(
    type('<p>|</p>', `$${'x+'.repeat(1_100)}$`).includes('class="formula"'),
    false,
    'text longer than the maximum of a formula stays text',
  );
});

t.test('French typography is left as it is typed', async (t) => {
  const text = "« L'ensemble ℝ » : -- est-ce (c) sûr ? ... oui ! 1/2 -> fin";
  t.equal(type('<p>|</p>', text), `<p>${text.replace('>', '&gt;')}</p>`);
});

t.test('Backspace restores the typed text', async (t) => {
  const state = typed(textOf('<p>|</p>', [writingRules()]), '# ');
  t.equal(htmlOf(after(state, undoInputRule)), '<p># </p>');
});
