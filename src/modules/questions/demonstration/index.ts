import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { dayMs } from '../../../shared/dates.ts';
import { type Given, isRight } from '../../../shared/questions/grade.ts';
import { questionsOf } from '../../../shared/questions/question-html.ts';
import type { QuestionKey } from '../../../shared/questions/question-keys.ts';
import { User } from '../../identity/index.ts';
import { type JudgedAnswer, recordAnswers, sectionSql } from '../answers/answer.repository.ts';
import { keyFrom } from '../answers/answer.service.ts';
import { finishSeries } from '../series/attempt.repository.ts';

/** How many candidates answer the first text, the second one, and so on in turn: enough for figures, too few, and none. */
const takers = { series: [24, 18, 12, 24, 3, 16], others: [10, 7, 0, 12, 3] };
const candidates = Math.max(...takers.series);
/** Most texts with questions that are answered; the demonstration has a few dozen. */
const maxItems = 100;

interface DemonstrationQuestion {
  id: string;
  itemId: number;
  itemVersion: number;
  isSeries: boolean;
  /** Rank of the text among the series, or among the other texts, from 0. */
  rank: number;
  section: string;
  key: QuestionKey;
  keyVersion: number;
}

const demonstrationQuestions = namedStatement<DemonstrationQuestion>({
  name: 'questions.demonstration',
  text: `select q.id, i.id as item_id, i.version as item_version, i.is_series, i.rank, ${sectionSql('i.contenu', 'q.id')} as section, q.key, q.key_version
         from (select *, kind = 'quiz' as is_series, row_number() over (partition by kind = 'quiz' order by id)::int - 1 as rank from item
               where keys <> '[]' order by kind = 'quiz' desc, id limit ${maxItems}) i
              join question q on q.item_id = i.id where q.usable and q.position is not null order by i.is_series desc, i.rank, q.position`,
});

/** Returns a number from 0 to less than 1 that is the same for the same values. */
const chance = (...values: unknown[]): number => Number.parseInt(keyFrom(values).slice(0, 8), 16) / 2 ** 32;

/**
 * Lets candidates of the demonstration answer its questions, so that teachers see figures, and one question that needs a look: the same
 * answers at each call, stored once. Nobody can sign in as these candidates. Never called in production.
 * @returns the number of answers
 */
export async function answerDemonstration(em: EntityManager, { clock }: Pick<UseCaseContext, 'clock'>): Promise<number> {
  const now = clock.now();
  const questions = await demonstrationQuestions(em, []);
  if (questions.length === 0) return 0;
  const people = Array.from({ length: candidates }, (_, index) => ({
    id: keyFrom(['demonstration', index]),
    username: `demo_candidat_${index + 1}`,
    email: `demo.candidat${index + 1}@gmail.com`,
    passwordHash: 'unusable',
    createdAt: new Date(now.getTime() - 30 * dayMs),
  }));
  await em.upsertMany(User, people, { onConflictAction: 'ignore' });
  const misleading = questions.find((question) => question.isSeries && question.key.kind === 'one' && wrongChoices(question).length > 1);
  let count = 0;
  // A few statements for each candidate, as when they take the series themselves.
  for (const [index, { id }] of people.entries()) {
    const taken = questions.filter((question) => index < takersOf(question));
    const at = new Date(now.getTime() - (index + 1) * (dayMs / 2));
    await recordAnswers(
      em,
      id,
      taken.map((question) => answerOf(question, giveAnswer(question, index, question === misleading), id, at)),
    );
    for (const itemId of new Set(taken.flatMap((question) => (question.isSeries ? [question.itemId] : []))))
      await finishSeries(em, id, at, itemId);
    count += taken.length;
  }
  return count;
}

function takersOf({ isSeries, rank }: DemonstrationQuestion): number {
  const counts = isSeries ? takers.series : takers.others;
  return counts[rank % counts.length] ?? 0;
}

const wrongChoices = ({ section, key }: DemonstrationQuestion): string[] =>
  (questionsOf(section)[0]?.choices ?? []).flatMap(({ id }) => (key.right.includes(id) ? [] : [id]));

function answerOf(question: DemonstrationQuestion, given: Given, userId: string, at: Date): JudgedAnswer {
  const { id, key, keyVersion, itemVersion, isSeries } = question;
  const right = isRight(key, given);
  const cle = keyFrom(['demonstration', userId, id, keyVersion]);
  const context = isSeries ? 'series' : 'text';
  return { cle, questionId: id, keyVersion, itemVersion, context, given, isRight: right, points: right ? key.points : 0, at };
}

/** @param misleads one wrong choice is chosen by most, and by the stronger candidates more than by others */
function giveAnswer(question: DemonstrationQuestion, candidate: number, misleads: boolean): Given {
  const { id, key } = question;
  const ability = ((candidate * 7) % candidates) / candidates;
  const likely = misleads ? 0.45 - 0.4 * ability : 0.05 + 0.75 * ability + 0.2 * chance(id);
  if (chance(id, candidate) < likely) return rightAnswer(key);
  if (!misleads && chance(id, candidate, 'skipped') < 0.25) return { skipped: true };
  if (key.kind === 'number' || key.kind === 'text') return { typed: '0' };
  const wrong = wrongChoices(question);
  return { choices: [wrong[misleads ? 0 : Math.floor(chance(id, candidate, 'wrong') * wrong.length)] ?? ''] };
}

function rightAnswer({ kind, right, value, accepted: [first = ''] }: QuestionKey): Given {
  if (kind === 'number') return { typed: value };
  return kind === 'text' ? { typed: first } : { choices: [...right].sort() };
}
