import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../../../platform/errors.ts';
import type { UseCaseContext } from '../../../../platform/use-cases/events.ts';
import { transact } from '../../../../platform/use-cases/transaction.ts';
import type { ItemKind } from '../../../../shared/item-kinds.ts';
import type { Actor } from '../../../identity/index.ts';
import type { ItemRow } from '../item.repository.ts';
import { lockItem } from '../item-lock.ts';
import { itemTypeOf } from '../item-types.ts';
import { findVersion, findVersions, type ListedVersion, type VersionTexts } from '../version.repository.ts';
import { refuseOutdated, storeSave } from './save.ts';

/** Returns the versions of an item, newest first. @throws AppError 404 */
export async function listVersions(em: EntityManager, kind: ItemKind, id: number): Promise<ListedVersion[]> {
  const rows = await findVersions(em, kind, id);
  if (rows.length === 0) throw notFound(itemTypeOf(kind).unknown);
  return rows;
}

/** Returns one version with its texts. @throws AppError 404 */
export async function readVersion(em: EntityManager, kind: ItemKind, id: number, version: number): Promise<VersionTexts> {
  const row = await findVersion(em, kind, id, version);
  if (!row) throw notFound("Cette version n'existe pas ou n'existe plus.");
  return row;
}

/**
 * Saves an earlier version as the newest version. The version before the restore is stored too.
 * @param from the version that the administrator saw last; null skips the conflict check
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
    const { titre, intitule, annee, duree, bareme, contenu, corrige, keys } = await readVersion(tx, kind, id, version);
    return storeSave(tx, context, actor, item, { titre, intitule, annee, duree, bareme, contenu, corrige, keys, texts: {} });
  });
}
