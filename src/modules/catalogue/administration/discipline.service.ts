import { type EntityManager, ForeignKeyConstraintViolationException, LockMode } from '@mikro-orm/postgresql';
import { AppError } from '../../../platform/errors.ts';
import type { Upload } from '../../../platform/files/uploads.ts';
import { idSchema } from '../../../platform/http/validators.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { disciplineSchema } from '../../../shared/forms/catalogue.ts';
import type { FieldError } from '../../../shared/forms/field-errors.ts';
import { type Actor, lastActor, recordChange } from '../../identity/index.ts';
import { keepCover, releaseAfter, storing } from '../covers/covers.ts';
import { disciplineNotFound, outdated } from '../prepas/catalogue.errors.ts';
import type { Loss } from '../prepas/catalogue.events.ts';
import { presentWrittenDiscipline } from '../prepas/catalogue.presenter.ts';
import { Discipline } from '../prepas/discipline.entity.ts';
import { Prepa } from '../prepas/prepa.entity.ts';
import { type Confirmation, requireConfirmed } from './deletion.ts';
import { storeEdit } from './edit.ts';
import { checkForm, versionOf } from './form-check.ts';

const prepaGone: FieldError = { field: 'prepa_concours_id', message: "Cette préparation n'existe pas ou n'existe plus" };

/**
 * Creates a discipline of a prepa.
 * @param form fields `nom`, `description`, `prepa_concours_id`, and optionally the bytes of a cover
 * @throws AppError 400 with the faults of all fields and `imageError`
 */
export async function createDiscipline(em: EntityManager, context: UseCaseContext, actor: Actor, form: Upload): Promise<Discipline> {
  const prepaId = idSchema.safeParse(form.fields.prepa_concours_id).data;
  const prepa = prepaId === undefined ? null : await em.findOne(Prepa, prepaId, { fields: ['id'] });
  const { data, cover } = await checkForm(disciplineSchema, form, { more: prepa ? [] : [prepaGone] });
  const at = context.clock.now();
  return storing(em, context, cover, () =>
    transact(em, context, async (tx) => {
      const image = cover && (await keepCover(tx, context, cover));
      const discipline = tx.create(Discipline, {
        ...data,
        prepa: prepaId as number,
        image,
        version: 1,
        outlineVersion: 1,
        createdAt: at,
        updatedAt: at,
      });
      await tx.flush();
      await recordChange(tx, context, actor, { action: 'created', ...subjectOf(discipline), after: snapshot(discipline) });
      return discipline;
    }).catch((error: unknown) => {
      // The prepa was deleted after it was read above.
      if (error instanceof ForeignKeyConstraintViolationException)
        throw new AppError('FORM.INVALID', 400, prepaGone.message, { errors: [prepaGone] });
      throw error;
    }),
  );
}

/**
 * Changes a discipline. The version is checked as for a prepa (see updatePrepa).
 * @throws AppError 400, 404, 409 with `current` and `changedBy`
 */
export async function updateDiscipline(
  em: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  id: number,
  form: Upload,
): Promise<Discipline> {
  const { data, cover } = await checkForm(disciplineSchema, form);
  const version = versionOf(form);
  return storing(em, context, cover, () =>
    transact(em, context, async (tx, afterCommit) => {
      const discipline = await lockDiscipline(tx, id);
      if (version !== null && version !== discipline.version)
        throw outdated('Cette discipline', presentWrittenDiscipline(discipline), await lastActor(tx, 'discipline', id));
      return storeEdit(tx, context, actor, discipline, { data, cover, subjectOf, snapshot, afterCommit });
    }),
  );
}

/**
 * Deletes a discipline with its lessons, exercises, past exams and files. The audit log keeps the deleted rows.
 * @param confirmation required when learners would lose paid contents
 * @throws AppError 404, 409 with `confirmationRequired`
 */
export function deleteDiscipline(
  em: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  { id, confirmation }: { id: number; confirmation: Confirmation },
): Promise<void> {
  return transact(em, context, async (tx, afterCommit) => {
    const discipline = await lockDiscipline(tx, id);
    const { nom, prepa: prepaId, image } = discipline;
    const losses: Loss[] = [];
    await context.events.emit(tx, context, 'discipline.losses', { disciplineId: id, prepaId, tell: (loss) => losses.push(loss) });
    // Deleting an empty discipline needs no confirmation.
    if ((['learners', 'contents'] as const).every((wanted) => losses.some(({ kind }) => kind === wanted)))
      requireConfirmed(losses, confirmation, { nom, ending: 'Pour supprimer cette discipline malgré tout, saisissez son nom.' });
    await context.events.emit(tx, context, 'discipline.deleting', { disciplineId: id, prepaId, nom, actor, afterCommit });
    await recordChange(tx, context, actor, { action: 'deleted', ...subjectOf(discipline), before: snapshot(discipline) });
    await tx.nativeDelete(Discipline, { id });
    releaseAfter(afterCommit, em, context, [image]);
  });
}

async function lockDiscipline(tx: EntityManager, id: number): Promise<Discipline> {
  const discipline = await tx.findOne(Discipline, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!discipline) throw disciplineNotFound();
  return discipline;
}

const subjectOf = ({ id, nom }: Discipline) => ({ subject: 'discipline', subjectId: id, label: nom }) as const;

/** Returns the fields of a discipline that the audit log shows. */
const snapshot = ({ nom, description, image, prepa }: Discipline) => ({
  nom,
  description,
  image: image ?? null,
  prepa_concours_id: prepa,
});
