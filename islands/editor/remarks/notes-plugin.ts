import type { Node } from 'prosemirror-model';
import { type EditorState, Plugin, PluginKey, Selection } from 'prosemirror-state';
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view';
import { splitFrenchMarks } from '../../../src/shared/french-marks.ts';
import type { Block } from './find-passages.ts';

/** A note as it is shown. */
export interface Note {
  key: string;
  text: string;
  onSettled: () => void;
  /** Moves to the next note; null if there is no other. */
  onNext: (() => void) | null;
}

type Place = Pick<Block, 'pos' | 'node'>;

interface Shown {
  notes: readonly Note[];
  /** The block of each note. */
  places: ReadonlyMap<string, Place>;
  marks: DecorationSet;
}

const none: Shown = { notes: [], places: new Map(), marks: DecorationSet.empty };

/** Shows notes below the blocks of one text that they speak of. The notes are no part of the text, and follow their blocks. */
export class NotesPlugin {
  readonly #key = new PluginKey<Shown>('notes');
  readonly #view: EditorView;
  readonly #plugin: Plugin<Shown>;

  /** @param onText called after each change of the text */
  constructor(view: EditorView, onText: () => void) {
    this.#view = view;
    const key = this.#key;
    this.#plugin = new Plugin<Shown>({
      key,
      state: {
        init: () => none,
        apply(tr, shown) {
          const next: Pick<Shown, 'notes' | 'places'> | undefined = tr.getMeta(key);
          if (next) return { ...next, marks: marksOf(tr.doc, next) };
          if (!tr.docChanged || shown.notes.length === 0) return shown;
          const moved = [...shown.places].flatMap(([name, { pos, node }]): [string, Place][] => {
            const { pos: to, deletedAfter } = tr.mapping.mapResult(pos);
            const block = tr.doc.nodeAt(to);
            // A block of another kind, such as a heading made of a paragraph, has the same content.
            return block?.isBlock && (!deletedAfter || block.content.eq(node.content)) ? [[name, { pos: to, node: block }]] : [];
          });
          const places = new Map(moved);
          return { notes: shown.notes, places, marks: marksOf(tr.doc, { notes: shown.notes, places }) };
        },
      },
      props: { decorations: (state) => key.getState(state)?.marks },
      view: () => ({
        update({ state }, before) {
          if (state.doc !== before.doc) onText();
        },
      }),
    });
    view.updateState(view.state.reconfigure({ plugins: [...view.state.plugins, this.#plugin] }));
  }

  /** The blocks of the notes that are in the text now. */
  get places(): ReadonlyMap<string, Place> {
    return (this.#key.getState(this.#view.state) ?? none).places;
  }

  get doc(): Node {
    return this.#view.state.doc;
  }

  show(notes: readonly Note[], places: ReadonlyMap<string, Place>): void {
    if (!this.#view.isDestroyed)
      this.#view.dispatch(this.#view.state.tr.setMeta(this.#key, { notes, places }).setMeta('addToHistory', false));
  }

  /** The elements of the notes, in the order of the text. */
  get elements(): HTMLElement[] {
    return [...this.#view.dom.querySelectorAll<HTMLElement>('.editor__note')];
  }

  remove(): void {
    const { state, isDestroyed } = this.#view;
    if (!isDestroyed) this.#view.updateState(state.reconfigure({ plugins: state.plugins.filter((one) => one !== this.#plugin) }));
  }
}

function marksOf(doc: Node, { notes, places }: Pick<Shown, 'notes' | 'places'>): DecorationSet {
  const marks = notes.flatMap((note) => {
    const place = places.get(note.key);
    if (!place) return [];
    return Decoration.widget(below(doc, place.pos), (view) => noteElement(view, note), {
      key: `${note.key} ${note.text} ${note.onNext !== null}`,
      side: -1,
      ignoreSelection: true,
      stopEvent: () => true,
    });
  });
  return DecorationSet.create(doc, marks);
}

const parents = /^(?:doc|bullet_list|ordered_list|list_item|blockquote)$/;

/** Returns the position below a block; of a block in a table, a question or a figure, the position below these. */
function below(doc: Node, pos: number): number {
  const place = doc.resolve(pos);
  for (let depth = 0; depth <= place.depth; depth += 1) {
    if (!parents.test(place.node(depth).type.name)) return place.after(depth);
  }
  return pos + (place.nodeAfter?.nodeSize ?? 0);
}

let serial = 0;

function noteElement(view: EditorView, { key, text, onSettled, onNext }: Note): HTMLElement {
  serial += 1;
  const note = document.createElement('div');
  note.className = 'editor__note alert alert--warning';
  note.dataset.note = key;
  note.tabIndex = -1;
  note.setAttribute('role', 'note');
  note.setAttribute('aria-label', 'Remarque sur le passage ci-dessus');
  const words = document.createElement('p');
  words.id = `editor-note-${serial}`;
  for (const [index, part] of splitFrenchMarks(text).entries()) {
    if (index % 2 === 0) {
      words.append(part);
      continue;
    }
    const kept = document.createElement('span');
    kept.className = 'nobreak';
    kept.textContent = part;
    words.append(kept);
  }
  const actions = document.createElement('div');
  actions.className = 'actions';
  const button = (label: string, act: () => void) => {
    const element = document.createElement('button');
    element.type = 'button';
    element.className = 'button button--quiet';
    element.textContent = label;
    element.setAttribute('aria-describedby', words.id);
    element.addEventListener('click', act);
    actions.append(element);
  };
  button("C'est réglé", onSettled);
  if (onNext) button('Suivante', onNext);
  note.append(words, actions);
  note.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    view.dispatch(view.state.tr.setSelection(endAbove(view.state, view.posAtDOM(note, 0))));
    view.focus();
  });
  return note;
}

const endAbove = ({ doc }: EditorState, pos: number): Selection => Selection.near(doc.resolve(pos), -1);
