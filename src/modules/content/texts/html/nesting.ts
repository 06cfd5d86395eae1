import { RichTextError } from '../../../../shared/rich-text/document.ts';

/** Deepest nesting of elements. A parser's time grows with the square of the depth, and real texts have less than a hundredth of this. */
const maxDepth = 5_000;

/** Maximum number of nodes that the markup of one text creates. Reading takes about 0.05 ms per node. */
const maxElements = 60_000;

const empty = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
/** Elements that end where the next element of the same name begins. */
const selfEnding = new Set('p li dt dd option tr td th thead tbody tfoot'.split(' '));

/** Counts the elements of a source and their depth, tag by tag. The counted depth is never below the depth that a parser sees. */
export class Nesting {
  readonly #open: string[] = [];
  readonly #counts = new Map<string, number>();
  #elements = 0;

  /**
   * Counts a node without content: a comment, or a `<` that starts no tag or has no end. @throws RichTextError when there are too
   * many nodes
   */
  leaf(): void {
    this.#elements += 1;
    if (this.#elements > maxElements) throw new RichTextError('Le texte est trop long.');
  }

  /** Counts a start tag. @throws RichTextError when elements are nested too deeply, or are too many */
  start(name: string): void {
    this.leaf();
    if (empty.has(name) || (selfEnding.has(name) && this.#open.at(-1) === name)) return;
    this.#open.push(name);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    if (this.#open.length > maxDepth) throw new RichTextError('Le texte a trop de niveaux imbriqués.');
  }

  /**
   * Counts an end tag. It also closes the elements opened within its element. An end tag without element closes nothing, but parsers
   * create an empty element for some.
   * @throws RichTextError when there are too many nodes
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
