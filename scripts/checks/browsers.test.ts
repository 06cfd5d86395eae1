import t from 'tap';
import { checkStyles, newerStyles } from './browsers.ts';

t.test('what a browser of the floor does not know is named, with its place', async (t) => {
  t.same(await newerStyles('a { color: red }\n@layer pages { b:has(i) { inset-inline: 0 } }', 'known.css'), []);
  const [nested, ...others] = await newerStyles('a {\n  &:hover { color: red }\n}', 'newer.css');
  t.match(nested, /newer\.css.*CSS Nesting/s);
  t.same(others, []);
});

t.test('the style sheets keep to it', async (t) => {
  t.equal(await checkStyles(), null);
});
