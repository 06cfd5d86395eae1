/** Remarks that one answer carries, at most. */
const most = 50;

/** What could not be kept of a text, for whoever sent it: each thing said once, with how often. */
export class Remarks {
  readonly #counts = new Map<string, number>();

  add(remark: string): void {
    this.#counts.set(remark, (this.#counts.get(remark) ?? 0) + 1);
  }

  list(): string[] {
    const all = [...this.#counts].map(([remark, count]) => (count > 1 ? `${remark} (${count} fois)` : remark));
    return all.length > most ? [...all.slice(0, most), `Et ${all.length - most} autres remarques.`] : all;
  }
}

/** The beginning of something long, for a remark. */
export const excerpt = (text: string): string => (text.length > 60 ? `${text.slice(0, 60).trimEnd()}...` : text);
