import { AppError, notFound } from '../../../../platform/errors.ts';
import type { CandidateExamRow } from './exam.repository.ts';

/**
 * Lets a learner see an announced exam.
 * @throws AppError 404 without such an exam
 */
export function requireExam(exam: CandidateExamRow | null): CandidateExamRow {
  if (!exam) throw notFound("Ce concours blanc n'existe pas ou n'existe plus.");
  return exam;
}

/**
 * Lets a learner prepare for and begin an exam: those who may sit it, and those who have begun.
 * @throws AppError 403 without access to the prepa
 */
export function requireCandidate(exam: CandidateExamRow): void {
  if (exam.maySit || exam.sitting) return;
  throw new AppError(
    'EXAM.LOCKED',
    403,
    `Ce concours blanc est réservé aux inscrits à la prépa ${exam.prepaNom}. Inscrivez-vous, puis revenez ici.`,
  );
}
