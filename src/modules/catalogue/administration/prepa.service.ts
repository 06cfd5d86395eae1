import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import type { Upload } from '../../../platform/files/uploads.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { prepaSchema } from '../../../shared/forms/catalogue.ts';
import type { FieldError } from '../../../shared/forms/field-errors.ts';
import { type Actor, lastActor, recordChange, recordDeletions } from '../../identity/index.ts';
import { keepCover, releaseAfter, storing } from '../covers/covers.ts';
import { outdated, prepaNotFound } from '../prepas/catalogue.errors.ts';
import type { Loss } from '../prepas/catalogue.events.ts';
import { presentWrittenPrepa } from '../prepas/catalogue.presenter.ts';
import { Prepa } from '../prepas/prepa.entity.ts';
import { type Confirmation, requireConfirmed } from './deletion.ts';
import { storeEdit } from './edit.ts';
import { checkForm, versionOf } from './form-check.ts';

/**
 * Creates an unpublished prepa. Its author is the signed-in administrator; any other value is refused.
 * @param form fields `nom`, `description`, `prix` (whole XAF), `auteur`, and the bytes of the cover
 * @throws AppError 400 with the faults of all fields and `imageError`
 */
export async function createPrepa(em: EntityManager, context: UseCaseContext, actor: Actor, form: Upload): Promise<Prepa> {
  const { data, cover } = await checkForm(prepaSchema, form, { imageRequired: true, more: authorFaults(form, actor) });
  const at = context.clock.now();
  return storing(em, context, cover, () =>
    transact(em, context, async (tx) => {
      const image = cover && (await keepCover(tx, context, cover));
      const prepa = tx.create(Prepa, {
        ...data,
        image,
        isPublished: false,
        auteur: actor.administratorId,
        version: 1,
        createdAt: at,
        updatedAt: at,
      });
      await tx.flush();
      await recordChange(tx, context, actor, { action: 'created', ...subjectOf(prepa), after: snapshot(prepa) });
      return prepa;
    }),
  );
}

/**
 * Changes a prepa. With a `version` field, the edit is refused unless that version is current; without it the last write wins, and
 * the audit log has the earlier values.
 * @throws AppError 400, 404, 409 with `current` and `changedBy` when the version is outdated
 */
export async function updatePrepa(em: EntityManager, context: UseCaseContext, actor: Actor, id: number, form: Upload): Promise<Prepa> {
  const { data, cover } = await checkForm(prepaSchema, form);
  const version = versionOf(form);
  return storing(em, context, cover, () =>
    transact(em, context, async (tx, afterCommit) => {
      const prepa = await lockPrepa(tx, id);
      if (version !== null && version !== prepa.version)
        throw outdated('Cette préparation', presentWrittenPrepa(prepa), await lastActor(tx, 'prepa', id));
      return storeEdit(tx, context, actor, prepa, { data, cover, subjectOf, snapshot, afterCommit });
    }),
  );
}

/** Toggles whether a prepa is published. The row lock makes concurrent calls run one after the other. @throws AppError 404 */
export function togglePublication(em: EntityManager, context: UseCaseContext, actor: Actor, id: number): Promise<Prepa> {
  return transact(em, context, async (tx) => {
    const prepa = await lockPrepa(tx, id);
    prepa.isPublished = !prepa.isPublished;
    prepa.updatedAt = context.clock.now();
    await tx.flush();
    const [before, after] = [{ is_published: !prepa.isPublished }, { is_published: prepa.isPublished }];
    await recordChange(tx, context, actor, { action: prepa.isPublished ? 'published' : 'unpublished', ...subjectOf(prepa), before, after });
    return prepa;
  });
}

/**
 * Deletes a prepa with its disciplines, contents and files. The audit log keeps the deleted rows.
 * @param confirmation required when learners would lose access or payments are open
 * @throws AppError 404, 409 with `confirmationRequired`
 */
export function deletePrepa(
  em: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  { id, confirmation }: { id: number; confirmation: Confirmation },
): Promise<void> {
  return transact(em, context, async (tx, afterCommit) => {
    const prepa = await lockPrepa(tx, id);
    const covers = await tx.execute<{ image: string | null }[]>(
      // Row locks: wait for running edits, so that their new covers are removed too.
      'select image from discipline where prepa_id = ? order by id for update',
      [id],
    );
    const { nom } = prepa;
    const losses: Loss[] = [];
    await context.events.emit(tx, context, 'prepa.losses', { prepaId: id, tell: (loss) => losses.push(loss) });
    // Deleting contents alone needs no confirmation.
    if (losses.some(({ kind }) => kind !== 'contents'))
      requireConfirmed(losses, confirmation, { nom, ending: 'Pour supprimer cette préparation malgré tout, saisissez son nom.' });
    await context.events.emit(tx, context, 'prepa.deleting', { prepaId: id, nom, actor, afterCommit });
    await recordDeletions(tx, context, actor, disciplinesOf, [id]);
    await recordChange(tx, context, actor, { action: 'deleted', ...subjectOf(prepa), before: snapshot(prepa) });
    await tx.nativeDelete(Prepa, { id });
    releaseAfter(afterCommit, em, context, [prepa.image, ...covers.map(({ image }) => image)]);
  });
}

const disciplinesOf = `
  select 'discipline' as subject, id as subject_id, nom as label,
         jsonb_build_object('nom', nom, 'description', description, 'image', image, 'prepa_concours_id', prepa_id) as before
  from discipline where prepa_id = ? order by id`;

async function lockPrepa(tx: EntityManager, id: number): Promise<Prepa> {
  const prepa = await tx.findOne(Prepa, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!prepa) throw prepaNotFound();
  return prepa;
}

function authorFaults({ fields }: Upload, actor: Actor): FieldError[] {
  if (!fields.auteur) return [{ field: 'auteur', message: "L'identifiant de l'administrateur est requis" }];
  return fields.auteur === actor.administratorId ? [] : [{ field: 'auteur', message: "L'auteur doit être l'administrateur connecté" }];
}

const subjectOf = ({ id, nom }: Prepa) => ({ subject: 'prepa', subjectId: id, label: nom }) as const;

/** Returns the fields of a prepa that the audit log shows. */
const snapshot = ({ nom, description, prix, image, isPublished }: Prepa) => ({
  nom,
  description,
  prix,
  image: image ?? null,
  is_published: isPublished,
});
