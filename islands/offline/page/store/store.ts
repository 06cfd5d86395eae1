import { changeCopy, copies, copy, putCopy } from '../../both/store/copies.ts';
import { device, note, now, putNote, see, trust } from '../../both/store/device.ts';
import './make-database.ts';
import { marksOf, putMarks } from '../../both/store/marks.ts';
import { addEntry, dropEntries, entries } from '../../both/store/outbox.ts';
import { forget, forgetAll, sweep, told, untold } from '../../both/store/removal.ts';
import { applyTexts, discipline, disciplinesOf, item, itemsOf } from '../../both/store/texts.ts';

export type { Copy, StoredDiscipline, StoredItem } from '../../both/store/records.ts';
export { isFull } from './make-database.ts';

/** All functions of the store. Each may reject with `StorageRefused`. The worker imports single files instead, to stay small. */
const store = {
  copies,
  copy,
  putCopy,
  changeCopy,
  disciplinesOf,
  discipline,
  itemsOf,
  item,
  applyTexts,
  marksOf,
  putMarks,
  addEntry,
  entries,
  dropEntries,
  device,
  now,
  see,
  trust,
  note,
  putNote,
  forget,
  untold,
  told,
  sweep,
  forgetAll,
};
export type Store = typeof store;

/** Returns the store. @throws StorageRefused when the browser refuses storage */
export async function openStore(): Promise<Store> {
  await copies();
  return store;
}
