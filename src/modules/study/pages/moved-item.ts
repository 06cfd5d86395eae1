import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { ItemKind } from '../../../shared/item-kinds.ts';
import { shownToLearners } from '../../content/index.ts';
import { accessCondition } from '../../enrolment/index.ts';

const placeNow = namedStatement<{ prepaId: number; disciplineId: number; access: boolean }>({
  name: 'study.place-of-item',
  text: `select p.id as prepa_id, d.id as discipline_id, a.access
         from item i join discipline d on d.id = i.discipline_id join prepa p on p.id = d.prepa_id
              cross join lateral (select ${accessCondition('$3::uuid', 'p.id', '$4')} as access) a
         where i.id = $1 and i.kind = $2 and ${shownToLearners('i')} and (p.is_published or a.access)`,
});

interface OldAddress {
  item: { kind: ItemKind; id: number };
  /** The discipline in the address. */
  disciplineId: number;
  /** Null for a visitor. */
  userId: string | null;
  now: Date;
}

/**
 * Returns the address of the study page, or of the trial, of an item that has been moved to another discipline since a link to it was made;
 * null when the item does not exist, or its prepa is hidden from this reader.
 */
export async function movedItemHref(em: EntityManager, { item, disciplineId, userId, now }: OldAddress): Promise<string | null> {
  const [place] = await placeNow(em, [item.id, item.kind, userId, now]);
  if (!place || place.disciplineId === disciplineId) return null;
  const page = place.access ? '' : 'consultation/';
  return `/user/prepa/${page}${place.prepaId}/${place.disciplineId}?type=${item.kind}&item=${item.id}`;
}
