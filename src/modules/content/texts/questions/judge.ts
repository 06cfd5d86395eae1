import { asks, type Candidate } from './candidate.ts';
import type { Choice } from './choices.ts';
import type { KeyEntry } from './key.ts';
import { announcesChoices, isTask } from './labels.ts';
import { isWeak, shownRight, unmarked, type Way, ways } from './marks.ts';

export interface Judged {
  readonly candidate: Candidate;
  /** Whether it is a question even in a document without others. */
  readonly sure: boolean;
  /** Whether it is a question in a document that has others, or that says so. */
  readonly possible: boolean;
  readonly right: readonly number[];
  /** Ways in which some of its choices are shown as right. */
  readonly shown: readonly Way[];
  readonly entry: KeyEntry | undefined;
}

/** Returns the ways in which the author shows right choices: those that tell choices of one question apart. */
export const usedWays = (candidates: readonly Candidate[]): ReadonlySet<Way> =>
  new Set(
    ways.filter((way) =>
      candidates.some(({ choices }) => {
        const { length } = shownRight(choices, way);
        return length > 0 && length < choices.length;
      }),
    ),
  );

/** Decides whether a candidate is a question, and which of its choices are right. */
export function judge(candidate: Candidate, used: ReadonlySet<Way>, entry: KeyEntry | undefined): Judged {
  const { choices, form, start, answer, asked } = candidate;
  const isRead = (way: Way): boolean => {
    const { length } = shownRight(choices, way);
    return length > 0 && (way === 'box' || used.has(way)) && (!isWeak(way) || length < choices.length);
  };
  const shown = ways.filter(isRead);
  const [way] = shown;
  const written = answer ?? entry?.indexes ?? null;
  const right = written ?? (way ? shownRight(choices, way) : []);
  const texts = choices.map(({ blocks }) => blocks.map((block) => block.textContent).join(' '));
  const areTasks = texts.filter(isTask).length * 2 >= texts.length;
  const hasForm = form === 'letters' || form === 'true-false' || form === 'boxes';
  const isAsked = start !== null || asked.includes('?') || announcesChoices(asked);
  const isMarked = way !== undefined && !isWeak(way) && !areTasks;
  const sure = written !== null || (isMarked && (form === 'boxes' || form === 'bullets' ? isAsked : asks(candidate) || isAsked));
  // A bold choice alone may be a term, so the question must ask something.
  const possible = hasForm && !areTasks && isAsked && asks(candidate);
  const isBold =
    possible && way !== undefined && form === 'letters' && (start?.isWord === true || asked.includes('?') || announcesChoices(asked));
  return { candidate, sure: sure || isBold || candidate.typed !== null, possible, right, shown, entry };
}

/** Returns the choices without the marks that only show which ones are right. */
export const withoutMarks = ({ choices }: Candidate, right: readonly number[], shown: readonly Way[]): Choice[] =>
  choices.map((choice, index) => {
    if (!right.includes(index)) return choice;
    const marks = shown.filter((way) => way !== 'box' && way !== 'sign' && shownRight(choices, way).join() === right.join());
    return { ...choice, blocks: unmarked(choice.blocks, marks) };
  });
