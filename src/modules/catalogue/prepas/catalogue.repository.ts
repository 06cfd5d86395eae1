import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { RowOf } from '../../../platform/database/rows.ts';
import type { Discipline } from './discipline.entity.ts';
import type { Prepa } from './prepa.entity.ts';

export type PrepaRow = RowOf<Prepa, 'id' | 'nom' | 'description' | 'prix' | 'image' | 'isPublished' | 'auteur'>;
export type DisciplineRow = RowOf<Discipline, 'id' | 'nom' | 'description' | 'image'> & { prepaId: number };

/** With what an edit needs to know of the row's state. */
export type Versioned<Row> = Row & { version: number };

/** The catalogue fits one page many times over; a bound all the same. */
const catalogueLimit = 200;

const published = namedStatement<PrepaRow>({
  name: 'catalogue.published',
  text: `select id, nom, description, prix, image, is_published, auteur_id as auteur from prepa where is_published order by id limit $1`,
});

const prepaById = namedStatement<PrepaRow>({
  name: 'catalogue.prepa',
  text: `select id, nom, description, prix, image, is_published, auteur_id as auteur from prepa where id = $1`,
});

const disciplinesOfPrepa = namedStatement<DisciplineRow>({
  name: 'catalogue.disciplines',
  text: `select id, nom, description, image, prepa_id from discipline where prepa_id = $1 order by id limit 200`,
});

const publishedDisciplines = namedStatement<DisciplineRow>({
  name: 'catalogue.published-disciplines',
  text: `select d.id, d.nom, d.description, d.image, d.prepa_id
         from discipline d join prepa p on p.id = d.prepa_id
         where p.is_published order by d.prepa_id, d.id limit 1000`,
});

const disciplineById = namedStatement<DisciplineRow & { isPublished: boolean }>({
  name: 'catalogue.discipline',
  text: `select d.id, d.nom, d.description, d.image, d.prepa_id, p.is_published
         from discipline d join prepa p on p.id = d.prepa_id where d.id = $1`,
});

const allPrepas = namedStatement<Versioned<PrepaRow>>({
  name: 'catalogue.all-prepas',
  text: `select id, nom, description, prix, image, is_published, auteur_id as auteur, version from prepa order by id limit $1`,
});

const allDisciplines = namedStatement<Versioned<DisciplineRow>>({
  name: 'catalogue.all-disciplines',
  text: `select id, nom, description, image, prepa_id, version
         from discipline where $1::int is null or prepa_id = $1 order by prepa_id, id limit 1000`,
});

/** Published or not, in the order of their creation. What administrators cannot see they cannot manage: their bound is wider. */
export const listAllPrepas = (em: EntityManager) => allPrepas(em, [2000]);

/** Of all prepas, or of one. */
export const listAllDisciplines = (em: EntityManager, prepaId: number | null = null) => allDisciplines(em, [prepaId]);

export const listPublished = (em: EntityManager, limit = catalogueLimit): Promise<PrepaRow[]> => published(em, [limit]);

export const findPrepa = async (em: EntityManager, id: number): Promise<PrepaRow | null> => (await prepaById(em, [id]))[0] ?? null;

export const listDisciplines = (em: EntityManager, prepaId: number): Promise<DisciplineRow[]> => disciplinesOfPrepa(em, [prepaId]);

export const listPublishedDisciplines = (em: EntityManager): Promise<DisciplineRow[]> => publishedDisciplines(em, []);

export const findDiscipline = async (em: EntityManager, id: number) => (await disciplineById(em, [id]))[0] ?? null;
