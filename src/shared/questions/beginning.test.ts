import t from 'tap';
import { beginningOf, plainBeginningOf } from './beginning.ts';

const formula = '<span class="formula" data-latex="a &lt; b"><math><mi>a</mi><mo>&lt;</mo><mi>b</mi></math></span>';
const block =
  '<div class="formula-block" data-latex="x" tabindex="0" role="group" aria-label="Formule"><math display="block"><mi>x</mi></math></div>';

for (const [html, asHtml, asText] of [
  ['<p>Un</p>', 'Un', 'Un'],
  ['<p>Un</p><p>deux</p>', 'Un deux', 'Un deux'],
  ['<p>Un<br>deux <strong>trois</strong>, quatre</p>', 'Un deux trois, quatre', 'Un deux trois, quatre'],
  ['<p>H<sub>2</sub>O &amp; co</p>', 'H<sub>2</sub>O &amp; co', 'H2O & co'],
  [
    `<p>Si ${formula}, alors ?</p>`,
    'Si <span class="formula"><math><mi>a</mi><mo>&lt;</mo><mi>b</mi></math></span>, alors ?',
    'Si $a < b$, alors ?',
  ],
  [`<p>Soit</p>${block}`, 'Soit <span class="formula"><math><mi>x</mi></math></span>', 'Soit $x$'],
  ['<p>Que montre <img src="/a.webp" alt="Carte" width="4"> ?</p>', 'Que montre [image : Carte] ?', 'Que montre [image : Carte] ?'],
  ['<p>Où est &lt;b&gt; ?</p>', 'Où est &lt;b&gt; ?', 'Où est <b> ?'],
  ['<p>Un deux trois quatre cinq six sept huit</p>', 'Un deux trois quatre cinq six…', 'Un deux trois quatre cinq six…'],
  [
    `<p>Un deux trois quatre cinq, ${formula}${formula}</p>`,
    /^Un deux trois quatre cinq, <span class="formula">((?!<span).)*<\/span>…$/,
    'Un deux trois quatre cinq, $a < b$…',
  ],
] as const)
  t.test(html, async (t) => {
    if (typeof asHtml === 'string') t.equal(beginningOf(html, 30), asHtml);
    else t.match(beginningOf(html, 30), asHtml);
    t.equal(plainBeginningOf(html, 30), asText);
  });
