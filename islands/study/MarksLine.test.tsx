import { parseHTML } from 'linkedom';
import { renderToString } from 'react-dom/server';
import t from 'tap';
import { MarksLine } from './MarksLine.tsx';

t.test('the way back is one box in its link, marks of French and all', async (t) => {
  const item = { type: 'course', id: 11 } as const;
  const html = renderToString(
    <MarksLine
      base="/user/prepa/1/2"
      follow={undefined}
      sections={[{ type: 'course', items: [{ id: 11, titre: 'Suites' }] }]}
      shown={null}
      marks={{ opened: new Set([11]), finished: new Set(), others: [], last: item }}
    />,
  );
  const link = parseHTML(`<!doctype html><html><body>${html}</body></html>`).document.querySelector('.marks__link');
  t.equal(link?.textContent, 'Reprendre : Suites');
  t.equal(link?.childNodes.length, 1, 'the link lays its parts out side by side');
});
