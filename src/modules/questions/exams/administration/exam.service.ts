import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import type { UseCaseContext } from '../../../../platform/use-cases/events.ts';
import { transact } from '../../../../platform/use-cases/transaction.ts';
import type { AnnouncedExam, DraftExam } from '../../../../shared/exams/exam-form.ts';
import { examState } from '../../../../shared/exams/exam-state.ts';
import { writeRule } from '../../../../shared/questions/marking-rule.ts';
import { Prepa } from '../../../catalogue/index.ts';
import { type Actor, invalidForm, recordChange } from '../../../identity/index.ts';
import { Exam } from '../exam/exam.entity.ts';
import type {} from '../exam/exam.events.ts';
import { examChanged, examGone, notInThisState } from './exam.errors.ts';

/** Creates an exam in preparation. @returns its id @throws AppError 400 without such a prepa */
export const createExam = (em: EntityManager, context: UseCaseContext, actor: Actor, form: DraftExam): Promise<number> =>
  transact(em, context, async (tx) => {
    await requirePrepa(tx, form.prepa);
    const exam = tx.create(Exam, { ...fieldsOf(form), announcedAt: null, markedAt: null, publishedAt: null });
    await tx.flush();
    await recordChange(tx, context, actor, { action: 'created', ...subjectOf(exam), after: snapshot(exam) });
    return exam.id;
  });

/**
 * Changes an exam in preparation. Its papers go when it gets another prepa.
 * @param revision the exam that the administrator saw
 * @throws AppError 400, 404, 409 when it has changed since or is announced
 */
export const changeDraftExam = (
  em: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  { id, revision, form }: { id: number; revision: number; form: DraftExam },
): Promise<void> =>
  transact(em, context, async (tx) => {
    const exam = await lockExam(tx, id, revision);
    requireDraft(exam);
    const before = snapshot(exam);
    if (form.prepa !== exam.prepa) {
      await requirePrepa(tx, form.prepa);
      await tx.execute('delete from exam_paper where exam_id = ?', [id]);
    }
    Object.assign(exam, fieldsOf(form), { revision: exam.revision + 1 });
    await tx.flush();
    await recordChange(tx, context, actor, { action: 'updated', ...subjectOf(exam), before, after: snapshot(exam) });
  });

/**
 * Changes an announced exam: its title and instructions, and times to later ones. Sittings that are not handed in get the new closing time, and
 * candidates get to know of other times ('exam.moved').
 * @throws AppError 404, 409 when it has changed since or is over
 */
export const changeAnnouncedExam = (
  em: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  { id, revision, form }: { id: number; revision: number; form: AnnouncedExam },
): Promise<void> =>
  transact(em, context, async (tx) => {
    const exam = await lockExam(tx, id, revision);
    const now = context.clock.now();
    const state = stateOf(exam, now);
    if (state !== 'announced' && state !== 'open') throw notInThisState('Ce concours blanc est terminé : il ne se modifie plus.');
    const before = snapshot(exam);
    const { titre, consignes, ouverture, fermeture } = form;
    const [opening, closing] = [exam.opensAt, exam.closesAt];
    // The form was checked against the exam as it was read: its state may have changed until the lock.
    if (ouverture > exam.opensAt && state === 'open')
      throw notInThisState("Le concours blanc vient d'ouvrir : son heure d'ouverture ne change plus.");
    Object.assign(exam, {
      titre,
      consignes,
      opensAt: later(exam.opensAt, ouverture),
      closesAt: later(exam.closesAt, fermeture),
      revision: exam.revision + 1,
    });
    await tx.flush();
    await tx.execute(
      `with open as materialized (
         select exam_id, user_id from exam_sitting where exam_id = ? and handed_in_at is null order by exam_id, user_id for no key update)
       update exam_sitting s set ends_at = least(s.started_at + make_interval(mins => ?), ?::timestamptz)
       from open o where s.exam_id = o.exam_id and s.user_id = o.user_id`,
      [id, exam.duree, exam.closesAt.toISOString()],
    );
    await recordChange(tx, context, actor, { action: 'updated', ...subjectOf(exam), before, after: snapshot(exam) });
    const { prepa: prepaId, opensAt, closesAt, audience } = exam;
    const isPostponed = opensAt > opening;
    if (!isPostponed && closesAt <= closing) return;
    const { nom: prepaNom } = await tx.findOneOrFail(Prepa, { id: prepaId });
    await context.events.emit(tx, context, 'exam.moved', {
      examId: id,
      prepaId,
      prepaNom,
      titre,
      opensAt,
      closesAt,
      audience,
      isPostponed,
      at: now,
    });
  });

