import t from 'tap';
import { renderFormula } from '../../../src/shared/formulas/render.ts';
import { templateGroups, writeTemplate } from './templates.ts';

const templates = templateGroups.flatMap((group) => group.templates);

t.test('every template of the palette can be rendered', async (t) => {
  t.ok(templates.length >= 60);
  for (const { label, latex } of templates)
    t.match(renderFormula(latex.replace('|', 'x'), true), /^<math display="block">.+<\/math>$/, label);
  const labels = templates.map(({ label }) => label);
  t.same(labels, [...new Set(labels)], 'labels are unique');
});

t.test('a template is inserted at the cursor, around the selection', async (t) => {
  t.match(writeTemplate('a + b', 4, 5, '\\sqrt{|}'), { latex: 'a + \\sqrt{b}', caret: 12 });
  t.match(writeTemplate('a + ', 4, 4, '\\sqrt{|}'), { latex: 'a + \\sqrt{}', caret: 10 });
  t.match(writeTemplate('x', 1, 1, '\\leq '), { latex: 'x\\leq ', caret: 6 });
});
