/** What an import could not keep, each said once in French with how many times it happened, in the order in which it was met. */
export class Remarks {
  readonly #counts = new Map<string, { count: number; say: (count: number) => string }>();

  /** Counts `amount` more of what `key` names. */
  count(key: string, say: (count: number) => string, amount = 1): void {
    const known = this.#counts.get(key);
    this.#counts.set(key, { say: known?.say ?? say, count: (known?.count ?? 0) + amount });
  }

  /** Says a sentence, once however often. */
  say(sentence: string): void {
    this.count(sentence, () => sentence);
  }

  list(): string[] {
    return [...this.#counts.values()].map(({ count, say }) => say(count));
  }
}

/** '1 image', '3 images'. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count > 1 ? many : one}`;

export const REVISIONS = 'Le document a un suivi des modifications : les ajouts sont repris, les suppressions ne le sont pas.';
