import type { EntityManager } from '@mikro-orm/postgresql';
import type { UseCaseContext } from '../../../../platform/use-cases/events.ts';
import type { HandInBody } from '../../../../shared/exams/exam-calls.ts';
import type { PaperText } from '../../../../shared/exams/paper-html.ts';
import { readAnswer } from '../../../../shared/questions/answer-sheet.ts';
import { fieldPrefix } from '../../../../shared/questions/asked-together.ts';
import type { Given } from '../../../../shared/questions/grade.ts';
import { questionsOf } from '../../../../shared/questions/question-html.ts';
import { keyFrom } from '../../answers/answer.service.ts';
import { type Candidate, handIn, takeBatch } from '../sittings/sitting.service.ts';

/** A candidate who answers page by page, in an exam that opened at this time. */
export interface SheetCandidate extends Candidate {
  opensAt: Date;
  startedAt: Date;
}

type Clocked = Pick<UseCaseContext, 'clock'>;

/**
 * Returns the body of a batch from pages without scripts. Each page of the paper is a device, and the number of a batch is the time since the
 * opening in hundredths of a second: tabs that send at the same time need no common counter.
 */
function bodyOf(
  { examId, userId, opensAt, startedAt }: SheetCandidate,
  now: Date,
  page: number,
  changes: readonly (readonly [string, Given | null])[],
): Omit<HandInBody, 'fin'> {
  const t = now.getTime();
  return {
    appareil: keyFrom(['exam-sheet', examId, userId, page]),
    numero: 1 + Math.max(0, Math.floor((t - opensAt.getTime()) / 10)),
    envoye: t,
    debut: startedAt.getTime(),
    reponses: changes.map(([q, g]) => ({ q, g: g === null || 'skipped' in g ? null : g, t })),
  };
}

/**
 * Stores the answers of a form that differ from those known.
 * @param form its fields are `r-<id of the question>`
 * @param page its number
 * @param shown ids of the questions of its page
 */
export async function saveSheet(
  em: EntityManager,
  context: Clocked,
  candidate: SheetCandidate,
  {
    papers,
    page,
    shown,
    known,
    form,
  }: {
    papers: readonly PaperText[];
    page: number;
    shown: readonly string[];
    known: ReadonlyMap<string, Given>;
    form: Record<string, unknown>;
  },
): Promise<void> {
  const asked = papers.flatMap(({ contenu }) => questionsOf(contenu)).filter(({ id }) => shown.includes(id));
  const changes = asked.flatMap((question) => {
    const read = readAnswer(question, form[fieldPrefix + question.id]);
    if (read === 'other') return [];
    const given = read && 'skipped' in read ? null : read;
    return JSON.stringify(given) === JSON.stringify(known.get(question.id) ?? null) ? [] : [[question.id, given] as const];
  });
  if (changes.length > 0) await takeBatch(em, context, candidate, bodyOf(candidate, context.clock.now(), page, changes));
}

/** Hands in what the server has. */
export const handInSheet = (em: EntityManager, context: Clocked, candidate: SheetCandidate, fin: HandInBody['fin']) =>
  handIn(em, context, candidate, { ...bodyOf(candidate, context.clock.now(), 0, []), fin });
