import type { EntityManager } from '@mikro-orm/postgresql';
import { readRows } from '../../../platform/database/rows.ts';

/** A prepa with the day of its concours, and what its learners said after theirs. */
export interface ConcoursRow {
  id: number;
  nom: string;
  /** `2026-12-21`; null without a date. */
  day: string | null;
  admitted: number;
  failed: number;
  waiting: number;
}

/** Returns prepas by id. @param after id before the first one */
export const listConcours = (em: EntityManager, after: number, limit: number): Promise<ConcoursRow[]> =>
  readRows(
    em,
    `select p.id, p.nom, c.day::text as day, o.admitted, o.failed, o.waiting
     from (select id, nom from prepa where id > ? order by id limit ?) p left join concours c on c.prepa_id = p.id
          cross join lateral (select count(*) filter (where outcome = 'admitted')::int as admitted, count(*) filter (where outcome = 'failed')::int as failed,
                                     count(*) filter (where outcome = 'waiting')::int as waiting from concours_outcome where prepa_id = p.id) o
     order by p.id`,
    [after, limit],
  );
