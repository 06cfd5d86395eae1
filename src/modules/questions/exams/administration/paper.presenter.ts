import { formatInstant } from '../../../../shared/dates.ts';
import type { ExamRow } from '../exam/exam.repository.ts';
import { counted, paperKindNames } from './exam-words.ts';
import type { PaperRow } from './paper.repository.ts';

/** Returns a paper for a page, with what an administrator must know of its source. */
export function presentPaper(paper: PaperRow, exam: Pick<ExamRow, 'announcedAt' | 'closesAt'>, now: Date) {
  const { id, titre, kind, discipline, disciplineId, sourceId, questions } = paper;
  return {
    id,
    titre,
    note: [discipline, paperKindNames[kind], ...(kind === 'quiz' && questions !== null ? [counted(questions, 'question')] : [])].join(
      ' · ',
    ),
    /** Address of the source in the editor; null once it is deleted. */
    source: disciplineId === null ? null : `/admin/discipline/${disciplineId}?type=${kind}&item=${sourceId}`,
    // After the closing, everybody may read it.
    warning: now < exam.closesAt || exam.announcedAt === null ? warningOf(paper, exam) : null,
  };
}

/** Returns what is wrong with a paper, in French; null when nothing is. */
function warningOf(
  { kind, isPublished, publishAt, questions }: PaperRow,
  { announcedAt, closesAt }: Pick<ExamRow, 'announcedAt' | 'closesAt'>,
): string | null {
  const isDraftExam = announcedAt === null;
  if (isPublished === null) return isDraftExam ? "Ce contenu n'existe plus : retirez cette épreuve." : null;
  if (isDraftExam && kind === 'quiz' && questions === 0) return "Cette série n'a aucune question complète.";
  const name = kind === 'quiz' ? 'cette série' : 'ce sujet';
  if (isPublished) return `Les inscrits peuvent déjà lire ${name}.`;
  if (publishAt !== null && new Date(publishAt) < closesAt)
    return `La publication de ${name} est prévue le ${formatInstant(new Date(publishAt))}, avant la fermeture : les inscrits pourront l'ouvrir.`;
  return null;
}
