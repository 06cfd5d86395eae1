import type { Node } from 'prosemirror-model';
import { tidyName } from '../../../shared/blanks.ts';
import { isEmpty } from '../../../shared/rich-text/emptiness.ts';
import { richTextSchema } from '../../../shared/rich-text/schema.ts';
import { titlesOf } from './title.ts';

/** One of several exercises in a file. */
export interface FoundExercise {
  /** A title that meets the rule for titles, such as 'Exercice 2 Suites'. */
  readonly titre: string;
  /** Its heading, where the rule for titles changes it: 'Exercice 2 : Suites'. */
  readonly intitule: string | null;
  /** Ranks of its blocks among those of the text, followed by those of the correction. */
  readonly statement: number[];
  readonly correction: number[];
  /** Numbers of words of both. */
  readonly words: { readonly statement: number; readonly correction: number };
}

const NUMBER = '(?:n\\s*[°ºo]\\s*)?(\\d{1,3}|[IVX]{1,6})(?![\\p{L}\\p{N}])';
/** 'Exercice 2', 'EXERCICE II : Suites', 'Problème n° 1 (5 points)'. */
const EXERCISE = new RegExp(`^(exercice|exo|problème)\\s+${NUMBER}\\s*(.*)$`, 'isu');
const CORRECTION = new RegExp(
  `^(?:éléments?\\s+de\\s+|proposition\\s+de\\s+)?(?:corrig[ée]s?|corrections?|solutions?)(?!\\p{L})\\s*(?:(?:de\\s+l['’]|de\\s+|du\\s+|d['’])?\\s*(exercice|exo|problème)\\s+${NUMBER}|${NUMBER})?\\s*(.*)$`,
  'isu',
);
/** Longest paragraph that may be a heading without being formatted as one. */
const longestLine = 100;

type Line = { what: 'exercise'; number: string } | { what: 'correction'; number: string | null; isBare: boolean };

const textOf = (block: Node): string => tidyName(block.textBetween(0, block.content.size, ' ', ' ').normalize('NFC'));

/** Returns the texts of one of the exercises. The correction is null without blocks. */
export function textsOfExercise<Text extends { readonly type: string }>(
  { statement, correction }: Pick<FoundExercise, 'statement' | 'correction'>,
  contenu: Text,
  corrige: Text | null,
): { contenu: Text; corrige: Text | null } {
  const blocks = [contenu, corrige].flatMap((doc) => (doc as { content?: unknown[] } | null)?.content ?? []);
  const textWith = (ranks: readonly number[]): Text => ({ ...contenu, content: ranks.map((rank) => blocks[rank]) });
  return { contenu: textWith(statement), corrige: correction.length > 0 ? textWith(correction) : null };
}

/** Returns what a heading, or a paragraph that looks like one, starts; null for any other block. */
function readLine(block: Node): Line | null {
  const isHeading = block.type.name === 'heading';
  if (!isHeading && block.type.name !== 'paragraph') return null;
  const text = textOf(block);
  if (text.length > longestLine && !isHeading) return null;
  // 'Exercice 2 est difficile.' is a sentence, 'Exercice 2 : suites' is a heading.
  const isHeadingLike = (rest: string) => isHeading || rest === '' || /^[:.()–—-]/.test(rest);
  const exercise = EXERCISE.exec(text);
  if (exercise) return isHeadingLike(exercise[3] ?? '') ? { what: 'exercise', number: keyOf(exercise[1], exercise[2]) } : null;
  const correction = CORRECTION.exec(text);
  if (!correction) return null;
  const [, kind, ofKind, alone, rest = ''] = correction;
  const isBare = /^[:.]?$/.test(rest);
  const number = ofKind ?? alone;
  // A paragraph that begins with 'Solution' is a heading only if nothing follows.
  if (!isHeading && !isBare) return null;
  return { what: 'correction', number: number === undefined ? null : keyOf(kind, number), isBare };
}

/** Returns what names an exercise: 'II' and '2' are the same number. */
function keyOf(kind: string | undefined, number = ''): string {
  const isProblem = /^probl/i.test(kind ?? '');
  return `${isProblem ? 'p' : 'e'}${/^\d/.test(number) ? Number(number) : roman(number)}`;
}

const values: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10 };
const roman = (number: string): number =>
  [...number.toUpperCase()].reduce((sum, letter, index, all) => {
    const [value = 0, next = 0] = [values[letter], values[all[index + 1] ?? '']];
    return sum + (value < next ? -value : value);
  }, 0);

interface Part {
  number: string;
  titre: string;
  intitule: string | null;
  statement: number[];
  correction: number[];
}

/**
 * Returns the exercises of an imported file, each with its correction; an empty list unless there are at least two. Each block belongs to
 * exactly one exercise, except headings that a title or the place of a correction says already.
 * @param corrige what the import has taken as the correction, from the first heading 'Corrigé' on; null without one
 */
export function splitExercises(contenu: Node, corrige: Node | null): FoundExercise[] {
  const blocks = [contenu, corrige].flatMap((doc) => doc?.children ?? []);
  const parts: Part[] = [];
  const before: number[] = [];
  let current: Part | null = null;
  let inCorrection = false;
  for (const [rank, block] of blocks.entries()) {
    // The import leaves out a heading of the word alone.
    if (rank === contenu.childCount) inCorrection = true;
    const line = readLine(block);
    if (line?.what === 'exercise') {
      const known = inCorrection ? parts.find(({ number, correction }) => number === line.number && correction.length === 0) : undefined;
      if (known) {
        current = known;
        continue;
      }
      const text = textOf(block);
      const heading = text.replace(/\s*[:.–—-]*$/, '');
      const { titre, intitule } = titlesOf(heading);
      inCorrection = false;
      const found = { number: line.number, titre: titre ?? `Exercice ${parts.length + 1}`, intitule };
      // A heading that says more than the title, such as its points, stays in the text.
      current = { ...found, statement: heading === titre ? [] : [rank], correction: [] };
      parts.push(current);
      continue;
    }
    if (line?.what === 'correction') {
      inCorrection = true;
      const named = line.number === null ? undefined : parts.find(({ number }) => number === line.number);
      current = named ?? current;
      if (line.isBare && (line.number === null || named)) continue;
    }
    if (!current) before.push(rank);
    else (inCorrection ? current.correction : current.statement).push(rank);
  }
  const isFilled = (ranks: number[]) => ranks.some((rank) => !isEmpty(richTextSchema.node('doc', null, [blocks[rank] as Node])));
  if (parts.length < 2 || !parts.every(({ statement }) => isFilled(statement))) return [];
  if (isFilled(before)) parts[0]?.statement.unshift(...before);
  const wordsIn = (ranks: number[]) => ranks.reduce((sum, rank) => sum + (textOf(blocks[rank] as Node).match(/\S+/g)?.length ?? 0), 0);
  return parts.map(({ titre, intitule, statement, correction: own }) => {
    const correction = isFilled(own) ? own : [];
    return { titre, intitule, statement, correction, words: { statement: wordsIn(statement), correction: wordsIn(correction) } };
  });
}
