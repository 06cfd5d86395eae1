import type { MemoryModel, Trace } from './models.ts';

/**
 * What a question is worth on the day of the concours under one model, if it is repeated best from now on. A repetition costs `price`, a
 * share of recall, so that questions compete for the time that is left (a Lagrange multiplier). Backward induction over days, strengths and
 * difficulties, with the gaps below between repetitions.
 */
export interface Worth {
  /** Expected recall on the day less the price of the repetitions, right after an answer with so many days left. */
  value(days: number, level: number, spot: number): number;
  /** Expected number of those repetitions. */
  repetitions(days: number, level: number, spot: number): number;
}

/** The longest plan, in days. */
export const longest = 90;
/** Days between two repetitions that are considered. */
export const gaps = [1, 2, 4, 8, 16, 32] as const;
/** Difficulties of FSRS: first answer right; first answer wrong or one lapse; more lapses. */
const difficulties = [2.1, 6.9, 9.2] as const;
const lastLevel = difficulties.length - 1;

/** Strengths between which values are interpolated: `points` of them, from 0.03 to 2,000 days, evenly on a logarithmic scale. */
const points = 14;
const lowest = Math.log(0.03);
const step = (Math.log(2000) - lowest) / (points - 1);
const strengths = Array.from({ length: points }, (_, point) => Math.exp(lowest + point * step));

/** Returns the place of a strength between the points. */
export const spotOf = (strength: number): number => Math.min(Math.max((Math.log(strength) - lowest) / step, 0), points - 1.000_001);

/** Returns the level of a difficulty, and after a wrong answer. */
export const levelOf = ({ difficulty }: Pick<Trace, 'difficulty'>): number => (difficulty < 4.5 ? 0 : difficulty < 8 ? 1 : lastLevel);
/** Returns a difficulty of the level. */
export const difficultyAt = (level: number): number => difficulties[level] as number;

export const levelAfterLapse = (level: number): number => Math.min(level + 1, lastLevel);

/** By gap, level and point: recall, and the places of the strengths after a right and a wrong answer. */
interface Moves {
  recall: Float64Array;
  right: Float64Array;
  wrong: Float64Array;
}

const cellOf = (row: number, level: number, point: number): number => (row * difficulties.length + level) * points + point;

function movesOf(model: MemoryModel): Moves {
  const size = gaps.length * difficulties.length * points;
  const moves: Moves = { recall: new Float64Array(size), right: new Float64Array(size), wrong: new Float64Array(size) };
  gaps.forEach((gap, row) => {
    difficulties.forEach((difficulty, level) => {
      strengths.forEach((strength, point) => {
        const cell = cellOf(row, level, point);
        const recall = model.recall(gap, strength);
        moves.recall[cell] = recall;
        moves.right[cell] = spotOf(model.next(strength, difficulty, recall, true));
        moves.wrong[cell] = spotOf(model.next(strength, difficulty, recall, false));
      });
    });
  });
  return moves;
}

function interpolate(table: Float64Array, row: number, spot: number): number {
  const low = Math.trunc(spot);
  const part = spot - low;
  return (table[row + low] as number) * (1 - part) + (table[row + low + 1] as number) * part;
}

/** The tables of one model at one price, for as many days as were needed so far. */
class Tables implements Worth {
  readonly #model: MemoryModel;
  readonly #moves: Moves;
  readonly #price: number;
  readonly #values = new Float64Array(cellOf(longest + 1, 0, 0));
  readonly #counts = new Float64Array(cellOf(longest + 1, 0, 0));
  #days = 0;

  constructor(model: MemoryModel, moves: Moves, price: number) {
    this.#model = model;
    this.#moves = moves;
    this.#price = price;
  }

  value(days: number, level: number, spot: number): number {
    return interpolate(this.#values, cellOf(days, level, 0), spot);
  }

  repetitions(days: number, level: number, spot: number): number {
    return interpolate(this.#counts, cellOf(days, level, 0), spot);
  }

  /** Computes the further days up to this number. */
  extend(days: number): void {
    for (; this.#days < days; this.#days += 1)
      for (let level = 0; level <= lastLevel; level += 1)
        for (let point = 0; point < points; point += 1) this.#fill(this.#days + 1, level, point);
  }

  #fill(days: number, level: number, point: number): void {
    const { recall: recalls, right, wrong } = this.#moves;
    const [values, counts] = [this.#values, this.#counts];
    let best = this.#model.recall(days, strengths[point] as number);
    let count = 0;
    for (let row = 0; row < gaps.length; row += 1) {
      const rest = days - (gaps[row] as number);
      if (rest < 1) break;
      const move = cellOf(row, level, point);
      const recall = recalls[move] as number;
      const kept = cellOf(rest, level, 0);
      const lost = cellOf(rest, levelAfterLapse(level), 0);
      const [whenRight, whenWrong] = [right[move] as number, wrong[move] as number];
      const value = recall * interpolate(values, kept, whenRight) + (1 - recall) * interpolate(values, lost, whenWrong) - this.#price;
      if (value <= best) continue;
      best = value;
      count = 1 + recall * interpolate(counts, kept, whenRight) + (1 - recall) * interpolate(counts, lost, whenWrong);
    }
    const cell = cellOf(days, level, point);
    values[cell] = best;
    counts[cell] = count;
  }
}

/** Tables depend on the model and the price alone, and prices have few values: they are computed once. */
const kept = new Map<MemoryModel, { moves: Moves; byPrice: Map<number, Tables> }>();

/** Returns the worth of questions under a model at a price, for at most so many days. */
export function worthOf(model: MemoryModel, price: number, days: number): Worth {
  let tables = kept.get(model);
  if (!tables) {
    tables = { moves: movesOf(model), byPrice: new Map() };
    kept.set(model, tables);
  }
  let worth = tables.byPrice.get(price);
  if (!worth) {
    worth = new Tables(model, tables.moves, price);
    tables.byPrice.set(price, worth);
  }
  worth.extend(days);
  return worth;
}

/** The prices that are tried, in rising order. */
export const prices: readonly number[] = Array.from({ length: 24 }, (_, index) => 0.002 * 1.35 ** index);
