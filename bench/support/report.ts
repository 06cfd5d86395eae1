/** Prints the results of a run, one line per figure, and whether every budget was kept. */

interface Budget {
  what: string;
  measured: number;
  /** Largest accepted value. */
  limit: number;
  unit: string;
  /** Number of decimal places. */
  digits?: number;
  /** Spread or another detail, printed after the figure. */
  detail?: string;
}

export class Report {
  readonly #start = performance.now();
  readonly #missed: string[] = [];
  #kept = 0;

  section(title: string): void {
    console.log(`\n${title}`);
  }

  /** Prints a figure that has no budget. */
  fact(what: string, measured: string): void {
    console.log(`  ${what.padEnd(52)} ${measured}`);
  }

  budget({ what, measured, limit, unit, digits = 2, detail }: Budget): void {
    // NaN misses the budget.
    const ok = measured <= limit;
    if (ok) this.#kept += 1;
    else this.#missed.push(what);
    const value = `${measured.toFixed(digits)} ${unit}`.padEnd(14);
    const bound = `budget ${limit} ${unit}`.padEnd(22);
    console.log(`  ${what.padEnd(52)} ${value} ${bound} ${ok ? 'ok' : 'MISSED'}${detail ? `   ${detail}` : ''}`);
  }

  /** Prints a summary; returns whether every budget was kept. */
  finish(): boolean {
    const seconds = Math.round((performance.now() - this.#start) / 1000);
    console.log(`\n${seconds} s. ${this.#kept} budgets kept, ${this.#missed.length} missed.`);
    for (const what of this.#missed) console.log(`  MISSED  ${what}`);
    return this.#missed.length === 0;
  }
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = Number.NaN, high = Number.NaN] = sorted.length % 2 === 1 ? [sorted[middle], sorted[middle]] : sorted.slice(middle - 1);
  return (low + high) / 2;
}

export function p95(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN;
}

/** Returns the range, such as '1.85 to 2.04'. */
export function spread(values: number[], digits = 2): string {
  return `${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)}`;
}
