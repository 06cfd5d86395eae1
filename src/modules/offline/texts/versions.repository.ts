import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';

/** A prepa, or those of its disciplines that are chosen; null: all of them. */
export interface Choice {
  id: number;
  disciplines: number[] | null;
}

/** Whether a learner may read a choice, and what it is made of, told by versions alone. */
export interface ChoiceVersions {
  /** Null: there is no such prepa, as all else. */
  prepaId: number | null;
  prepaNom: string;
  isPublished: boolean;
  prepaVersion: number;
  /** An access that lasts. */
  access: boolean;
  /** Of the enrolment; null without one. */
  end: Date | null;
  /** Id, version and version of the contents of each chosen discipline that is there. */
  disciplines: [id: number, version: number, outlineVersion: number][];
}

/** Of one prepa, at most: a prepa has a dozen. */
export const maxDisciplines = 200;
/** Of one choice, at most; a prepa has some hundreds. */
export const maxItems = 5000;

/** Each prepa is looked for by its number: to join the choices PostgreSQL, which takes a list for longer than it is, would read the whole catalogue. */
const versions = namedStatement<ChoiceVersions>({
  name: 'content.offline-versions',
  text: `select p.id as prepa_id, p.nom as prepa_nom, p.is_published, p.version as prepa_version, e.date_expiration as "end",
                coalesce(e.statut = 'active' and e.date_expiration > $2, false) as access,
                coalesce((select json_agg(json_build_array(d.id, d.version, d.outline_version) order by d.id)
                          from (select * from discipline where prepa_id = p.id and (a.disciplines is null or id = any(a.disciplines))
                                order by id limit ${maxDisciplines}) d), '[]') as disciplines
         from rows from (jsonb_to_recordset($3::jsonb) as (id int, disciplines int[])) with ordinality as a(id, disciplines, place)
              left join lateral (select * from prepa where id = a.id limit 1) p on true left join enrolment e on e.user_id = $1 and e.prepa_id = p.id
         order by a.place`,
});

/** In the order in which they are asked for. @param userId null: nobody may read anything */
export const findVersions = (em: EntityManager, userId: string | null, now: Date, choices: readonly Choice[]): Promise<ChoiceVersions[]> =>
  versions(em, [userId, now, JSON.stringify(choices)]);
