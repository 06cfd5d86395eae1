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
 * When a prepa or discipline is deleted: reports its items, copies them into the audit log, and removes images and documents that no
 * other item uses.
 */
export function subscribe(events: DomainEvents): void {
  events.on('prepa.losses', (em, { prepaId, tell }) => reportLosses(em, tell, ofPrepa, prepaId));
  events.on('discipline.losses', (em, { disciplineId, tell }) => reportLosses(em, tell, ofDiscipline, disciplineId));
  events.on('prepa.deleting', (em, deletion, context) => recordItems(em, deletion, context, ofPrepa, deletion.prepaId));
  events.on('discipline.deleting', (em, deletion, context) => recordItems(em, deletion, context, ofDiscipline, deletion.disciplineId));
}

/** Reports the number of items of each kind. The hash of their ids detects items added or removed before the deletion is confirmed. */
async function reportLosses(em: EntityManager, tell: (loss: Loss) => void, where: string, id: number): Promise<void> {
  const kinds = await em.execute<{ kind: ItemKind; count: number; ids: string }[]>(
    `select kind, count(*)::int as count, md5(string_agg(id::text, ',' order by id)) as ids from item where ${where} group by kind`,
    [id],
  );
  if (kinds.length === 0) return;
  const found = itemKinds.flatMap((kind) => kinds.filter((row) => row.kind === kind));
  const total = found.reduce((sum, { count }) => sum + count, 0);
  const names = found.map(({ kind, count }) => countedItems(kind, count)).join(', ');
  const text = `${total === 1 ? 'Un contenu serait supprimé' : `${total} contenus seraient supprimés`} : ${names}.`;
  tell({ kind: 'contents', text, key: found.map(({ ids }) => ids).join(' ') });
}

async function recordItems(
  em: EntityManager,
  { actor, afterCommit }: Pick<DomainEventMap['prepa.deleting'], 'actor' | 'afterCommit'>,
  context: UseCaseContext,
  where: string,
  id: number,
): Promise<void> {
  // Wait for saves in progress, so that the audit log gets their final texts.
  await em.execute(`select id from item where ${where} order by id for update`, [id]);
  const files = await em.execute<{ file: string }[]>(
    `select distinct file from item_document where item_id in (select id from item where ${where})`,
    [id],
  );
  const items = await em.execute<{ id: number }[]>(`select id from item where ${where} order by discipline_id, kind, numero_page, id`, [
    id,
  ]);
  for (let from = 0; from < items.length; from += batchSize) {
    const batch = items.slice(from, from + batchSize).map((item) => item.id);
    await recordDeletions(
      em,
      context,
      actor,
      `select kind as subject, id as subject_id, titre as label,
              jsonb_build_object('titre', titre, 'numero_page', numero_page, 'annee', annee, 'duree', duree, 'bareme', bareme, 'contenu', contenu, 'corrige', corrige,
                                 'discipline_id', discipline_id) as before
       from item where id = any(?::int[]) order by discipline_id, kind, numero_page, id`,
      [`{${batch}}`],
    );
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
