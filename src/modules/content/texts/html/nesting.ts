import { RichTextError } from '../../../../shared/rich-text/document.ts';

/** Elements inside one another: a parser's time grows with the square of their depth, and no text of people has a hundredth of it. */
const maxDepth = 5_000;

/** Nodes that markup makes in one text: reading it takes some 0.05 ms for each. */
const maxElements = 60_000;

const empty = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
/** Elements that end where the next of their kind begins. */
const selfEnding = new Set('p li dt dd option tr td th thead tbody tfoot'.split(' '));

/** How many elements a source has and how deep they lie, tag by tag, as a parser will see them or deeper. */
export class Nesting {
  readonly #open: string[] = [];
  readonly #counts = new Map<string, number>();
  #elements = 0;

  /** What a parser makes a node of and nothing lies in: a comment, a `<` that begins nothing or has no end. @throws RichTextError when there are too many */
  leaf(): void {
    this.#elements += 1;
    if (this.#elements > maxElements) throw new RichTextError('Le texte est trop long.');
  }

  /** @throws RichTextError when they lie too deep, or are too many */
  start(name: string): void {
    this.leaf();
    if (empty.has(name) || (selfEnding.has(name) && this.#open.at(-1) === name)) return;
    this.#open.push(name);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    if (this.#open.length > maxDepth) throw new RichTextError('Le texte a trop de niveaux imbriqués.');
  }

  /**
   * An end tag ends all that was opened within its element; without such an element it ends nothing, but parsers make an empty one of some.
   * @throws RichTextError when there are too many
   */
  end(name: string): void {
    if (!this.#counts.get(name)) {
      if (name === 'p' || name === 'br') this.leaf();
      return;
    }
    for (let last = this.#open.pop(); last !== undefined; last = this.#open.pop()) {
      this.#counts.set(last, (this.#counts.get(last) ?? 1) - 1);
      if (last === name) return;
    }
  }
}
