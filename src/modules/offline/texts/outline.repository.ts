import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { ItemKind } from '../../../shared/item-kinds.ts';
import type { QuestionKey } from '../../../shared/questions/question-keys.ts';
import { type AttachedDocument, documentsWhen, kindOrder, shownTitle, shownToLearners } from '../../content/index.ts';
import { type Choice, type ChoiceVersions, maxDisciplines, maxItems } from './versions.repository.ts';

/** An item without its texts. */
export interface OutlinedItem {
  id: number;
  /** Version that a device compares with its own. */
  version: number;
  /** Size of the stored texts, in bytes. */
  octets: number;
  /** Changes with everything that a device receives of the item. */
  revision: string;
}

export interface DisciplineOutline {
  id: number;
  nom: string;
  description: string;
  image: string | null;
  version: number;
  outlineVersion: number;
  /** In the order of the contents list. */
  items: OutlinedItem[];
}

/** SQL: a question of an item that may be asked. */
const asked = 'q.item_id = i.id and q.usable and q.position is not null';

/**
 * SQL: the version that a device compares. An item's own version does not change with its documents, so for an item with documents the
 * result is a hash of both. An item with questions has a hash too: devices that got its text without keys in an earlier release get it again.
 */
const keptVersion = (version: string) =>
  `coalesce((select ('x' || left(md5(concat_ws(' ', ${version}, files, keys)), 7))::bit(28)::int
             from (select (select string_agg(concat_ws('.', f.id, f.nom), ' ' order by f.id) from item_document f where f.item_id = i.id) as files,
                          (select 'keys' from question q where ${asked} limit 1) as keys) parts
             where files is not null or keys is not null), ${version})`;

/**
 * SQL: a hash that changes with the item's row, its documents and its pictures. Uses the row's `xmin`, since texts may change without a new
 * version (when they are rendered again) and hashing the texts would read them all.
 */
const revision = `left(md5(concat_ws('|', i.xmin, i.version,
                      (select string_agg(concat_ws('.', f.id, f.nom, f.octets), ' ' order by f.id) from item_document f where f.item_id = i.id),
                      (select string_agg(concat_ws('.', c.name, c.octets), ' ' order by c.name)
                       from item_image s join content_image c on c.name = s.image_name where s.item_id = i.id))), 16)`;

const chosen = `select * from discipline where prepa_id = $1 and ($2::int[] is null or id = any($2)) order by id limit ${maxDisciplines}`;

const outlines = namedStatement<Omit<DisciplineOutline, 'items'> & { items: [number, number, number, string][] }>({
  name: 'content.offline-outlines',
  reads: 'replica',
  text: `with d as materialized (${chosen}),
              listed as (select i.discipline_id, i.id, i.kind, i.numero_page, ${keptVersion('i.version')} as version,
                                octet_length(i.contenu) + coalesce(octet_length(i.corrige), 0) as octets, ${revision} as revision
                         from d join item i on i.discipline_id = d.id and ${shownToLearners('i')} order by d.id, ${kindOrder}, i.numero_page limit ${maxItems})
         select d.id, d.nom, d.description, d.image, d.version, d.outline_version, coalesce(l.items, '[]') as items
         from d left join (select discipline_id, json_agg(json_build_array(id, version, octets, revision) order by ${kindOrder}, numero_page) as items
                           from listed group by discipline_id) l on l.discipline_id = d.id
         order by d.id`,
});

/**
 * Returns the disciplines of a choice with their items, in order.
 * @param named versions read before: rows of a replica that are older are not used
 */
export async function listOutlines(
  em: EntityManager,
  { id, disciplines }: Choice,
  named: Pick<ChoiceVersions, 'disciplines'>,
): Promise<DisciplineOutline[]> {
  const rows = await outlines(em, [id, disciplines], (rows) => {
    const found = new Map(rows.map((row) => [row.id, row]));
    return (
      found.size === named.disciplines.length &&
      named.disciplines.every(([discipline, version, outlineVersion]) => {
        const row = found.get(discipline);
        return row !== undefined && row.version >= version && row.outlineVersion >= outlineVersion;
      })
    );
  });
  return rows.map((row) => ({ ...row, items: row.items.map(([id, version, octets, revision]) => ({ id, version, octets, revision })) }));
}

/** An item with its stored texts. */
export interface KeptRow extends Pick<OutlinedItem, 'id' | 'version' | 'revision'> {
  kind: ItemKind;
  titre: string;
  annee: number | null;
  duree: number | null;
  contenu: string;
  corrige: string | null;
  documents: AttachedDocument[];
  /** Texts of the version on the device; null when that version is unknown. */
  before: { contenu: string; corrige: string | null } | null;
  /** Pictures of the item, including those of stored earlier versions. */
  pictures: { name: string; octets: number | null }[];
  /** Keys of its questions, in their order; null without questions. */
  keys: QuestionKey[] | null;
}

