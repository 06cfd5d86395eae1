import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { ItemKind } from '../../../shared/item-kinds.ts';

/** Learner counts of an item. Each learner counts once per column. */
export interface ItemReadings {
  id: number;
  kind: ItemKind;
  titre: string;
  numeroPage: number;
  annee: number | null;
  opened: number;
  finished: number;
  /** Learners whose last mark is 'à revoir'. */
  toReview: number;
  /** Learners who have reported an error. */
  reported: number;
}

const readings = namedStatement<ItemReadings>({
  name: 'content.readings',
  text: `with own as (select id, kind, titre, numero_page, annee from item where discipline_id = $1)
         select own.*, coalesce(t.opened, 0) as opened, coalesce(t.finished, 0) as finished, coalesce(t.to_review, 0) as to_review,
                coalesce(e.reported, 0) as reported
         from own left join item_tally t on t.item_id = own.id
              left join (select item_id, count(distinct user_id)::int as reported
                         from item_report where item_id in (select id from own) group by item_id) e on e.item_id = own.id
         order by own.numero_page, own.id`,
});

/** Returns the learner counts of every item of a discipline, ordered by position. */
export const readReadings = (em: EntityManager, disciplineId: number): Promise<ItemReadings[]> => readings(em, [disciplineId]);
