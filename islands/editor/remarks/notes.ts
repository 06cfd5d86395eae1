import type { Node } from 'prosemirror-model';
import type { EditorView } from 'prosemirror-view';
import { besidePassage } from '../../../src/shared/rich-text/remark-forms.ts';
import { type Block, findPassages, type Wanted, wantedPassages } from './find-passages.ts';
import { NotesPlugin } from './notes-plugin.ts';

interface NotesOptions {
  onSettled: (wanted: Wanted) => void;
  /** Called with the keys of the passages that are in the texts, when they have changed. */
  onPlaced: (keys: ReadonlySet<string>) => void;
  /** Makes a text visible. @param index of its view */
  reveal: (index: number) => void;
}

/** Wait after a change of a text before a passage that is no longer in it is looked for again, in ms. */
const typingMs = 300;

/** The remarks on one or two texts, shown as notes at the passages of which they speak. */
export class Notes {
  readonly #plugins: readonly NotesPlugin[];
  readonly #options: NotesOptions;
  #wanted: readonly Wanted[] = [];
  #placed: ReadonlySet<string> = new Set();
  /** The last known block of each passage. */
  readonly #blocks = new Map<string, Node>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(views: readonly EditorView[], options: NotesOptions) {
    this.#options = options;
    this.#plugins = views.map((view) => new NotesPlugin(view, () => this.#textChanged()));
  }

  /** Shows these remarks instead of those before. */
  show(remarks: readonly string[]): void {
    this.#wanted = wantedPassages(remarks);
    this.#place();
  }

  /** Moves to the first note. */
  toFirst(): void {
    const [first] = this.#elements();
    if (first) this.#reveal(first);
  }

  /** Returns the key of the note after this one, or of the first; null if there is no other. */
  following(key: string): string | null {
    const keys = this.#elements().map(({ element }) => element.dataset.note ?? '');
    const next = keys[(keys.indexOf(key) + 1) % keys.length];
    return next === undefined || next === key ? null : next;
  }

  /** Focuses a note without moving the page. */
  focus(key: string): void {
    const note = this.#elements().find(({ element }) => element.dataset.note === key);
    if (!note) return;
    this.#options.reveal(note.index);
    note.element.focus({ preventScroll: true });
  }

  remove(): void {
    clearTimeout(this.#timer);
    for (const plugin of this.#plugins) plugin.remove();
  }

  #textChanged(): void {
    const known = this.#known();
    for (const [key, { node }] of known) this.#blocks.set(key, node);
    if (known.size < this.#placed.size) this.#say();
    if (known.size === this.#wanted.length) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#place(), typingMs);
  }

  /** Returns the blocks of the notes that are shown. */
  #known(): Map<string, Block> {
    const known = new Map<string, Block>();
    for (const [doc, { places }] of this.#plugins.entries()) for (const [key, place] of places) known.set(key, { doc, ...place });
    return known;
  }

  #place(): void {
    const known = this.#known();
    for (const [key, { node }] of known) this.#blocks.set(key, node);
    const docs = this.#plugins.map(({ doc }) => doc);
    const found = findPassages(docs, this.#wanted, known, this.#blocks);
    for (const [key, { node }] of found) this.#blocks.set(key, node);
    const notes = this.#wanted.map((wanted) => ({
      key: wanted.key,
      text: besidePassage(wanted.remark),
      onSettled: () => this.#options.onSettled(wanted),
      onNext: found.size > 1 ? () => this.#toNext(wanted.key) : null,
    }));
    for (const [index, plugin] of this.#plugins.entries()) {
      const own = notes.filter(({ key }) => found.get(key)?.doc === index);
      plugin.show(own, new Map(own.map(({ key }) => [key, found.get(key) as Block])));
    }
    this.#say();
  }

  #say(): void {
    const keys = new Set(this.#known().keys());
    if (keys.size === this.#placed.size && [...keys].every((key) => this.#placed.has(key))) return;
    this.#placed = keys;
    this.#options.onPlaced(keys);
  }

  #elements(): { element: HTMLElement; index: number }[] {
    return this.#plugins.flatMap(({ elements }, index) => elements.map((element) => ({ element, index })));
  }

  #toNext(key: string): void {
    const next = this.following(key);
    const note = this.#elements().find(({ element }) => element.dataset.note === next);
    if (note) this.#reveal(note);
  }

  #reveal({ element, index }: { element: HTMLElement; index: number }): void {
    this.#options.reveal(index);
    element.scrollIntoView({ block: 'center' });
    element.focus({ preventScroll: true });
  }
}
