import { labelOf } from '../../../shared/item-kinds.ts';
import { beginningOf } from '../../../shared/questions/beginning.ts';
import { letterOf } from '../../../shared/questions/letter.ts';
import { questionsOf } from '../../../shared/questions/question-html.ts';
import { asRead } from '../../../shared/rich-text/as-read.ts';
import { fewestAnswers, type QuestionFigures } from './statistics.repository.ts';
import { formatCorrelation, formatShare, sayMark } from './words.ts';

/** Most characters of a statement and of a choice. */
const shown = { statement: 160, choice: 90 };

/** What one choice, or 'Je ne sais pas', was answered. */
interface ChoiceFigures {
  /** 'A'; null for what is no choice of the text. */
  letter: string | null;
  /** HTML within a line. */
  html: string;
  /** Null for what is no choice of the text. */
  isRight: boolean | null;
  count: number;
  /** '41,7 %'; null with too few answers. */
  share: string | null;
  /** Length of the bar, 0 to 100. */
  length: number;
}

export interface ShownFigures {
  id: string;
  /** 'Série 1 : Les suites, question 3'. */
  place: string;
  /** Address of the question in the editor. */
  href: string;
  /** HTML within a line. */
  statement: string;
  answered: number;
  /** Too few answers to judge the question; false without any. */
  isFew: boolean;
  /** '5 (41,7 %)'; without the share when there are too few answers. */
  rightFirst: string;
  skipped: string;
  /** '0,32 (12 candidats)'; null where it is not defined or has too few learners. */
  discrimination: string | null;
  marks: string[];
  /** Answers to earlier keys. */
  earlier: number;
  choices: ChoiceFigures[];
}

/** Returns the figures of a question for the page. */
export function presentFigures(disciplineId: number, row: QuestionFigures): ShownFigures {
  const { id, kind, position, itemId, itemKind, titre, numeroPage, annee, answered, rightFirst, skipped, rated, discrimination } = row;
  const isFew = answered > 0 && answered < fewestAnswers;
  const counted = (count: number): string => (answered === 0 || isFew ? String(count) : `${count} (${formatShare(count, answered)})`);
  const [question] = questionsOf(asRead(row.section));
  return {
    id,
    place: `${labelOf(itemKind, { numero_page: numeroPage, annee })} : ${titre}, question ${position}`,
    href: `/admin/discipline/${disciplineId}?type=${itemKind}&item=${itemId}#q-${id}`,
    statement: beginningOf(question?.statement ?? '', shown.statement) || '[énoncé sans texte]',
    answered,
    isFew,
    rightFirst: counted(rightFirst),
    skipped: counted(skipped),
    discrimination: discrimination === null || rated < fewestAnswers ? null : `${formatCorrelation(discrimination)} (${rated} candidats)`,
    marks: row.marks.map((mark) => sayMark(mark, kind)),
    earlier: row.earlier,
    choices: answered === 0 ? [] : presentChoices(row, isFew),
  };
}

function presentChoices({ kind, section, rightChoices, chosen, answered, skipped }: QuestionFigures, isFew: boolean): ChoiceFigures[] {
  if (kind === 'number' || kind === 'text') return [];
  const figures = (count: number) => ({
    count,
    share: isFew ? null : formatShare(count, answered),
    length: Math.round((100 * count) / answered),
  });
  const { choices = [] } = questionsOf(asRead(section))[0] ?? {};
  const removed = removedCount(chosen, choices);
  return [
    ...choices.map(({ id, html }, index) => ({
      letter: letterOf(index),
      html: beginningOf(html, shown.choice) || '[choix sans texte]',
      isRight: rightChoices.includes(id),
      ...figures(chosen?.[id] ?? 0),
    })),
    ...(removed > 0 ? [{ letter: null, html: 'Choix retirés du texte', isRight: null, ...figures(removed) }] : []),
    { letter: null, html: 'Je ne sais pas', isRight: null, ...figures(skipped) },
  ];
}

/** Returns how often choices were chosen that the text no longer has. */
export function removedCount(chosen: QuestionFigures['chosen'], choices: readonly { id: string }[]): number {
  const present = new Set(choices.map(({ id }) => id));
  return Object.entries(chosen ?? {}).reduce((sum, [id, count]) => (present.has(id) ? sum : sum + count), 0);
}
