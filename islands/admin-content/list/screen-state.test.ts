import t from 'tap';
import type { ItemSummary } from '../items/records.ts';
import { beginScreen, pagesOf, reduceScreen, type ScreenEvent, type ScreenState, shownItems } from './screen-state.ts';
import { placeOf } from './use-reorder.ts';

const item = (id: number, numero_page = id): ItemSummary => ({
  id,
  titre: `Leçon ${id}`,
  intitule: null,
  numero_page,
  version: 1,
  updated_at: '2026-11-21T13:00:00.000Z',
});
const items = (count: number) => Array.from({ length: count }, (_, index) => item(index + 1));
const begin = (count: number, selected: number | null = null): ScreenState =>
  beginScreen({ course: items(count), exercise: [], pastExam: [], quiz: [] }, 'course', selected);
const run = (state: ScreenState, ...events: ScreenEvent[]): ScreenState => events.reduce(reduceScreen, state);
const ids = ({ lists }: ScreenState) => lists.course.items.map(({ id }) => id);
const kind = 'course' as const;

t.test('ten items per page, starting with the page of the selected item', async (t) => {
  t.equal(pagesOf(begin(0).lists.course), 1);
  t.equal(pagesOf(begin(10).lists.course), 1);
  t.equal(pagesOf(begin(11).lists.course), 2);
  const state = begin(23, 21);
  t.same(
    shownItems(state.lists.course).map(({ id }) => id),
    [21, 22, 23],
  );
  t.equal(state.lists.course.selected, 21);
  t.equal(begin(3, 99).lists.course.selected, null, 'an unknown item is not selected');
  t.equal(run(begin(23), { type: 'page chosen', kind, page: 9 }).lists.course.page, 3);
  t.equal(run(begin(23), { type: 'page chosen', kind, page: 0 }).lists.course.page, 1);
});

t.test('the first item opens if none is open', async (t) => {
  const wanted = { type: 'first wanted', kind } as const;
  t.equal(run(begin(3), wanted).lists.course.selected, 1);
  t.equal(run(begin(3, 2), wanted).lists.course.selected, 2, 'the open item stays open');
  t.equal(run(begin(0), wanted).lists.course.selected, null);
});

t.test('a created item is added at the end and selected on its page', async (t) => {
  const state = run(begin(10), { type: 'created', kind, item: item(11) });
  t.same([state.lists.course.selected, state.lists.course.page], [11, 2]);
  t.same(ids(state), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
});

t.test('deleting closes the selected item, renumbers the following ones and leaves an empty page', async (t) => {
  const state = run(begin(11, 11), { type: 'deleted', kind, id: 11 });
  t.same([state.lists.course.selected, state.lists.course.page], [null, 1]);
  const other = run(begin(4, 4), { type: 'deleted', kind, id: 2 });
  t.equal(other.lists.course.selected, 4, 'another open item stays open');
  t.same(
    other.lists.course.items.map(({ id, numero_page }) => [id, numero_page]),
    [
      [1, 1],
      [3, 2],
      [4, 3],
    ],
  );
});

t.test('moving renumbers, also across pages, and shows the new page of the item', async (t) => {
  const state = run(begin(12), { type: 'moved', kind, id: 10, to: 11 });
  t.same(ids(state), [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 10, 12]);
  t.same(
    state.lists.course.items.map(({ numero_page }) => numero_page),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  );
  t.equal(state.lists.course.page, 2);
  t.same(ids(run(begin(3), { type: 'moved', kind, id: 1, to: 99 })), [2, 3, 1]);
  t.same(ids(run(begin(3), { type: 'moved', kind, id: 3, to: 0 })), [3, 1, 2]);
});

t.test('reading the list again keeps the open item open, even if it was deleted', async (t) => {
  const state = run(begin(3, 2), { type: 'list wanted', kind }, { type: 'list read', kind, items: [item(1), item(3, 2)] });
  t.same(state.lists.course, { items: [item(1), item(3, 2)], reading: 'done', page: 1, selected: 2 });
  t.equal(run(begin(3), { type: 'list failed', kind }).lists.course.reading, 'failed');
});

t.test('tabs keep their own selection', async (t) => {
  const state = run(begin(3, 2), { type: 'tab chosen', kind: 'exercise' }, { type: 'created', kind: 'exercise', item: item(7, 1) });
  t.same([state.tab, state.lists.exercise.selected, state.lists.course.selected], ['exercise', 7, 2]);
});

t.test('the new position of an item dropped between entries, or on a page', async (t) => {
  // The entry at index 3 of the second page has position 14.
  t.equal(placeOf({ index: 0 }, 3, 2), 11);
  t.equal(placeOf({ index: 2 }, 3, 2), 13);
  t.equal(placeOf({ index: 6 }, 3, 2), 16, 'the entries in between have moved up');
  t.equal(placeOf({ index: 3 }, 3, 2), null, 'dropping an item before itself moves nothing');
  t.equal(placeOf({ index: 4 }, 3, 2), null, 'dropping an item after itself moves nothing');
  t.equal(placeOf({ page: 3 }, 3, 2), 21, 'an item dropped on the next page becomes its first');
  t.equal(placeOf({ page: 1 }, 3, 2), 10, 'an item dropped on the previous page becomes its last');
  t.equal(placeOf({ page: 2 }, 3, 2), null);
});
