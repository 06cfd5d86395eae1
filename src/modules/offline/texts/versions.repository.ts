import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';

/** A prepa with the ids of the chosen disciplines; null: all disciplines. */
export interface Choice {
  id: number;
  disciplines: number[] | null;
}

/** The versions of a choice, and whether the learner may read it. */
export interface ChoiceVersions {
  /** Null when the prepa does not exist; `prepaNom`, `isPublished` and `prepaVersion` are null then too. */
  prepaId: number | null;
  prepaNom: string;
  isPublished: boolean;
  prepaVersion: number;
  /** Whether the learner has access now. */
  access: boolean;
  /** End of the enrolment; null without one. */
  end: Date | null;
  /** Id, version and outline version of each chosen discipline that exists. */
  disciplines: [id: number, version: number, outlineVersion: number][];
}

/** Maximum number of disciplines read per prepa. A prepa usually has about a dozen. */
export const maxDisciplines = 200;
/** Maximum number of items read per choice. A prepa usually has some hundreds. */
export const maxItems = 5000;

/** Uses a lateral query by id: PostgreSQL overestimates the JSON list's length, and would join it by reading the whole catalogue. */
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

/** Returns the versions of choices, in their order. @param userId null: no access to any prepa */
export const findVersions = (em: EntityManager, userId: string | null, now: Date, choices: readonly Choice[]): Promise<ChoiceVersions[]> =>
  versions(em, [userId, now, JSON.stringify(choices)]);
