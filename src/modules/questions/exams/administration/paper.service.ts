import type { EntityManager } from '@mikro-orm/postgresql';
import type { UseCaseContext } from '../../../../platform/use-cases/events.ts';
import { transact } from '../../../../platform/use-cases/transaction.ts';
import type { PaperKind } from '../../../../shared/exams/exam-words.ts';
import { type Actor, recordChange } from '../../../identity/index.ts';
import { examGone, notInThisState } from './exam.errors.ts';
import { lockExam, requireDraft, subjectOf } from './exam.service.ts';
import { findSource } from './paper.repository.ts';

/** Most papers of an exam. */
export const maxPapers = 20;

/** A change of the papers: an item or draft is added, or a paper is removed or moved by one place. */
export const paperMoves = ['ajouter', 'retirer', 'monter', 'descendre'] as const;
export interface PaperChange {
  move: (typeof paperMoves)[number];
  /** Id of the item or draft; of the paper for the other moves. */
  id: number;
}

interface StoredPaper {
  id: number;
  titre: string;
  kind: PaperKind;
  source_id: number;
}

/**
 * Changes the papers of an exam in preparation. A repeated change, and one of a paper that is no longer there, changes nothing.
 * @throws AppError 404, 409 when the exam is announced, has all papers it may have, or the item is of another prepa
 */
export const changePapers = (
  em: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  { examId, change }: { examId: number; change: PaperChange },
): Promise<void> =>
  transact(em, context, async (tx) => {
    const exam = await lockExam(tx, examId, null);
    requireDraft(exam);
    const before = await papersOf(tx, examId);
    if (!(await apply(tx, { examId, prepaId: exam.prepa }, before, change))) return;
    const after = await papersOf(tx, examId);
    exam.revision += 1;
    await tx.flush();
    const named = (papers: StoredPaper[]) => ({ epreuves: papers.map(({ titre }) => titre).join(' · ') });
    await recordChange(tx, context, actor, { action: 'updated', ...subjectOf(exam), before: named(before), after: named(after) });
  });

/** Returns whether something was changed. */
async function apply(
  tx: EntityManager,
  { examId, prepaId }: { examId: number; prepaId: number },
  papers: StoredPaper[],
  { move, id }: PaperChange,
): Promise<boolean> {
  if (move === 'ajouter') {
    if (papers.some(({ source_id }) => source_id === id)) return false;
    if (papers.length >= maxPapers) throw notInThisState(`Un concours blanc a au plus ${maxPapers} épreuves.`);
    const source = await findSource(tx, prepaId, id);
    if (!source) throw examGone();
    await tx.execute('insert into exam_paper (exam_id, position, source_id, kind, titre, discipline) values (?, ?, ?, ?, ?, ?)', [
      examId,
      papers.length + 1,
      id,
      source.kind,
      source.titre.slice(0, 200).toWellFormed(),
      source.discipline.slice(0, 100).toWellFormed(),
    ]);
    return true;
  }
  const from = papers.findIndex((paper) => paper.id === id);
  if (from < 0) return false;
  const ordered = [...papers];
  const [moved] = ordered.splice(from, 1);
  if (move !== 'retirer' && moved) {
    const to = from + (move === 'monter' ? -1 : 1);
    if (to < 0 || to > ordered.length) return false;
    ordered.splice(to, 0, moved);
  } else {
    await tx.execute('delete from exam_paper where id = ?', [id]);
  }
  // The constraint on positions is checked at the commit.
  await tx.execute(
    `update exam_paper p set position = o.position from unnest(?::int[]) with ordinality as o (id, position) where p.id = o.id and p.exam_id = ?`,
    [`{${ordered.map((paper) => paper.id)}}`, examId],
  );
  return true;
}

const papersOf = (tx: EntityManager, examId: number): Promise<StoredPaper[]> =>
  tx.execute('select id, titre, kind, source_id from exam_paper where exam_id = ? order by position', [examId]);
