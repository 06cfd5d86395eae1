import t from 'tap';
import { withFormulaMarks } from './formula-marks.ts';

t.test('only the space between a formula and a mark of French holds', async (t) => {
  const formula = '<span class="formula" data-latex="x ; y"><math><mi>x</mi></math></span>';
  for (const mark of [';', ':', '!', '?', '»'])
    t.equal(
      withFormulaMarks(`<p><strong>${formula}</strong> ${mark} ${formula} et ${formula}.</p>`),
      `<p><strong>${formula}</strong>&nbsp;${mark} ${formula} et ${formula}.</p>`,
    );
  t.equal(withFormulaMarks(`(${formula}) ;`), `(${formula})&nbsp;;`);
  for (const html of [`<p>mot ; ${formula}, ${formula} (a)</p>`, '<pre><code>a ; b</code></pre>', ''])
    t.equal(withFormulaMarks(html), html);
});
