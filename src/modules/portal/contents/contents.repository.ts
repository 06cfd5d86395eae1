import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import { type ItemKind, itemKinds } from '../../../shared/item-kinds.ts';
import { shownToLearners } from '../../content/index.ts';

/** Number of contents of a prepa, by kind. */
export interface PrepaContents extends Record<ItemKind, number> {
  /** Time of the last change of a content; null without any. */
  changedAt: Date | null;
}

const counts = itemKinds.map((kind) => `count(*) filter (where i.kind = '${kind}')::int as "${kind}"`).join(', ');

/** Returns SQL of one row: the contents of the prepa `prepaId`. */
export const contentsOf = (prepaId: string) => `select ${counts}, max(i.updated_at) as changed_at
      from item i join discipline d on d.id = i.discipline_id where d.prepa_id = ${prepaId} and ${shownToLearners('i')}`;

const ofPublished = namedStatement<PrepaContents>({
  name: 'portal.contents-of-prepa',
  reads: 'replica',
  text: `select c.* from prepa p cross join lateral (${contentsOf('p.id')}) c where p.id = $1 and p.is_published`,
});

/** Returns the contents of a published prepa; null when there is no such prepa. */
export const findContents = async (em: EntityManager, prepaId: number): Promise<PrepaContents | null> =>
  (await ofPublished(em, [prepaId], (rows) => rows.length > 0))[0] ?? null;
