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

/** An item without its texts, or a discipline without any item (`itemId` null). */
export interface OutlineRow {
  disciplineId: number;
  nom: string;
  description: string;
  image: string | null;
  /** Of the discipline, and of its contents. */
  disciplineVersion: number;
  outlineVersion: number;
  itemId: number | null;
  version: number;
  /** The device does not hold this version. */
  changed: boolean;
  /** What its texts take in the table, compressed, in bytes. */
  stored: number;
}

/** An item with its texts. */
export interface KeptRow {
  itemId: number;
  kind: ItemKind;
  titre: string;
  annee: number | null;
  duree: number | null;
  version: number;
  contenu: string;
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

/** SQL: the disciplines of a choice, whose prepa is $1 and whose ids, or null, $2. */
const chosenDisciplines = `(select * from discipline where prepa_id = $1 and ($2::int[] is null or id = any($2)) order by id limit ${maxDisciplines})`;

/** SQL: what the texts of an item take in the table, compressed, in bytes; the texts themselves are not read. */
const storedBytes = 'pg_column_size(i.contenu) + coalesce(pg_column_size(i.corrige), 0)';

const outline = namedStatement<OutlineRow>({
  name: 'content.offline-outline',
  reads: 'replica',
  text: `select d.id as discipline_id, d.nom, d.description, d.image, d.version as discipline_version, d.outline_version, i.id as item_id, i.kept_version as version,
                h.id is null as changed, i.stored
         from ${chosenDisciplines} d
              left join lateral (select i.id, i.kind, i.numero_page, ${keptVersion('i.version')} as kept_version, ${storedBytes} as stored
                                 from item i where i.discipline_id = d.id) i on true
              left join unnest($3::int[], $4::int[]) h(id, version) on h.id = i.id and h.version = i.kept_version
         order by d.id, ${kindOrder}, i.numero_page limit ${maxItems}`,
});

const texts = namedStatement<KeptRow>({
  name: 'content.offline-texts',
  reads: 'replica',
  text: `select i.id as item_id, i.kind, i.titre, i.annee, i.duree, i.kept_version as version, i.contenu, i.corrige, ${documentsWhen()},
                (select json_build_object('contenu', v.contenu, 'corrige', v.corrige) from item_version v
                 where o.id is not null and v.item_id = i.id and ${keptVersion('v.version')} = o.version limit 1) as before,
                coalesce((select json_agg(json_build_object('name', c.name, 'octets', c.octets) order by c.name)
                          from item_image s join content_image c on c.name = s.image_name where s.item_id = i.id), '[]') as pictures
         from unnest($1::int[]) with ordinality as asked(id, place)
              join lateral (select *, ${keptVersion('i.version')} as kept_version from item i where i.id = asked.id) i on true
              left join unnest($2::int[], $3::int[]) o(id, version) on o.id = i.id
         order by asked.place`,
});

const weights = namedStatement<WeightRow>({
  name: 'content.offline-weights',
  reads: 'replica',
  text: `select d.id, d.nom, i.contenus, i.stored, f.documents, f.octets
         from ${chosenDisciplines} d
              cross join lateral (select count(*)::int as contenus, coalesce(sum(${storedBytes}), 0)::int as stored from item i where i.discipline_id = d.id) i
              cross join lateral (select count(*)::int as documents, coalesce(sum(f.octets), 0)::int as octets
                                  from item i join item_document f on f.item_id = i.id where i.discipline_id = d.id) f
         order by d.id`,
});

/** What a discipline weighs, without its pictures; sizes in bytes. */
export interface WeightRow {
  id: number;
  nom: string;
  contenus: number;
  /** What its texts take in the table, compressed. */
  stored: number;
  documents: number;
  octets: number;
}

const shownImages = namedStatement<{ disciplineId: number; name: string; octets: number | null }>({
  name: 'content.offline-pictures',
  reads: 'replica',
  text: `select distinct d.id as discipline_id, c.name, c.octets
         from ${chosenDisciplines} d join item i on i.discipline_id = d.id join item_image s on s.item_id = i.id join content_image c on c.name = s.image_name
         where strpos(i.contenu, c.name) > 0 or strpos(i.corrige, c.name) > 0
         order by d.id, c.name limit ${maxItems}`,
});

const remoteImages = namedStatement<{ count: number }>({
  name: 'content.offline-remote-pictures',
  reads: 'replica',
  text: `select count(distinct r.src[1])::int as count
         from ${chosenDisciplines} d join item i on i.discipline_id = d.id
              cross join lateral regexp_matches(concat(i.contenu, i.corrige), '<img src="(https?:[^"]*)', 'gi') as r(src)`,
});

/** How many pictures of other sites the texts show, each address once. */
export const countRemotePictures = async (em: EntityManager, { id, disciplines }: Choice): Promise<number> =>
  (await remoteImages(em, [id, disciplines]))[0]?.count ?? 0;

/** What each discipline of a choice weighs, without reading a text. */
export const listWeights = (em: EntityManager, { id, disciplines }: Choice): Promise<WeightRow[]> => weights(em, [id, disciplines]);

/** The pictures that the texts of each discipline show. */
export const listShownPictures = (em: EntityManager, { id, disciplines }: Choice) => shownImages(em, [id, disciplines]);

/** What a device holds. */
export interface Held {
  /** Items by their ids, with their versions. */
  items: readonly (readonly [number, number])[];
  /** Whether it makes texts of their changes. */
  takesChanges: boolean;
}

/**
 * Returns the disciplines of a choice with their items, in their order.
 * @param named their versions: rows that are older are read again
 */
export function listOutline(
  em: EntityManager,
  { id, disciplines }: Choice,
  { items }: Held,
  named: Pick<ChoiceVersions, 'disciplines'>,
): Promise<OutlineRow[]> {
  const isCurrent = (rows: OutlineRow[]) => {
    const found = new Map(rows.map((row) => [row.disciplineId, row]));
    return (
      found.size === named.disciplines.length &&
      named.disciplines.every(([discipline, version, outlineVersion]) => {
        const row = found.get(discipline);
        return row !== undefined && row.disciplineVersion >= version && row.outlineVersion >= outlineVersion;
      })
    );
  };
  return outline(em, [id, disciplines, ...columns(items)], isCurrent);
}

/**
 * Returns the texts of some items, in the order of their ids; items that have gone meanwhile are missing.
 * @param outlined the versions that the outline named: rows that are older are read again
 */
export function listTexts(
  em: EntityManager,
  ids: readonly number[],
  { items, takesChanges }: Held,
  outlined: ReadonlyMap<number, number>,
): Promise<KeptRow[]> {
  const isCurrent = (rows: KeptRow[]) =>
    rows.length === ids.length && rows.every(({ itemId, version }) => outlined.get(itemId) === version);
  return texts(em, [ids, ...columns(takesChanges ? items.filter(([item]) => ids.includes(item)) : [])], isCurrent);
}

/** Ids and versions. A device that names an item twice gets its row once all the same. */
function columns(items: Held['items']): [number[], number[]] {
  const held = [...new Map(items)];
  return [held.map(([item]) => item), held.map(([, version]) => version)];
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
