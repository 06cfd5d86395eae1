import t from 'tap';
import { withFrenchSpaces } from './french-spaces.ts';

const narrow = '\u202f';
const wide = '\u00a0';

t.test('makes spaces before French punctuation and inside quotation marks non-breaking', async (t) => {
  const formula = '<span class="formula" data-latex="x ; y : z"><math><mi>x</mi> <mo>;</mo></math></span>';
  for (const [written, shown] of [
    ['<p>Vrai ? Oui ! Soit ; donc : « ici ».</p>', `<p>Vrai${narrow}? Oui${narrow}! Soit${narrow}; donc${wide}: «${wide}ici${wide}».</p>`],
    [
      `<p><strong>${formula}</strong> ; ${formula} : ${formula}.</p>`,
      `<p><strong>${formula}</strong>${narrow}; ${formula}${wide}: ${formula}.</p>`,
    ],
    ['<p><em>Théorème</em> : A &lt; B &amp; C ?</p>', `<p><em>Théorème</em>${wide}: A &lt; B &amp; C${narrow}?</p>`],
  ] as const)
    t.equal(withFrenchSpaces(written), shown);
});

t.test('adds no spaces and changes none in code, formulas and attributes', async (t) => {
  for (const html of [
    '',
    '<p>De 12:30 à 13:00, https://exemple.cm/a?b=1;c</p>',
    '<p>&lt;a&gt;&amp;b; «ici»</p>',
    '<pre><code class="language-c">a ? b : c ;\n« x »</code></pre>',
    '<p>Le code <code>x ? y : z ;</code></p>',
    '<p><a href="https://exemple.cm/a ; b">ici</a><img src="/a.png" alt="Une figure : le cube"></p>',
    '<div class="formula-block" data-latex="a : b"><math display="block"><mtext>si : </mtext> <mo>;</mo></math></div>',
  ])
    t.equal(withFrenchSpaces(html), html);
});
