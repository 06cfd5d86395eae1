import t from 'tap';
import { type CatalogueEvent, type CatalogueState, reduceCatalogue } from './catalogue-state.ts';
import type { Discipline, Prepa } from './records.ts';

const prepa = (id: number): Prepa => ({
  id,
  nom: `Prepa ${id}`,
  description: 'Texte.',
  prix: 5000,
  image_url: null,
  is_published: false,
  version: 1,
});
const discipline = (id: number, prepaId: number): Discipline => ({
  id,
  nom: `Discipline ${id}`,
  description: 'Texte.',
  image_url: null,
  prepa_concours_id: prepaId,
  version: 1,
});
const begin: CatalogueState = {
  prepas: [prepa(1), prepa(2)],
  failed: false,
  selected: 1,
  disciplines: [discipline(7, 1)],
  reading: 'done',
};
const after = (events: CatalogueEvent[], state = begin) => events.reduce(reduceCatalogue, state);

t.test('selecting another prepa reads its disciplines and hides the previous ones', async (t) => {
  const waiting = after([{ type: 'selected', id: 2 }]);
  t.match(waiting, { selected: 2, disciplines: [], reading: 'waiting' });
  t.equal(after([{ type: 'selected', id: 1 }]), begin, 'selecting the same prepa changes nothing');
  const late = after([{ type: 'disciplines read', prepaId: 1, disciplines: [discipline(7, 1)] }], waiting);
  t.equal(late, waiting, 'a late response for the previous prepa is ignored');
  t.equal(after([{ type: 'disciplines failed', prepaId: 1 }], waiting), waiting, 'a late failure for the previous prepa is ignored too');
  const read = after([{ type: 'disciplines read', prepaId: 2, disciplines: [discipline(8, 2)] }], waiting);
  t.match(read, { reading: 'done', disciplines: [{ id: 8 }] });
  t.match(after([{ type: 'disciplines failed', prepaId: 2 }], waiting), { reading: 'failed' });
});

t.test('the disciplines shown stay while they are read again', async (t) => {
  t.match(after([{ type: 'disciplines wanted' }]), { reading: 'waiting', disciplines: [{ id: 7 }] });
});

t.test('a list that is read again keeps the selection, or selects the first prepa', async (t) => {
  const failed = after([{ type: 'prepas failed' }]);
  t.match(failed, { failed: true, prepas: [{ id: 1 }, { id: 2 }] }, 'a failed read keeps the known prepas');
  const renewed = after([{ type: 'prepas read', prepas: [prepa(2), { ...prepa(1), nom: 'Autre nom' }] }], failed);
  t.match(renewed, { failed: false, selected: 1, disciplines: [{ id: 7 }], reading: 'done' });
  t.match(after([{ type: 'prepas read', prepas: [prepa(3), prepa(2)] }]), { selected: 3, disciplines: [], reading: 'waiting' });
  t.match(after([{ type: 'prepas read', prepas: [] }]), { selected: null, disciplines: [], reading: 'done' });
});

t.test('a new prepa is added last and selected, without disciplines', async (t) => {
  const state = after([{ type: 'prepa created', prepa: prepa(9) }]);
  t.same(
    state.prepas.map(({ id }) => id),
    [1, 2, 9],
  );
  t.match(state, { selected: 9, disciplines: [], reading: 'done' });
});

t.test('a change affects only its prepa', async (t) => {
  const state = after([{ type: 'prepa changed', prepa: { id: 2, is_published: true } }]);
  t.same(state.prepas, [prepa(1), { ...prepa(2), is_published: true }]);
});

t.test('deleting the selected prepa selects the first one left, or none', async (t) => {
  t.match(after([{ type: 'prepa deleted', id: 2 }]), { selected: 1, disciplines: [{ id: 7 }], reading: 'done' });
  const other = after([{ type: 'prepa deleted', id: 1 }]);
  t.match(other, { selected: 2, disciplines: [], reading: 'waiting' });
  t.match(after([{ type: 'prepa deleted', id: 2 }], other), { prepas: [], selected: null, disciplines: [], reading: 'done' });
});
