import t from 'tap';
import { checkStyles, newerStyles } from './browsers.ts';

t.test('reports a feature that the oldest browsers lack, with its position', async (t) => {
  t.same(await newerStyles('a { color: red }\n@layer pages { b:has(i) { inset-inline: 0 } }', 'known.css'), []);
  const [nested, ...others] = await newerStyles('a {\n  &:hover { color: red }\n}', 'newer.css');
  t.match(nested, /newer\.css.*CSS Nesting/s);
  t.same(others, []);
});

t.test('the style sheets use no such feature', async (t) => {
  t.equal(await checkStyles(), null);
});
