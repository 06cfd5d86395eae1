import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { ItemKind } from '../../../shared/item-kinds.ts';
import { type AttachedDocument, documentsWhen, kindOrder } from '../items/item.repository.ts';

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
const maxDisciplines = 200;
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

/** An item, or a discipline without any (`itemId` null). The texts are null, as their pictures and documents, of an item that the device holds already. */
export interface KeptRow {
  disciplineId: number;
  nom: string;
  description: string;
  image: string | null;
  /** Of the discipline, and of its contents. */
  disciplineVersion: number;
  outlineVersion: number;
  itemId: number | null;
  kind: ItemKind;
  titre: string;
  annee: number | null;
  duree: number | null;
  version: number;
  changed: boolean;
  contenu: string | null;
  corrige: string | null;
  documents: AttachedDocument[];
  /** The texts of the version that the device holds, where it is known; null otherwise. */
  before: { contenu: string; corrige: string | null } | null;
  /** Pictures that it shows or has shown in a version that is kept. */
  pictures: { name: string; octets: number | null }[];
}

/**
 * SQL: what a device compares. An item's own version does not change with its documents, so that they are a part of it where there are any.
 */
const keptVersion = (
  version: string,
) => `coalesce((select ('x' || left(md5(concat_ws(' ', ${version}, string_agg(concat_ws('.', f.id, f.nom), ' ' order by f.id))), 7))::bit(28)::int
                              from item_document f where f.item_id = i.id having count(*) > 0), ${version})`;

const texts = namedStatement<KeptRow>({
  name: 'content.offline-texts',
  reads: 'replica',
  text: `select d.id as discipline_id, d.nom, d.description, d.image, d.version as discipline_version, d.outline_version, i.id as item_id, i.kind, i.titre, i.annee, i.duree, i.kept_version as version,
                h.id is null as changed, case when h.id is null then i.contenu end as contenu, case when h.id is null then i.corrige end as corrige,
                ${documentsWhen('h.id is null')},
                (select json_build_object('contenu', v.contenu, 'corrige', v.corrige) from item_version v
                 where $5 and h.id is null and o.id is not null and v.item_id = i.id and ${keptVersion('v.version')} = o.version limit 1) as before,
                coalesce((select json_agg(json_build_object('name', c.name, 'octets', c.octets) order by c.name)
                          from item_image s join content_image c on c.name = s.image_name where s.item_id = i.id and h.id is null), '[]') as pictures
         from (select * from discipline where prepa_id = $1 and ($2::int[] is null or id = any($2)) order by id limit ${maxDisciplines}) d
              left join lateral (select *, ${keptVersion('i.version')} as kept_version from item i where i.discipline_id = d.id) i on true
              left join unnest($3::int[], $4::int[]) h(id, version) on h.id = i.id and h.version = i.kept_version
              left join unnest($3::int[], $4::int[]) o(id, version) on o.id = i.id
         order by d.id, ${kindOrder}, i.numero_page limit ${maxItems}`,
});

/** What a device holds. */
export interface Held {
  /** Items by their ids, with their versions. */
  items: readonly (readonly [number, number])[];
  /** Whether it makes texts of their changes. */
  takesChanges: boolean;
}

/**
 * The disciplines of a choice with their items, in their order.
 * @param named they are kept by these versions: not by older ones
 */
export function listKept(
  em: EntityManager,
  { id, disciplines }: Choice,
  { items, takesChanges }: Held,
  named: Pick<ChoiceVersions, 'disciplines'>,
): Promise<KeptRow[]> {
  // A device that names one twice gets its row once all the same.
  const held = [...new Map(items)];
  const isCurrent = (rows: KeptRow[]) => {
    const found = new Map(rows.map((row) => [row.disciplineId, row]));
    return (
      found.size === named.disciplines.length &&
      named.disciplines.every(([discipline, version, outlineVersion]) => {
        const row = found.get(discipline);
        return row !== undefined && row.disciplineVersion >= version && row.outlineVersion >= outlineVersion;
      })
    );
  };
  return texts(em, [id, disciplines, held.map(([item]) => item), held.map(([, version]) => version), takesChanges], isCurrent);
}

/** Remembers how large pictures are. */
export async function keepSizes(em: EntityManager, sizes: readonly { name: string; octets: number }[]): Promise<void> {
  await em.fork().execute(
    `with held as (select name from content_image where name = any(?::text[]) and octets is null order by name for no key update)
     update content_image c set octets = s.octets from held join unnest(?::text[], ?::int[]) s(name, octets) using (name) where c.name = held.name`,
    [names(sizes), names(sizes), `{${sizes.map(({ octets }) => octets)}}`],
  );
}

const names = (sizes: readonly { name: string }[]): string => `{${sizes.map(({ name }) => `"${name}"`)}}`;
