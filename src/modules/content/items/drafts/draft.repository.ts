import type { EntityManager } from '@mikro-orm/postgresql';
import { readRows } from '../../../../platform/database/rows.ts';
import type { ItemKind } from '../../../../shared/item-kinds.ts';
import type { QuestionKey } from '../../../../shared/questions/question-keys.ts';

/** A draft in the administration screen's lists. */
export interface ListedDraft {
  id: number;
  disciplineId: number;
  kind: ItemKind;
  titre: string;
  intitule: string;
  annee: string;
  duree: string;
  bareme: string;
  version: number | null;
  revision: number;
  publishAt: Date | null;
  fault: string | null;
  remarks: string[];
  /** Name of the imported file. */
  source: string | null;
  savedAt: Date;
  savedBy: string;
  /** Whether the item is published: then the draft is a change of it. */
  isPublished: boolean;
}

export interface DraftRow extends ListedDraft {
  contenu: string;
  corrige: string | null;
  keys: QuestionKey[];
}

/** Maximum number of drafts that one request publishes, and of files imported from a folder. */
export const draftLimit = 200;
/** Maximum number of drafts of new items in a discipline. All of them are listed. */
export const draftsPerDiscipline = 1_000;

const listed = `d.id, d.discipline_id, d.kind, d.titre, d.intitule, d.annee, d.duree, d.bareme, d.version, d.revision, d.publish_at, d.fault, d.remarks,
  d.source, d.saved_at, d.saved_by, exists (select from item i where i.id = d.id) as is_published`;

/** Returns the drafts of a discipline in the order in which they were created. */
export const listDrafts = (em: EntityManager, disciplineId: number): Promise<ListedDraft[]> =>
  readRows(em, `select ${listed} from item_draft d where d.discipline_id = ? order by d.id limit ${2 * draftsPerDiscipline}`, [
    disciplineId,
  ]);

/** Returns whether a discipline has as many drafts as it may have. */
export const hasAllDrafts = async (em: EntityManager, disciplineId: number): Promise<boolean> => {
  const counting = 'select count(*)::int as count from (select from item_draft where discipline_id = ? limit ?) d';
  const [row] = await readRows<{ count: number }>(em, counting, [disciplineId, draftsPerDiscipline]);
  return row?.count === draftsPerDiscipline;
};

export const findDraft = async (em: EntityManager, id: number): Promise<DraftRow | null> =>
  (await readRows<DraftRow>(em, `select ${listed}, d.contenu, d.corrige, d.keys from item_draft d where d.id = ?`, [id]))[0] ?? null;

/**
 * Returns the drafts of new items of one kind that were made from files of these names, oldest first. A published item is never among
 * them: an import does not change it.
 * @param sources at most `draftLimit`
 */
export const listDraftsOfFiles = (
  em: EntityManager,
  { disciplineId, kind, sources }: { disciplineId: number; kind: ItemKind; sources: readonly string[] },
): Promise<ListedDraft[]> =>
  readRows(
    em,
    `select ${listed} from item_draft d
     where d.discipline_id = ? and d.kind = ? and d.source in (select jsonb_array_elements_text(?::jsonb))
       and not exists (select from item i where i.id = d.id)
     order by d.id limit ${5 * draftLimit}`,
    [disciplineId, kind, JSON.stringify(sources)],
  );

/** Reserves the id of a new item. */
export async function reserveItemId(em: EntityManager): Promise<number> {
  const [row] = await em.execute<{ id: number }[]>("select nextval('item_id_seq')::int as id");
  if (!row) throw new Error('the sequence returned no row');
  return row.id;
}

/** Removes a draft unless it has been saved again since this revision. @returns its discipline; null when it was not removed */
export async function takeDraft(tx: EntityManager, { id, revision }: { id: number; revision: number }): Promise<number | null> {
  const [taken] = await tx.execute<{ discipline: number }[]>(
    'delete from item_draft where id = ? and revision = ? returning discipline_id as discipline',
    [id, revision],
  );
  return taken?.discipline ?? null;
}

/** Removes the draft of an item that is deleted. */
export const dropDraft = (tx: EntityManager, id: number): Promise<unknown> => tx.execute('delete from item_draft where id = ?', [id]);

/** Returns the drafts whose time of publication has come, at most `limit`, the longest due first. */
export const dueDrafts = (em: EntityManager, now: Date, limit: number): Promise<{ id: number; revision: number; titre: string }[]> =>
  em.execute('select id, revision, titre from item_draft where publish_at <= ?::timestamptz order by publish_at, id limit ?', [
    now.toISOString(),
    limit,
  ]);

/** Returns how many drafts should have been published before this time, and how many were refused at their time and still wait. */
export async function countLatePublications(em: EntityManager, before: Date): Promise<{ overdue: number; refused: number }> {
  const [row] = await em.execute<{ overdue: number; refused: number }[]>(
    `select (select count(*)::int from item_draft where publish_at < ?::timestamptz) as overdue,
       (select count(*)::int from item_draft where fault is not null) as refused`,
    [before.toISOString()],
  );
  return row ?? { overdue: 0, refused: 0 };
}
