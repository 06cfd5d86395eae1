/** Maximum number of remarks in the response to a save. */
export const maxRemarks = 50;

/** Maximum number of remarks that are kept. A file of a million characters may give cause for 140,000. */
const maxKept = 200;

/** Collects French remarks about content that could not be kept, each with its number of occurrences, in order of first occurrence. */
export class Remarks {
  readonly #counts = new Map<string, { count: number; say: (count: number) => string }>();
  /** Number of remarks beyond `maxKept`. */
  #more = 0;

  /** Adds `amount` to the count of a remark. @param key identifies the remark */
  count(key: string, say: (count: number) => string, amount = 1): void {
    const known = this.#counts.get(key);
    if (!known && this.#counts.size >= maxKept) {
      this.#more += 1;
      return;
    }
    this.#counts.set(key, { say: known?.say ?? say, count: (known?.count ?? 0) + amount });
  }

  /**
   * Adds `amount` to a remark of the form '3 images' followed by their fate.
   * @param thing the singular, and the plural when it is not formed with an s
   */
  countOf(thing: string | readonly [one: string, many: string], fate: string, amount = 1): void {
    const [one, many] = typeof thing === 'string' ? [thing] : thing;
    this.count(one + fate, (count) => counted(count, one, many) + fate, amount);
  }

  /** Adds a sentence. Repetitions are not counted. */
  say(sentence: string): void {
    this.count(sentence, () => sentence);
  }

  /** Adds a sentence. Repetitions show as a number behind it. */
  sayWithCount(sentence: string): void {
    this.count(sentence, (count) => (count > 1 ? `${sentence} (${count} fois)` : sentence));
  }

  /** Takes back the remarks that a test finds. */
  takeBack(isFound: (sentence: string) => boolean): void {
    for (const [key, { count, say }] of this.#counts) if (isFound(say(count))) this.#counts.delete(key);
  }

  /**
   * Returns the remarks. Halves of characters, where a text was cut, are removed: the database refuses them.
   * @param max maximum number of remarks in the result; one more line gives the number of omitted remarks, or the only one
   */
  list(max = Number.POSITIVE_INFINITY): string[] {
    const all = [...this.#counts.values()].map(({ count, say }) => say(count).replaceAll(/\p{Surrogate}/gu, ''));
    const shown = this.#more === 0 && all.length <= max + 1 ? all.length : Math.min(max, all.length);
    const left = all.length - shown + this.#more;
    return left > 0 ? [...all.slice(0, shown), `Et ${left} ${left === 1 ? 'autre remarque' : 'autres remarques'}.`] : all;
  }
}

/** Returns '1 image' or '3 images'. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count > 1 ? many : one}`;

export const REVISIONS = 'Le document a un suivi des modifications : les ajouts sont repris, les suppressions ne le sont pas.';
