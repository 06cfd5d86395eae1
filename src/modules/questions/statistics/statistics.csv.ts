import { Readable } from 'node:stream';
import type { EntityManager } from '@mikro-orm/postgresql';
import { csvLines } from '../../../platform/files/csv.ts';
import { labelOf } from '../../../shared/item-kinds.ts';
import { plainBeginningOf } from '../../../shared/questions/beginning.ts';
import { letterOf } from '../../../shared/questions/letter.ts';
import { questionsOf } from '../../../shared/questions/question-html.ts';
import { maxChoices } from '../../../shared/rich-text/question-kinds.ts';
import { removedCount } from './statistics.presenter.ts';
import { fewestAnswers, nextFigures, type QuestionFigures } from './statistics.repository.ts';
import { kindNames, sayMark } from './words.ts';

/** Questions per statement. */
const batchSize = 500;
/** Most characters of a statement. */
const statementLength = 300;

const letters = Array.from({ length: maxChoices }, (_, index) => letterOf(index));
const headers = [
  'Contenu',
  'Titre',
  'Question',
  'Énoncé',
  'Type',
  'Réponses',
  'Justes à la première réponse',
  'Justes (%)',
  'Je ne sais pas',
  'Discrimination',
  'À regarder',
  'Réponses à une clé antérieure',
  'Choix justes',
  ...letters.map((letter) => `Choix ${letter}`),
  'Choix retirés',
];

const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals));

function rowOf(row: QuestionFigures): (string | number)[] {
  const { kind, position, itemKind, titre, numeroPage, annee, answered, rightFirst, skipped, rated, discrimination, chosen, earlier } = row;
  const [question] = questionsOf(row.section);
  const choices = question?.choices ?? [];
  const isFew = answered > 0 && answered < fewestAnswers;
  return [
    labelOf(itemKind, { numero_page: numeroPage, annee }),
    titre,
    position,
    plainBeginningOf(question?.statement ?? '', statementLength),
    kindNames[kind],
    answered,
    rightFirst,
    answered < fewestAnswers ? '' : rounded((100 * rightFirst) / answered, 1),
    skipped,
    discrimination === null || rated < fewestAnswers ? '' : rounded(discrimination, 2),
    isFew ? `Moins de ${fewestAnswers} réponses` : row.marks.map((mark) => sayMark(mark, kind)).join(' ; '),
    earlier,
    choices.flatMap(({ id }, index) => (row.rightChoices.includes(id) ? [letterOf(index)] : [])).join(', '),
    ...letters.map((_letter, index) => {
      const id = choices[index]?.id;
      return id === undefined ? '' : (chosen?.[id] ?? 0);
    }),
    choices.length === 0 ? '' : removedCount(chosen, choices),
  ];
}

/** Yields the figures of a discipline's questions, in the order of its texts, in batches: a slow reader holds no connection. */
async function* figuresCsv(em: EntityManager, disciplineId: number): AsyncGenerator<string> {
  let head = csvLines([headers], true);
  for (let last: QuestionFigures | null = null; ; ) {
    const batch: QuestionFigures[] = await nextFigures(em, disciplineId, last, batchSize);
    yield head + csvLines(batch.map(rowOf));
    if (batch.length < batchSize) return;
    head = '';
    last = batch.at(-1) ?? null;
  }
}

/** Returns the CSV as a stream. It reads at most one batch ahead of the client, and stops when the client disconnects. */
export const figuresDownload = (em: EntityManager, disciplineId: number): Readable =>
  Readable.from(figuresCsv(em, disciplineId), { highWaterMark: 1 });
