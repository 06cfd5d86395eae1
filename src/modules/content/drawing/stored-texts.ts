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

/** A table that holds texts: the current items, or their earlier versions. */
export interface TextStore {
  /** Returns the next rows after `id` whose texts hold a formula, ordered by id. */
  next(em: EntityManager, id: number, limit: number): Promise<StoredTexts[]>;
  /**
   * Writes the drawn texts without a new version number. Rows that were saved since they were read are skipped. @returns the number
   * of rows written
   */
  write(tx: EntityManager, rows: readonly StoredTexts[]): Promise<number>;
}

const written = 'jsonb_to_recordset(?::jsonb) as r(id int, version int, contenu text, corrige text)';
const hasFormula = (table: string) => `(${table}.contenu like '%data-latex=%' or coalesce(${table}.corrige, '') like '%data-latex=%')`;

/**
 * Texts of the current items. A trigger raises the outline number of each changed discipline, so cached study pages are rendered
 * again.
 */
export const currentTexts: TextStore = {
  next: (em, id, limit) =>
    readRows(
      em,
      `select id, id as item_id, kind, titre, version, contenu, corrige from item where id > ? and ${hasFormula('item')} order by id limit ?`,
      [id, limit],
    ),
  async write(tx, rows) {
    const ids = `{${rows.map(({ id }) => id)}}`;
    // Lock disciplines before their items: saves use the same order.
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

/** Texts of earlier versions, so that restoring a version does not bring an old drawing back. */
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
