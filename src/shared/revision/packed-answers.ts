/**
 * A learner's answers as devices store them. By question id, or `item-12` for the verdicts on an exercise: a list of pairs, the time (in
 * seconds since 1970, then the difference to the time before) and a code with the result and the seconds taken. About 8 bytes an answer,
 * compressed.
 */
export type PackedAnswers = Record<string, number[]>;

/** Time in ms since 1970, right or not, seconds taken. Unpacked times are whole seconds. */
export type AnswerMoment = [at: number, right: boolean, seconds: number | null];

const toSecond = (at: number): number => Math.floor(at / 1000);

/** Returns the packed form of answers, in any order. Without answers nothing is stored. */
export function packAnswers(all: Iterable<readonly [id: string, answers: readonly AnswerMoment[]]>): PackedAnswers {
  const packed: PackedAnswers = {};
  for (const [id, answers] of all) {
    let before = 0;
    const numbers = answers
      .toSorted(([one], [other]) => one - other)
      .flatMap(([at, right, seconds]) => {
        const since = toSecond(at) - before;
        before += since;
        return [since, (seconds ?? -1) * 2 + Number(right)];
      });
    if (numbers.length > 0) packed[id] = numbers;
  }
  return packed;
}

/** Returns the answers of one question, by their times. */
export function unpackAnswers(numbers: readonly number[] = []): AnswerMoment[] {
  const answers: AnswerMoment[] = [];
  let at = 0;
  for (let index = 0; index + 1 < numbers.length; index += 2) {
    at += numbers[index] as number;
    const code = numbers[index + 1] as number;
    answers.push([at * 1000, (code & 1) === 1, code < 0 ? null : code >> 1]);
  }
  return answers;
}

/** Returns both; answers of the second replace none of the first. */
export function mergePacked(one: PackedAnswers, other: PackedAnswers): PackedAnswers {
  const ids = new Set([...Object.keys(one), ...Object.keys(other)]);
  return packAnswers(Array.from(ids, (id) => [id, [...unpackAnswers(one[id]), ...unpackAnswers(other[id])]]));
}

/** Returns the answers until this time, in ms. */
export const packedUntil = (packed: PackedAnswers, until: number): PackedAnswers =>
  packAnswers(Object.entries(packed).map(([id, numbers]) => [id, unpackAnswers(numbers).filter(([at]) => at <= until)]));

/** Returns the answers after this time, in ms. */
export const packedAfter = (packed: PackedAnswers, after: number): PackedAnswers =>
  packAnswers(Object.entries(packed).map(([id, numbers]) => [id, unpackAnswers(numbers).filter(([at]) => at > after)]));

/** Returns the time of the latest answer, in ms; 0 without one. */
export const latestOf = (packed: PackedAnswers): number =>
  Object.values(packed).reduce((latest, numbers) => Math.max(latest, unpackAnswers(numbers).at(-1)?.[0] ?? 0), 0);

/** Returns a text that is the same for the same answers: their number, and a sum of their times and results. */
export function tagOfAnswers(packed: PackedAnswers): string {
  let [count, sum] = [0, 0];
  for (const numbers of Object.values(packed))
    for (const [at, right, seconds] of unpackAnswers(numbers)) {
      count += 1;
      sum = (sum + at * 4 + Number(right) * 2 + (seconds ?? 0)) % 1_000_000_007;
    }
  return `${count}.${sum}`;
}
