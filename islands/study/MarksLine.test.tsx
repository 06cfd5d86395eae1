import { parseHTML } from 'linkedom';
import { renderToString } from 'react-dom/server';
import t from 'tap';
import { MarksLine } from './MarksLine.tsx';

/** Returns the text of the resume link, for these marks, while another item is shown. */
function wayOn({ last, finished = [], openedWith = 13 }: { last: number | null; finished?: number[]; openedWith?: number }) {
  const html = renderToString(
    <MarksLine
      base="/user/prepa/1/2"
      follow={undefined}
      sections={[
        { type: 'course', items: [11, 12, 13].map((id) => ({ id, titre: `Leçon ${id}` })) },
        { type: 'exercise', items: [{ id: 21, titre: 'Exercice' }] },
      ]}
      shown={{ type: 'course', id: 13 }}
      marks={{
        opened: new Set(),
        finished: new Set(finished),
        others: [],
        last: last ? { type: 'course', id: last } : null,
        openedWith: { type: 'course', id: openedWith },
      }}
    />,
  );
  return parseHTML(`<!doctype html><html><body>${html}</body></html>`).document.querySelector('.marks__link')?.textContent ?? null;
}

t.test('the link leads to an unfinished item that is not shown', async (t) => {
  t.equal(wayOn({ last: null }), null);
  t.equal(wayOn({ last: 11 }), 'Reprendre : Leçon 11');
  t.equal(wayOn({ last: 11, finished: [11] }), 'Reprendre : Leçon 12');
  t.equal(wayOn({ last: 13, finished: [13] }), 'Reprendre : Exercice');
  t.equal(wayOn({ last: 11, finished: [11, 12] }), null, 'no link leads to the item that is shown');
  t.equal(wayOn({ last: 11, openedWith: 11 }), null, 'no link leads to the item with which the page was opened');
  t.equal(wayOn({ last: 11, finished: [11, 12, 13, 21] }), null);
});

t.test('the link has one element as content, with typographic spaces', async (t) => {
  const item = { type: 'course', id: 11 } as const;
  const html = renderToString(
    <MarksLine
      base="/user/prepa/1/2"
      follow={undefined}
      sections={[{ type: 'course', items: [{ id: 11, titre: 'Suites' }] }]}
      shown={null}
      marks={{ opened: new Set([11]), finished: new Set(), others: [], last: item, openedWith: null }}
    />,
  );
  const link = parseHTML(`<!doctype html><html><body>${html}</body></html>`).document.querySelector('.marks__link');
  t.equal(link?.textContent, 'Reprendre : Suites');
  t.equal(link?.childNodes.length, 1, 'the link lays out its children in a row');
});

t.test('items to review count apart from finished ones', async (t) => {
  const counted = (finished: number[], toReview: number[]) => {
    const html = renderToString(
      <MarksLine
        base="/user/prepa/1/2"
        follow={undefined}
        sections={[{ type: 'exercise', items: [11, 12, 13].map((id) => ({ id, titre: `Exercice ${id}` })) }]}
        shown={null}
        marks={{
          opened: new Set(),
          finished: new Set(finished),
          last: null,
          openedWith: null,
          others: [{ label: 'à revoir', icon: 'warning', ids: new Set(toReview) }],
        }}
      />,
    );
    return parseHTML(`<!doctype html><html><body>${html}</body></html>`).document.querySelector('.marks p')?.textContent;
  };
  t.equal(counted([11, 12], [12]), '1 sur 3 terminés, 1 à revoir');
  t.equal(counted([11], [13]), '1 sur 3 terminés, 1 à revoir', 'one that is unfinished again');
  t.equal(counted([11, 12], []), '2 sur 3 terminés');
});
