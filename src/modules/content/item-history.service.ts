import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../platform/errors.ts';
import type { UseCaseContext } from '../../platform/events.ts';
import { transact } from '../../platform/transaction.ts';
import type { Actor } from '../identity/index.ts';
import { itemNotFound } from './content.errors.ts';
import type { ItemKind } from './item.entity.ts';
import type { ItemRow } from './item.repository.ts';
import { lockItem, refuseOutdated, storeSave } from './item-save.ts';
import { itemTypeOf } from './item-types.ts';

/** Versions that are listed, at most: the newest. All of them are kept. */
const mostListed = 100;

export interface VersionRow {
  version: number;
  titre: string;
  saved_at: Date;
  /** Null: loaded at the terminal. */
  saved_by: string | null;
  current: boolean;
}

export interface VersionTexts extends VersionRow {
  annee: number | null;
  contenu: string;
  corrige: string | null;
}

/** The kept versions and what stands there now, which is not kept yet when it was loaded at the terminal and never edited. */
const versions = `
  select v.version, v.titre, v.annee, v.contenu, v.corrige, v.saved_at, v.saved_by, v.version = i.version as current
  from item i join item_version v on v.item_id = i.id where i.id = ? and i.kind = ?
  union all
  select i.version, i.titre, i.annee, i.contenu, i.corrige, i.updated_at, null, true
  from item i where i.id = ? and i.kind = ? and not exists (select from item_version v where v.item_id = i.id and v.version = i.version)`;

/** What an item has said, newest first. @throws AppError 404 */
export async function listVersions(em: EntityManager, kind: ItemKind, id: number): Promise<VersionRow[]> {
  const rows = await em.execute<VersionRow[]>(
    `select version, titre, saved_at, saved_by, current from (${versions}) v order by version desc limit ${mostListed}`,
    [id, kind, id, kind],
  );
  if (rows.length === 0) throw itemNotFound(itemTypeOf(kind));
  return rows;
}

/** One version with its texts. @throws AppError 404 */
export async function readVersion(em: EntityManager, kind: ItemKind, id: number, version: number): Promise<VersionTexts> {
  const [row] = await em.execute<VersionTexts[]>(`select * from (${versions}) v where version = ?`, [id, kind, id, kind, version]);
  if (!row) throw notFound("Cette version n'existe pas ou n'existe plus.");
  return row;
}

/**
 * Makes an earlier version the newest one; the one before it is kept as well.
 * @param from the version that whoever restores has seen last; null does not ask
 * @throws AppError 404, 409 with `current` and `changedBy`
 */
export function restoreVersion(
  em: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  { kind, id, version, from }: { kind: ItemKind; id: number; version: number; from: number | null },
): Promise<ItemRow> {
  return transact(em, context, async (tx) => {
    const item = await lockItem(tx, kind, id);
    await refuseOutdated(tx, item, from);
    const { titre, annee, contenu, corrige } = await readVersion(tx, kind, id, version);
    return storeSave(tx, context, actor, item, { titre, annee, contenu, corrige, texts: {} });
  });
}
