import t from 'tap';
import { addressedItem, documentTitle, itemHref, parentHref, placeOf, type Section, sameItem } from './outline.ts';

const sections: Section[] = [
  { type: 'course', items: [] },
  {
    type: 'exercise',
    items: [
      { id: 7, titre: 'Dérivées' },
      { id: 5, titre: 'Intégrales' },
      { id: 9, titre: 'Suites' },
    ],
  },
  { type: 'pastExam', items: [{ id: 7, titre: 'Concours', annee: 2023 }] },
];

t.test('the position of an item is counted in its own section', async (t) => {
  t.same(placeOf(sections, { type: 'exercise', id: 5 }), {
    titre: 'Intégrales',
    page: 2,
    pages: 3,
    previous: { type: 'exercise', id: 7 },
    next: { type: 'exercise', id: 9 },
    nextLocked: false,
    onward: null,
  });
  t.match(placeOf(sections, { type: 'exercise', id: 7 }), { page: 1, previous: null, next: { id: 5 } });
  t.match(
    placeOf(sections, { type: 'exercise', id: 9 }),
    { page: 3, previous: { id: 5 }, next: null },
    'the next page is in the same section only',
  );
  t.match(placeOf(sections, { type: 'pastExam', id: 7 }), { titre: 'Concours', page: 1, pages: 1, previous: null, next: null });
  t.equal(placeOf(sections, { type: 'course', id: 7 }), null, 'items of different kinds may have the same id');
  t.equal(placeOf(sections, null), null);
});

t.test('the end of a section leads to the next section with items', async (t) => {
  t.match(placeOf(sections, { type: 'exercise', id: 9 }), { onward: { type: 'pastExam', id: 7, label: 'Passer aux anciens sujets' } });
  t.match(placeOf(sections, { type: 'pastExam', id: 7 }), { onward: null }, 'the last section leads nowhere');
  const lessons: Section[] = [{ type: 'course', items: [{ id: 1, titre: 'Une' }] }, ...sections.slice(1)];
  t.match(placeOf(lessons, { type: 'course', id: 1 }), { onward: { type: 'exercise', id: 7, label: 'Passer aux exercices' } });
});

t.test('a locked neighbour cannot be opened', async (t) => {
  const items = [
    { id: 1, titre: 'Une' },
    { id: 2, titre: 'Deux', locked: true },
  ];
  t.match(placeOf([{ type: 'course', items }], { type: 'course', id: 1 }), {
    page: 1,
    pages: 2,
    next: null,
    nextLocked: true,
    onward: null,
  });
});

t.test('the address of an item is parsed back', async (t) => {
  const item = { type: 'exercise' as const, id: 9 };
  const href = itemHref('/user/prepa/1/2', item);
  t.equal(href, '/user/prepa/1/2?type=exercise&item=9');
  t.same(addressedItem(sections, new URL(href, 'http://site').search), item);
  t.same(addressedItem(sections, ''), { type: 'exercise', id: 7 }, 'without an item, the first item of the first section with items');
  t.equal(addressedItem([], ''), null);
  for (const search of [
    '?type=course&item=7',
    '?type=exercise&item=8',
    '?type=exercise',
    '?item=7',
    '?type=x&item=7',
    '?type=exercise&item=7x',
  ])
    t.equal(addressedItem(sections, search), null, search);
  t.equal(parentHref('/user/prepa/1/2'), '/user/prepa/1');
  t.equal(parentHref('/user/prepa/consultation/1/2'), '/user/prepa/consultation/1');
});

t.test('items are equal if their type and id are equal', async (t) => {
  t.ok(sameItem({ type: 'course', id: 1 }, { type: 'course', id: 1 }));
  t.notOk(sameItem({ type: 'course', id: 1 }, { type: 'exercise', id: 1 }));
  t.notOk(sameItem({ type: 'course', id: 1 }, null));
});

t.test("the document's title keeps the site's name", async (t) => {
  t.equal(
    documentTitle('Une - Mathématiques - ENS | PrépaConcours', 'Deux', 'Mathématiques - ENS'),
    'Deux - Mathématiques - ENS | PrépaConcours',
  );
  t.equal(documentTitle('Une - Maths - ENS | Douala | Site', 'Deux', 'Maths - ENS | Douala'), 'Deux - Maths - ENS | Douala | Site');
  t.equal(documentTitle('Une', 'Deux', 'Maths'), 'Deux - Maths');
});
