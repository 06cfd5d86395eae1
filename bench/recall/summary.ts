import type { Forecast } from './simulate.ts';

export const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns half the width of the 95 % interval of the mean, by the normal distribution. */
export function margin(values: readonly number[]): number {
  const centre = mean(values);
  const variance = values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / Math.max(values.length - 1, 1);
  return 1.96 * Math.sqrt(variance / values.length);
}

/** The gain of one policy over another with the same learners, as shares of the other's mean. */
export function gainOver(values: readonly number[], others: readonly number[]): { gain: number; margin: number } {
  const differences = values.map((value, index) => value - (others[index] as number));
  return { gain: mean(differences) / mean(others), margin: margin(differences) / mean(others) };
}

interface Decile {
  count: number;
  forecast: number;
  came: number;
}

/** Forecasts by tenths of the forecast, and the Brier score: the mean square of forecast less outcome. */
export class Calibration {
  readonly #sums = Array.from({ length: 10 }, () => ({ count: 0, forecast: 0, came: 0 }));
  #squares = 0;

  add({ chance, right }: Forecast): void {
    const sum = this.#sums[Math.min(Math.floor(chance * 10), 9)] as Decile;
    sum.count += 1;
    sum.forecast += chance;
    sum.came += right ? 1 : 0;
    this.#squares += (chance - (right ? 1 : 0)) ** 2;
  }

  get brier(): number {
    return this.#squares / this.#sums.reduce((sum, { count }) => sum + count, 0);
  }

  /** Returns the tenths that have forecasts, with means. */
  get deciles(): Decile[] {
    return this.#sums.flatMap(({ count, forecast, came }) =>
      count > 0 ? [{ count, forecast: forecast / count, came: came / count }] : [],
    );
  }
}
