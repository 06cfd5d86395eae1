import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { RowOf } from '../../../platform/database/rows.ts';
import type { Discipline } from './discipline.entity.ts';
import type { Prepa } from './prepa.entity.ts';

export type PrepaRow = RowOf<Prepa, 'id' | 'nom' | 'description' | 'prix' | 'image' | 'isPublished' | 'auteur'>;
export type DisciplineRow = RowOf<Discipline, 'id' | 'nom' | 'description' | 'image'> & { prepaId: number };

/** A row with the version that an edit needs. */
export type Versioned<Row> = Row & { version: number };

/** A page of a list: rows after this id, at most `limit`. */
export interface ListPage {
  after: number;
  limit: number;
}

const published = namedStatement<PrepaRow>({
  name: 'catalogue.published',
  reads: 'replica',
  text: `select id, nom, description, prix, image, is_published, auteur_id as auteur from prepa where is_published and id > $2 order by id limit $1`,
});

const prepaById = namedStatement<PrepaRow>({
  name: 'catalogue.prepa',
  reads: 'replica',
  text: `select id, nom, description, prix, image, is_published, auteur_id as auteur from prepa where id = $1`,
});

const disciplinesOfPrepa = namedStatement<DisciplineRow>({
  name: 'catalogue.disciplines',
  reads: 'replica',
  text: `select id, nom, description, image, prepa_id from discipline where prepa_id = $1 order by id limit 200`,
});

/** SQL of the prepa of the discipline after which the page begins; a deleted discipline limits nothing. */
const prepaOfAfter = 'coalesce((select prepa_id from discipline where id = $1), 0)';

const publishedDisciplines = namedStatement<DisciplineRow>({
  name: 'catalogue.published-disciplines',
  reads: 'replica',
  text: `select d.id, d.nom, d.description, d.image, d.prepa_id
         from discipline d join prepa p on p.id = d.prepa_id
         where p.is_published and (d.prepa_id, d.id) > (${prepaOfAfter}, $1) order by d.prepa_id, d.id limit $2`,
});

const disciplineById = namedStatement<DisciplineRow & { isPublished: boolean }>({
  name: 'catalogue.discipline',
  reads: 'replica',
  text: `select d.id, d.nom, d.description, d.image, d.prepa_id, p.is_published
         from discipline d join prepa p on p.id = d.prepa_id where d.id = $1`,
});

/**
 * Returns SQL: whether a prepa's name or description contains the typed text. Wildcards in the text are escaped. @param typed
 * placeholder of the text, such as `$2`
 */
export const prepaMatches = (typed: string): string =>
  String.raw`recherche like '%' || regexp_replace(fold_text(${typed}::text), '([\\%_])', '\\\1', 'g') || '%'`;

/** Returns the statement of a page of prepas after $2, and of the prepa $3, on whichever page it is. */
const prepasOfPage = (name: string, matching: string) =>
  namedStatement<Versioned<PrepaRow> & { listed: boolean }>({
    name,
    text: `with page as materialized (select id from prepa where id > $2 and ${matching} order by id limit $1)
           select p.id, nom, description, prix, image, is_published, auteur_id as auteur, version, p.id in (select id from page) as listed
           from prepa p where p.id = any(array(select id from page union select $3::int)) order by p.id`,
  });

const allPrepas = prepasOfPage('catalogue.all-prepas', `$4::text = ''`);
const prepasNamed = prepasOfPage('catalogue.prepas-named', prepaMatches('$4'));

const allDisciplines = namedStatement<Versioned<DisciplineRow>>({
  name: 'catalogue.all-disciplines',
  text: `select id, nom, description, image, prepa_id, version
         from discipline where (prepa_id, id) > (${prepaOfAfter}, $1) order by prepa_id, id limit $2`,
});

const disciplinesToEdit = namedStatement<Versioned<DisciplineRow>>({
  name: 'catalogue.disciplines-to-edit',
  text: `select id, nom, description, image, prepa_id, version from discipline where prepa_id = $1 order by id limit 200`,
});

/**
 * Returns a page of all prepas, published or not, in the order of creation.
 * @param q text in their names or descriptions; '' for all
 * @param named id of a further prepa; if it is not on the page, it comes first
 */
export async function listAllPrepas(em: EntityManager, { after, limit }: ListPage, q = '', named: number | null = null) {
  const rows = await (q === '' ? allPrepas : prepasNamed)(em, [limit, after, named, q]);
  return [...rows.filter(({ listed }) => !listed), ...rows.filter(({ listed }) => listed)];
}

/** Returns a page of all disciplines, ordered by prepa. */
export const listAllDisciplines = (em: EntityManager, { after, limit }: ListPage) => allDisciplines(em, [after, limit]);

export const listDisciplinesToEdit = (em: EntityManager, prepaId: number) => disciplinesToEdit(em, [prepaId]);

export const listPublished = (em: EntityManager, limit: number, after = 0): Promise<PrepaRow[]> => published(em, [limit, after]);

/**
 * Returns whether a replica's row is published. Missing or unpublished rows are read again from the primary, since they may just have
 * been published.
 */
const isOpenToAll = ([row]: { isPublished: boolean }[]): boolean => row?.isPublished ?? false;

export const findPrepa = async (em: EntityManager, id: number): Promise<PrepaRow | null> =>
  (await prepaById(em, [id], isOpenToAll))[0] ?? null;

export const listDisciplines = (em: EntityManager, prepaId: number): Promise<DisciplineRow[]> =>
  disciplinesOfPrepa(em, [prepaId], (rows) => rows.length > 0);

export const listPublishedDisciplines = (em: EntityManager, { after, limit }: ListPage): Promise<DisciplineRow[]> =>
  publishedDisciplines(em, [after, limit]);

const publishedIds = namedStatement<{ id: number }>({
  name: 'catalogue.published-ids',
  reads: 'replica',
  text: `select id from prepa where is_published order by id limit $1`,
});

/** Returns the ids of all published prepas, at most as many as a sitemap may hold. */
export const listPublishedIds = (em: EntityManager) => publishedIds(em, [50_000]);

export const findDiscipline = async (em: EntityManager, id: number) => (await disciplineById(em, [id], isOpenToAll))[0] ?? null;
