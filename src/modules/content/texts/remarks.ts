/** Of the remarks on a text that is saved, those that one answer carries, at most. */
export const maxRemarks = 50;

/** What could not be kept of a text or a file, each said once in French with how many times it happened, in the order in which it was met. */
export class Remarks {
  readonly #counts = new Map<string, { count: number; say: (count: number) => string }>();

  /** Counts `amount` more of what `key` names. */
  count(key: string, say: (count: number) => string, amount = 1): void {
    const known = this.#counts.get(key);
    this.#counts.set(key, { say: known?.say ?? say, count: (known?.count ?? 0) + amount });
  }

  /**
   * Counts `amount` more of a thing: '3 images', and what became of them.
   * @param thing what one is called, and what several are where an s is not all
   */
  countOf(thing: string | readonly [one: string, many: string], fate: string, amount = 1): void {
    const [one, many] = typeof thing === 'string' ? [thing] : thing;
    this.count(one + fate, (count) => counted(count, one, many) + fate, amount);
  }

  /** Says a sentence, once however often. */
  say(sentence: string): void {
    this.count(sentence, () => sentence);
  }

  /** Says a sentence, and how often when it is more than once. */
  sayWithCount(sentence: string): void {
    this.count(sentence, (count) => (count > 1 ? `${sentence} (${count} fois)` : sentence));
  }

  /** @param max of them; the others are counted */
  list(max = Number.POSITIVE_INFINITY): string[] {
    const all = [...this.#counts.values()].map(({ count, say }) => say(count));
    return all.length > max ? [...all.slice(0, max), `Et ${all.length - max} autres remarques.`] : all;
  }
}

/** '1 image', '3 images'. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count > 1 ? many : one}`;

/** The beginning of something long, for a remark. */
export const excerpt = (text: string): string => (text.length > 60 ? `${text.slice(0, 60).trimEnd()}...` : text);

export const REVISIONS = 'Le document a un suivi des modifications : les ajouts sont repris, les suppressions ne le sont pas.';