/** Deletes an exam in preparation. @throws AppError 404, 409 when it is announced */
export const deleteExam = (
  em: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  { id, revision }: { id: number; revision: number },
): Promise<void> =>
  transact(em, context, async (tx) => {
    const exam = await lockExam(tx, id, revision);
    requireDraft(exam);
    await tx.execute('delete from exam where id = ?', [id]);
    await recordChange(tx, context, actor, { action: 'deleted', ...subjectOf(exam), before: snapshot(exam) });
  });

/**
 * Returns an exam, locked for a change.
 * @param revision the exam that the administrator saw; null for whatever it is now
 * @throws AppError 404, 409 when it has changed since
 */
export async function lockExam(tx: EntityManager, id: number, revision: number | null): Promise<Exam> {
  // The ORM's locks would stop the batches of candidates, whose foreign keys refer to this row.
  await tx.execute('select id from exam where id = ? for no key update', [id]);
  const exam = await tx.findOne(Exam, { id }, { refresh: true });
  if (!exam) throw examGone();
  if (revision !== null && exam.revision !== revision)
    throw examChanged("Quelqu'un d'autre a modifié ce concours blanc entre-temps. Votre saisie est gardée ci-dessous.");
  return exam;
}

/** @throws AppError 409 when the exam is announced */
export function requireDraft(exam: Exam): void {
  if (exam.announcedAt) throw notInThisState('Ce concours blanc est annoncé : ses épreuves et ses règles ne changent plus.');
}

/** Names an exam in the audit log. */
export const subjectOf = ({ id, titre }: Pick<Exam, 'id' | 'titre'>) => ({ subject: 'exam', subjectId: id, label: titre }) as const;

/** Returns the state of an entity, whose absent times are undefined. */
const stateOf = ({ announcedAt, opensAt, closesAt, markedAt, publishedAt }: Exam, now: Date) =>
  examState({ announcedAt: announcedAt ?? null, opensAt, closesAt, markedAt: markedAt ?? null, publishedAt: publishedAt ?? null }, now);

const later = (one: Date, other: Date): Date => (other > one ? other : one);

function fieldsOf({ prepa, titre, consignes, ouverture, fermeture, duree, grace, bareme, audience }: DraftExam) {
  return { prepa, titre, consignes, opensAt: ouverture, closesAt: fermeture, duree, grace, bareme, audience };
}

/** Returns the values for the audit log. */
const snapshot = ({ prepa, titre, consignes, opensAt, closesAt, duree, grace, bareme, audience }: Exam) => ({
  titre,
  prepa_concours_id: prepa,
  ouverture: opensAt.toISOString(),
  fermeture: closesAt.toISOString(),
  duree_epreuve: duree,
  grace,
  bareme: writeRule(bareme),
  audience,
  consignes,
});

async function requirePrepa(tx: EntityManager, id: number): Promise<void> {
  // The lock keeps the prepa until the exam refers to it.
  const found = await tx.findOne(Prepa, { id }, { lockMode: LockMode.PESSIMISTIC_READ });
  if (!found) throw invalidForm([{ field: 'prepa', message: "Cette préparation n'existe pas ou n'existe plus" }]);
}
