import type { EntityManager } from '@mikro-orm/postgresql';
import { readRows } from '../../../platform/database/rows.ts';
import { vectorOf } from '../../../shared/search/index-terms.ts';
import { shownTitle } from './item.repository.ts';

/** Texts loaded into memory at once. */
const batchSize = 20;

interface Waiting {
  id: number;
  disciplineId: number;
  titre: string;
  texte: string;
  texteCorrige: string | null;
  revision: string;
}

/** Returns the SQL of a discipline's search word: it starts with chr(1), so no text can contain it. */
export const disciplineWord = (id: string) => `chr(1) || ${id}::text`;

const waiting = (only: string) => `
  select i.id, i.discipline_id, ${shownTitle('i')} as titre, i.texte, i.texte_corrige, w.xmin::text as revision
  from item_words w join item i on i.id = w.item_id where w.words is null and ${only} order by w.item_id limit ${batchSize}`;

/** Skips rows that are locked, or changed since their text was read: they stay queued. Rows are locked in id order, as elsewhere. */
const store = `
  with read as (select * from jsonb_to_recordset(?::jsonb) as r(id int, discipline_id int, words text, revision text)),
       taken as (select w.item_id from item_words w join read r on r.id = w.item_id and r.revision = w.xmin::text order by w.item_id for no key update of w skip locked)
  update item_words w set words = r.words::tsvector || array_to_tsvector(array[${disciplineWord('r.discipline_id')}])
  from read r join taken t on t.item_id = r.id where w.item_id = r.id and w.xmin::text = r.revision
  returning w.item_id`;

/**
 * Updates the search words of items whose texts have changed since the last run; triggers queue them
 * (docs/decisions/091-words-of-a-search.md).
 * @returns the number of rows written
 */
export async function indexItems(em: EntityManager): Promise<number> {
  let written = 0;
  for (let last = 0; ; ) {
    const rows = await readRows<Waiting>(em, waiting('w.item_id > ?'), [last]);
    if (rows.length === 0) return written;
    last = rows.at(-1)?.id ?? last;
    written += await write(em, rows);
  }
}

/** Updates the search words of these items, in the transaction that has moved them. */
export async function indexEach(tx: EntityManager, ids: readonly number[]): Promise<void> {
  for (let from = 0; from < ids.length; from += batchSize) {
    const batch = ids.slice(from, from + batchSize);
    await write(tx, await readRows<Waiting>(tx, waiting('w.item_id = any(?::int[])'), [`{${batch.join(',')}}`]));
  }
}

/** Updates the search words of one item, in the transaction that wrote its texts. */
export async function indexItem(tx: EntityManager, id: number): Promise<void> {
  await write(tx, await readRows<Waiting>(tx, waiting('w.item_id = ?'), [id]));
}

async function write(em: EntityManager, rows: readonly Waiting[]): Promise<number> {
  if (rows.length === 0) return 0;
  const words = rows.map(({ id, disciplineId, titre, texte, texteCorrige, revision }) => ({
    id,
    discipline_id: disciplineId,
    words: vectorOf([
      { text: titre, weight: 'A' },
      { text: texte, weight: 'B' },
      { text: texteCorrige ?? '', weight: 'C' },
    ]),
    revision,
  }));
  return (await em.execute<object[]>(store, [JSON.stringify(words)])).length;
}
