import type { EntityManager } from '@mikro-orm/postgresql';
import type { DomainEventMap, DomainEvents, UseCaseContext } from '../../platform/events.ts';
import { confirmationRequired } from '../catalogue/index.ts';
import { countActive } from '../enrolment/index.ts';
import { recordDeletions } from '../identity/index.ts';
import { removeUnusedImages } from './content-images.ts';
import { releaseDocuments } from './item-documents.service.ts';

/** What goes when a prepa or a discipline is deleted: its items, kept in the audit log, with the images and documents that no other item has. */
export function subscribe(events: DomainEvents): void {
  events.on('prepa.deleting', (em, deletion, context) =>
    recordItems(em, deletion, context, 'discipline_id in (select id from discipline where prepa_id = ?)', deletion.prepaId),
  );
  events.on('discipline.deleting', async (em, deletion, context) => {
    await refuseUnconfirmed(em, deletion, context);
    await recordItems(em, deletion, context, 'discipline_id = ?', deletion.disciplineId);
  });
}

/** @throws AppError 409 when learners would lose what they have paid for and the discipline's name was not typed */
async function refuseUnconfirmed(
  em: EntityManager,
  { disciplineId, prepaId, nom, confirmation }: DomainEventMap['discipline.deleting'],
  { clock }: UseCaseContext,
): Promise<void> {
  if (confirmation === nom) return;
  const [held] = await em.execute<{ items: number }[]>('select count(*)::int as items from item where discipline_id = ?', [disciplineId]);
  if (!held?.items) return;
  const active = await countActive(em, prepaId, clock.now());
  if (active === 0) return;
  const whom = active === 1 ? 'Un candidat inscrit perdrait' : `${active} candidats inscrits perdraient`;
  throw confirmationRequired(`${whom} les contenus de cette discipline. Pour la supprimer malgré tout, saisissez son nom.`, nom);
}

async function recordItems(
  em: EntityManager,
  { actor, afterCommit }: Pick<DomainEventMap['prepa.deleting'], 'actor' | 'afterCommit'>,
  context: UseCaseContext,
  where: string,
  id: number,
): Promise<void> {
  // Locked: an edit that is under way is waited for, and kept as it ends.
  await em.execute(`select id from item where ${where} order by id for update`, [id]);
  const files = await em.execute<{ file: string }[]>(
    `select distinct file from item_document where item_id in (select id from item where ${where})`,
    [id],
  );
  await recordDeletions(
    em,
    context,
    actor,
    `select kind as subject, id as subject_id, titre as label,
            jsonb_build_object('titre', titre, 'numero_page', numero_page, 'annee', annee, 'duree', duree, 'contenu', contenu, 'corrige', corrige,
                               'discipline_id', discipline_id) as before
     from item where ${where} order by discipline_id, kind, numero_page`,
    [id],
  );
  afterCommit(() =>
    releaseDocuments(
      em,
      context,
      files.map(({ file }) => file),
    ),
  );
  afterCommit(() => removeUnusedImages(em, context));
}
