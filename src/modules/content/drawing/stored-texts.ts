import type { EntityManager } from '@mikro-orm/postgresql';
import { readRows } from '../../../platform/database/rows.ts';
import type { ItemKind } from '../../../shared/item-kinds.ts';
import { indexItems } from '../items/item-words.ts';

/** A row that holds texts with formulas. */
export interface StoredTexts {
  id: number;
  itemId: number;
  kind: ItemKind;
  titre: string;
  version: number;
  contenu: string;
  corrige: string | null;
}

/** Where texts stand: what items say now, and what they have said. */
export interface TextStore {
  /** Those of the rows after `id` that hold a formula. */
  next(em: EntityManager, id: number, limit: number): Promise<StoredTexts[]>;
  /** Writes texts without counting a version; whatever has been saved meanwhile stays. @returns how many rows were written */
  write(tx: EntityManager, rows: readonly StoredTexts[]): Promise<number>;
}

const written = 'jsonb_to_recordset(?::jsonb) as r(id int, version int, contenu text, corrige text)';
const hasFormula = (table: string) => `(${table}.contenu like '%data-latex=%' or coalesce(${table}.corrige, '') like '%data-latex=%')`;

/** A trigger counts the outline of each discipline whose items are written: pages that are kept or were sent before are made anew. */
export const currentTexts: TextStore = {
  next: (em, id, limit) =>
    readRows(
      em,
      `select id, id as item_id, kind, titre, version, contenu, corrige from item where id > ? and ${hasFormula('item')} order by id limit ?`,
      [id, limit],
    ),
  async write(tx, rows) {
    const ids = `{${rows.map(({ id }) => id)}}`;
    // Disciplines before their items, as whoever saves locks them.
    await tx.execute(
      'select id from discipline where id in (select discipline_id from item where id = any(?::int[])) order by id for no key update',
      [ids],
    );
    await tx.execute('select id from item where id = any(?::int[]) order by id for update', [ids]);
    const done = await tx.execute<object[]>(
      `update item set contenu = r.contenu, corrige = r.corrige from ${written}
       where item.id = r.id and item.version = r.version returning item.id`,
      [JSON.stringify(rows)],
    );
    await indexItems(tx);
    return done.length;
  },
};

/** Restored, an earlier version shall not bring its old drawing back. */
export const earlierTexts: TextStore = {
  next: (em, id, limit) =>
    readRows(
      em,
      `select v.id, v.item_id, i.kind, v.titre, v.version, v.contenu, v.corrige from item_version v join item i on i.id = v.item_id
       where v.id > ? and ${hasFormula('v')} order by v.id limit ?`,
      [id, limit],
    ),
  async write(tx, rows) {
    const done = await tx.execute<object[]>(
      `update item_version v set contenu = r.contenu, corrige = r.corrige from ${written} where v.id = r.id returning v.id`,
      [JSON.stringify(rows)],
    );
    return done.length;
  },
};
