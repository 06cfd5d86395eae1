import { examName, formatHour, formatOpening, formatWindow, startsIn } from '../../../../shared/exams/announcement.ts';
import { type ExamState, examState } from '../../../../shared/exams/exam-state.ts';
import { sayAsked } from '../../../../shared/exams/exam-words.ts';
import { sayRule } from '../../../../shared/questions/marking-rule.ts';
import type { CandidateExamRow } from '../exam/exam.repository.ts';
import type { ExamExtent } from './extent.repository.ts';

export const examHref = (id: number): string => `/user/concours-blancs/${id}`;
export const sheetHref = (id: number, page: number): string => `${examHref(id)}/feuille/${page}`;

/** Returns a number of minutes in words: '45 min', '2 h', '1 h 30'. */
export function sayMinutes(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return `${rest}\u00a0min`;
  return rest === 0 ? `${hours}\u00a0h` : `${hours}\u00a0h\u00a0${String(rest).padStart(2, '0')}`;
}

/** Returns the instructions, line by line. */
export const linesOf = ({ consignes }: Pick<CandidateExamRow, 'consignes'>): string[] =>
  consignes.split(/\r?\n/).filter((line) => line.trim() !== '');

/** What a candidate can do next. */
type Next = 'locked' | 'wait' | 'start' | 'go-on' | 'send' | 'handed-in' | 'absent' | 'result';

/** Returns what the candidate can do next. */
function nextOf({ sitting, maySit, grace }: CandidateExamRow, state: ExamState, now: Date): Next {
  if (!sitting) {
    if (state === 'closed' || state === 'marked' || state === 'published') return 'absent';
    if (!maySit) return 'locked';
    return state === 'open' ? 'start' : 'wait';
  }
  if (state === 'published') return 'result';
  if (sitting.handedInAt) return 'handed-in';
  if (now < sitting.endsAt) return 'go-on';
  return now.getTime() <= sitting.endsAt.getTime() + grace * 60_000 ? 'send' : 'handed-in';
}

/** Returns an exam for `questions/exam`. */
export function presentExam(exam: CandidateExamRow, { papers }: ExamExtent, now: Date) {
  const state = examState(exam, now);
  const { id, sitting } = exam;
  const next = nextOf(exam, state, now);
  return {
    title: examName(exam.titre),
    name: exam.titre,
    prepa: { id: exam.prepaId, nom: exam.prepaNom },
    state,
    next,
    id,
    revision: exam.revision,
    base: examHref(id),
    room: `${examHref(id)}/salle`,
    /** When it begins or ends, as people say it; null once it is closed. */
    when: state === 'announced' || state === 'open' ? startsIn(exam, now) : null,
    facts: [
      { name: 'Quand', value: formatWindow(exam) },
      { name: 'Durée', value: `${sayMinutes(exam.duree)}, dès que vous commencez` },
      { name: 'Sujet', value: papers.map((paper) => `${paper.discipline} (${sayPapers([paper])})`).join(' · ') },
      ...(papers.length > 1 ? [{ name: 'En tout', value: sayPapers(papers) }] : []),
      { name: 'Barème', value: sayRule(exam.bareme) },
      {
        name: 'Pour qui',
        value: exam.audience === 'enrolled' ? `Les inscrits à la prépa ${exam.prepaNom}` : 'Tous les candidats connectés',
      },
    ],
    instructions: linesOf(exam),
    /** '' for none. */
    grace: exam.grace > 0 ? sayMinutes(exam.grace) : '',
    sitting: sitting && {
      end: formatHour(sitting.endsAt),
      left: sayLeft(sitting.endsAt, now),
      handedIn: sitting.handedInAt && formatOpening(sitting.handedInAt),
      ending: sitting.ending,
      receipt: sitting.receipt,
      late: sitting.late,
    },
  };
}

const sayPapers = (papers: ExamExtent['papers']): string =>
  sayAsked(
    papers.reduce((sum, { questions }) => sum + questions, 0),
    papers.filter(({ kind }) => kind === 'pastExam').length,
  );

/** Returns the time left: '1 h 05', '12 min', 'moins d'une minute'. */
export function sayLeft(end: Date, now: Date): string {
  const minutes = Math.floor((end.getTime() - now.getTime()) / 60_000);
  return minutes < 1 ? "moins d'une minute" : sayMinutes(minutes);
}
