import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import type { EntityManager } from '@mikro-orm/postgresql';
import { readRows } from '../../../../platform/database/rows.ts';
import { AppError, invalidRequest, notFound } from '../../../../platform/errors.ts';
import { requireRightClock } from '../../../../platform/use-cases/clock-check.ts';
import type { UseCaseContext } from '../../../../platform/use-cases/events.ts';
import { transact } from '../../../../platform/use-cases/transaction.ts';
import { paperHtml } from '../../../../shared/exams/paper-html.ts';
import { newKey, seal } from '../../../../shared/exams/sealed-paper.ts';
import { beginningOf } from '../../../../shared/questions/beginning.ts';
import { introOf } from '../../../../shared/questions/question-html.ts';
import { asRead } from '../../../../shared/rich-text/as-read.ts';
import { type Actor, recordChange } from '../../../identity/index.ts';
import { ExamQuestion, ExamSeal } from '../exam/exam.entity.ts';
import type {} from '../exam/exam.events.ts';
import { type ExamRow, findExam } from '../exam/exam.repository.ts';
import { type FrozenPapers, freezePapers } from './freezing.ts';
import { findPapers, findSources } from './paper.repository.ts';

const deflate = promisify(deflateRaw);

/** Most characters of an introduction in the notice of the preview; the paper below has all of it. */
const introductionLength = 300;

/** Returns an exam. @throws AppError 404 */
async function requireExamRow(em: EntityManager, id: number): Promise<ExamRow> {
  const exam = await findExam(em, id);
  if (!exam) throw notFound("Ce concours blanc n'existe pas ou n'existe plus.");
  return exam;
}

/** The paper of an exam as candidates see it. */
interface PaperPreview {
  html: string;
  questions: number;
  /** Past subjects, to be written on paper. */
  subjects: number;
  /** Series with text before their first question: it was written for the series, and may contradict the exam. */
  introductions: { paperId: number; titre: string; html: string }[];
  /** Size of the sealed paper, in bytes. */
  octets: number;
}

/**
 * Returns the paper of an exam: as it would be after its announcement, or as it was frozen.
 * @throws AppError 400 when a paper cannot be used, 404
 */
export async function previewPaper(em: EntityManager, { files }: Pick<UseCaseContext, 'files'>, id: number): Promise<PaperPreview> {
  const exam = await requireExamRow(em, id);
  const { papers } = exam.announcedAt
    ? { papers: await findPapers(em, id) }
    : await freezePapers(exam.prepaId, await findSources(em, id), files);
  const html = paperHtml(papers);
  return {
    html,
    questions: html.split('<div class="question" ').length - 1,
    subjects: papers.filter(({ kind }) => kind === 'pastExam').length,
    introductions: papers.flatMap(({ id: paperId, kind, titre, contenu }) => {
      const beginning = kind === 'quiz' ? beginningOf(asRead(introOf(contenu)), introductionLength) : '';
      return beginning === '' ? [] : [{ paperId, titre, html: beginning }];
    }),
    octets: (await deflate(html)).length,
  };
}

/**
 * Announces an exam: copies its papers, questions and keys, and seals the paper with a new key.
 * @param revision of the exam that the administrator saw
 * @throws AppError 400 when a paper cannot be used or the opening has passed, 404, 409 after another change
 */
export async function announceExam(em: EntityManager, context: UseCaseContext, actor: Actor, id: number, revision: number): Promise<void> {
  const exam = await requireExamRow(em, id);
  requireCurrent(exam, revision);
  const frozen = await freezePapers(exam.prepaId, await findSources(em, id), context.files);
  const key = newKey();
  const sealed = await seal(new Uint8Array(await deflate(frozen.html)), key);
  await transact(em, context, async (tx) => {
    await requireRightClock(tx);
    const at = context.clock.now();
    const [locked] = await readRows<Pick<ExamRow, 'revision' | 'announcedAt'>>(
      tx,
      'select revision, announced_at from exam where id = ? for update',
      [id],
    );
    if (!locked) throw notFound("Ce concours blanc n'existe pas ou n'existe plus.");
    requireCurrent(locked, revision);
    if (exam.opensAt <= at)
      throw invalidRequest(
        [{ field: 'ouverture', message: "L'ouverture est passée : choisissez une ouverture à venir." }],
        "L'ouverture est passée : choisissez une ouverture à venir, puis annoncez le concours blanc.",
      );
    await storeFrozen(tx, id, frozen);
    await tx.insert(ExamSeal, { exam: id, key: Buffer.from(key), sealed: Buffer.from(sealed) });
    await tx.execute('update exam set announced_at = ?::timestamptz, revision = revision + 1 where id = ?', [at.toISOString(), id]);
    const { prepaId, prepaNom, titre, opensAt, closesAt, audience } = exam;
    await recordChange(tx, context, actor, {
      action: 'announced',
      subject: 'exam',
      subjectId: id,
      label: titre,
      after: { opensAt, closesAt, questions: frozen.questions.length },
    });
    await context.events.emit(tx, context, 'exam.announced', { examId: id, prepaId, prepaNom, titre, opensAt, audience, at });
  });
}

function requireCurrent({ revision, announcedAt }: Pick<ExamRow, 'revision' | 'announcedAt'>, seen: number): void {
  if (announcedAt) throw new AppError('EXAM.ANNOUNCED', 409, 'Ce concours blanc est déjà annoncé.');
  if (revision === seen) return;
  throw new AppError('EXAM.OUTDATED', 409, "Ce concours blanc vient d'être modifié : relisez-le, puis annoncez-le de nouveau.");
}

async function storeFrozen(tx: EntityManager, id: number, { papers, questions }: FrozenPapers): Promise<void> {
  await tx.execute(
    `update exam_paper e set titre = g.titre, discipline = g.discipline, contenu = g.contenu, corrige = g.corrige
     from jsonb_to_recordset(?::jsonb) as g(id int, titre text, discipline text, contenu text, corrige text)
     where e.id = g.id and e.exam_id = ?`,
    [JSON.stringify(papers), id],
  );
  await tx.insertMany(
    ExamQuestion,
    questions.map(({ questionId, paperId, position, key }) => ({
      exam: id,
      questionId,
      paper: paperId,
      position,
      points: String(key.points),
      key,
    })),
  );
}
