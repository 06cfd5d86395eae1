import type { EntityManager } from '@mikro-orm/postgresql';
import type { DomainEventMap, DomainEvents, UseCaseContext } from '../../../../platform/use-cases/events.ts';
import { type ItemKind, itemKinds } from '../../../../shared/item-kinds.ts';
import type { Loss } from '../../../catalogue/index.ts';
import { recordDeletions } from '../../../identity/index.ts';
import { releaseDocuments } from '../documents/document.service.ts';
import { removeUnusedImages } from '../images/image.service.ts';
import { countedItems } from '../item-types.ts';

/** Items that one statement copies into the audit log. Their full texts are copied, and a request's statement must stay short. */
const batchSize = 100;

const ofPrepa = 'discipline_id in (select id from discipline where prepa_id = ?)';
const ofDiscipline = 'discipline_id = ?';

/**
 * When a prepa or discipline is deleted: reports its items and drafts, copies them into the audit log, and removes images and documents that no
 * other item uses.
 */
export function subscribe(events: DomainEvents): void {
  events.on('prepa.losses', (em, { prepaId, tell }) => reportLosses(em, tell, ofPrepa, prepaId));
  events.on('discipline.losses', (em, { disciplineId, tell }) => reportLosses(em, tell, ofDiscipline, disciplineId));
  events.on('prepa.deleting', (em, deletion, context) => recordItems(em, deletion, context, ofPrepa, deletion.prepaId));
  events.on('discipline.deleting', (em, deletion, context) => recordItems(em, deletion, context, ofDiscipline, deletion.disciplineId));
}

/**
 * Reports the number of items of each kind, and of drafts. The hash of their ids detects items and drafts added or removed before the
 * deletion is confirmed.
 */
async function reportLosses(em: EntityManager, tell: (loss: Loss) => void, where: string, id: number): Promise<void> {
  const kinds = await em.execute<{ kind: ItemKind; count: number; ids: string }[]>(
    `select kind, count(*)::int as count, md5(string_agg(id::text, ',' order by id)) as ids from item where ${where} group by kind`,
    [id],
  );
  if (kinds.length > 0) {
    const found = itemKinds.flatMap((kind) => kinds.filter((row) => row.kind === kind));
    const total = found.reduce((sum, { count }) => sum + count, 0);
    const names = found.map(({ kind, count }) => countedItems(kind, count)).join(', ');
    const text = `${total === 1 ? 'Un contenu serait supprimé' : `${total} contenus seraient supprimés`} : ${names}.`;
    tell({ kind: 'contents', text, key: found.map(({ ids }) => ids).join(' ') });
  }
  const [drafts] = await em.execute<{ count: number; ids: string }[]>(
    `select count(*)::int as count, md5(string_agg(id::text, ',' order by id)) as ids from item_draft where ${where}`,
    [id],
  );
  if (!drafts || drafts.count === 0) return;
  const text = drafts.count === 1 ? 'Un brouillon serait supprimé.' : `${drafts.count} brouillons seraient supprimés.`;
  tell({ kind: 'contents', text, key: `drafts ${drafts.ids}` });
}

/** Copies the items and drafts into the audit log, and releases their files after the commit. */
async function recordItems(
  em: EntityManager,
  { actor, afterCommit }: Pick<DomainEventMap['prepa.deleting'], 'actor' | 'afterCommit'>,
  context: UseCaseContext,
  where: string,
  id: number,
): Promise<void> {
  const files = await em.execute<{ file: string }[]>(
    `select distinct file from item_document where item_id in (select id from item where ${where})`,
    [id],
  );
  for (const { table, order, select } of [items, drafts]) {
    // Wait for saves in progress, so that the audit log gets their final texts.
    await em.execute(`select id from ${table} where ${where} order by id for update`, [id]);
    const rows = await em.execute<{ id: number }[]>(`select id from ${table} where ${where} order by ${order}`, [id]);
    for (let from = 0; from < rows.length; from += batchSize) {
      const batch = rows.slice(from, from + batchSize).map((row) => row.id);
      await recordDeletions(em, context, actor, `${select} from ${table} where id = any(?::int[]) order by ${order}`, [`{${batch}}`]);
    }
  }
  afterCommit(() =>
    releaseDocuments(
      em,
      context,
      files.map(({ file }) => file),
    ),
  );
  afterCommit(() => removeUnusedImages(em, context));
}

/** The rows of a deletion's audit log: items, in the order of their lists, and drafts. */
const items = {
  table: 'item',
  order: 'discipline_id, kind, numero_page, id',
  select: `select kind as subject, id as subject_id, titre as label,
    jsonb_build_object('titre', titre, 'intitule', intitule, 'numero_page', numero_page, 'annee', annee, 'duree', duree, 'bareme', bareme, 'contenu', contenu, 'corrige', corrige,
                       'discipline_id', discipline_id) as before`,
};
const drafts = {
  table: 'item_draft',
  order: 'discipline_id, id',
  select: `select kind as subject, id as subject_id, coalesce(nullif(titre, ''), 'Sans titre') as label,
    jsonb_build_object('titre', titre, 'intitule', intitule, 'annee', annee, 'duree', duree, 'bareme', bareme, 'contenu', contenu, 'corrige', corrige,
                       'discipline_id', discipline_id, 'brouillon', true) as before`,
};