const texts = namedStatement<KeptRow>({
  name: 'content.offline-texts',
  reads: 'replica',
  text: `select i.id, ${keptVersion('i.version')} as version, ${revision} as revision, i.kind, ${shownTitle('i')} as titre, i.annee, i.duree, i.contenu, i.corrige, ${documentsWhen()},
                (select json_build_object('contenu', v.contenu, 'corrige', v.corrige) from item_version v
                 where o.version is not null and v.item_id = i.id and ${keptVersion('v.version')} = o.version limit 1) as before,
                coalesce((select json_agg(json_build_object('name', c.name, 'octets', c.octets) order by c.name)
                          from item_image s join content_image c on c.name = s.image_name where s.item_id = i.id), '[]') as pictures,
                (select json_agg(q.key order by q.position) from question q where ${asked}) as keys
         from unnest($1::int[], $2::int[]) with ordinality o(id, version, place) join item i on i.id = o.id order by o.place`,
});

/**
 * Returns items with their texts, in order; deleted items are left out.
 * @param held versions on the device, by item; their texts are returned in `before`
 */
export const listTexts = (
  em: EntityManager,
  items: readonly OutlinedItem[],
  held: ReadonlyMap<number, number> = new Map(),
): Promise<KeptRow[]> =>
  texts(em, [items.map(({ id }) => id), items.map(({ id }) => held.get(id) ?? null)], (rows) => isAsListed(rows, items));

/** Returns whether rows match the outline: no item was changed or deleted since it was read. */
export const isAsListed = (rows: readonly KeptRow[], items: readonly OutlinedItem[]): boolean =>
  rows.length === items.length && rows.every(({ revision }, index) => revision === items[index]?.revision);

/** Sizes of a discipline's pictures and documents, in bytes. */
export interface DisciplineFiles {
  id: number;
  /** Pictures in the current texts, each once. */
  pictures: { name: string; octets: number }[];
  documents: number[];
}

const files = namedStatement<DisciplineFiles>({
  name: 'content.offline-files',
  reads: 'replica',
  text: `with d as materialized (${chosen})
         select d.id,
                coalesce((select json_agg(json_build_object('name', name, 'octets', octets))
                          from (select distinct c.name, c.octets from item i join item_image s on s.item_id = i.id join content_image c on c.name = s.image_name
                                where i.discipline_id = d.id and ${shownToLearners('i')} and c.octets is not null and position('/media/' || c.name in concat(i.contenu, i.corrige, i.keys)) > 0) c),
                         '[]') as pictures,
                coalesce((select json_agg(f.octets) from item i join item_document f on f.item_id = i.id where i.discipline_id = d.id and ${shownToLearners('i')}), '[]') as documents
         from d order by d.id`,
});

export const listFiles = (em: EntityManager, { id, disciplines }: Choice): Promise<DisciplineFiles[]> => files(em, [id, disciplines]);

const remotePictures = namedStatement<{ count: number }>({
  name: 'content.offline-remote-pictures',
  reads: 'replica',
  text: `select count(distinct r.src[1])::int as count
         from (${chosen}) d join item i on i.discipline_id = d.id and ${shownToLearners('i')}
              cross join lateral regexp_matches(concat(i.contenu, i.corrige, i.keys), '<img src=\\\\?"(https?:[^"\\\\]*)', 'gi') as r(src)`,
});

/** Returns the number of different picture URLs of other sites in the texts. Reads all texts. In the JSON of keys a quote has a backslash before it. */
export const countRemotePictures = async (em: EntityManager, { id, disciplines }: Choice): Promise<number> =>
  (await remotePictures(em, [id, disciplines]))[0]?.count ?? 0;

/** Number of picture files measured in parallel. */
const measuredAtOnce = 20;

const unmeasured = namedStatement<{ name: string }>({
  name: 'content.offline-unmeasured',
  text: `select distinct c.name from (${chosen}) d join item i on i.discipline_id = d.id join item_image s on s.item_id = i.id
                join content_image c on c.name = s.image_name where c.octets is null limit ${maxItems}`,
});

/** Stores the size of pictures that were saved before sizes were recorded. @param sizeOf returns the file's size in bytes; null for a missing file */
export async function measurePictures(
  em: EntityManager,
  { id, disciplines }: Choice,
  sizeOf: (name: string) => Promise<number | null>,
): Promise<void> {
  const names = (await unmeasured(em, [id, disciplines])).map(({ name }) => name);
  for (let from = 0; from < names.length; from += measuredAtOnce) {
    const measured = await Promise.all(
      names.slice(from, from + measuredAtOnce).map(async (name) => ({ name, octets: await sizeOf(name) })),
    );
    await keepSizes(
      em,
      measured.flatMap(({ name, octets }) => (octets === null ? [] : [{ name, octets }])),
    );
  }
}

async function keepSizes(em: EntityManager, sizes: readonly { name: string; octets: number }[]): Promise<void> {
  if (sizes.length === 0) return;
  await em.fork().execute(
    `with held as (select name from content_image where name = any(?::text[]) and octets is null order by name for no key update)
     update content_image c set octets = s.octets from held join unnest(?::text[], ?::int[]) s(name, octets) using (name) where c.name = held.name`,
    [namesOf(sizes), namesOf(sizes), `{${sizes.map(({ octets }) => octets)}}`],
  );
}

const namesOf = (sizes: readonly { name: string }[]): string => `{${sizes.map(({ name }) => `"${name}"`)}}`;
