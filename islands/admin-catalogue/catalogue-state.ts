import type { Discipline, Prepa } from './records.ts';

/** The state of the screen: the prepas, the selected one and its disciplines. */
export interface CatalogueState {
  prepas: Prepa[];
  /** The list of prepas could not be read. */
  failed: boolean;
  selected: number | null;
  disciplines: Discipline[];
  /** State of reading the selected prepa's disciplines. */
  reading: 'done' | 'waiting' | 'failed';
}

export type CatalogueEvent =
  | { type: 'prepas read'; prepas: Prepa[] }
  | { type: 'prepas failed' }
  | { type: 'selected'; id: number }
  | { type: 'disciplines wanted' }
  | { type: 'disciplines read'; prepaId: number; disciplines: Discipline[] }
  | { type: 'disciplines failed'; prepaId: number }
  | { type: 'prepa created'; prepa: Prepa }
  | { type: 'prepa changed'; prepa: Pick<Prepa, 'id'> & Partial<Prepa> }
  | { type: 'prepa deleted'; id: number };

export function reduceCatalogue(state: CatalogueState, event: CatalogueEvent): CatalogueState {
  switch (event.type) {
    case 'prepas read':
      return select({ ...state, prepas: event.prepas, failed: false }, state.selected);
    case 'prepas failed':
      return { ...state, failed: true };
    case 'selected':
      return select(state, event.id);
    case 'disciplines wanted':
      return { ...state, reading: 'waiting' };
    // A late response is for a prepa that is no longer selected.
    case 'disciplines read':
      return event.prepaId === state.selected ? { ...state, disciplines: event.disciplines, reading: 'done' } : state;
    case 'disciplines failed':
      return event.prepaId === state.selected ? { ...state, reading: 'failed' } : state;
    case 'prepa created':
      return { ...state, prepas: [...state.prepas, event.prepa], selected: event.prepa.id, disciplines: [], reading: 'done' };
    case 'prepa changed':
      return { ...state, prepas: state.prepas.map((prepa) => (prepa.id === event.prepa.id ? { ...prepa, ...event.prepa } : prepa)) };
    case 'prepa deleted':
      return select({ ...state, prepas: state.prepas.filter(({ id }) => id !== event.id) }, state.selected);
  }
}

/** Selects a prepa, or the first if it is not in the list. If the selection changes, its disciplines must be read. */
function select(state: CatalogueState, wanted: number | null): CatalogueState {
  const selected = state.prepas.find(({ id }) => id === wanted)?.id ?? state.prepas[0]?.id ?? null;
  if (selected === state.selected) return state;
  return { ...state, selected, disciplines: [], reading: selected === null ? 'done' : 'waiting' };
}
