import type { BlockStyle } from '../styles/block-style.ts';
import type { StyleSheet } from '../styles/style-sheet.ts';
import type { Notes } from '../support/notes.ts';
import type { Writer } from '../writer/writer.ts';
import { type Context, type Reading, type Source, type SourceList, textBlock } from './context.ts';
import { itemMarker, listMarker } from './list-markers.ts';
import { textMargin, type WordItem, wordItem } from './word-lists.ts';

/** Reads lists: HTML lists, also badly nested ones; the flat ones of Quill and Word Online; and Word's paragraphs that look like items. */
export class ListReader {
  readonly #writer: Writer;
  readonly #sheet: StyleSheet;
  readonly #notes: Notes;
  #item: WordItem | null = null;
  readonly #composed = new Set<string>();

  constructor(writer: Writer, sheet: StyleSheet, notes: Notes) {
    this.#writer = writer;
    this.#sheet = sheet;
    this.#notes = notes;
  }

  /** Reads an `ul` or `ol`. Nothing is written before its first item. */
  list({ element, tag, classes, style }: Source, inner: Context): Reading {
    const start = Number(element.getAttribute('start') ?? Number.NaN);
    const { label, isLost } = listMarker(element, classes, style, this.#sheet);
    if (tag === 'ol' && isLost) this.#notes.add('marker');
    const list: SourceList = {
      kind: tag === 'ol' ? 'ol' : 'ul',
      level: inner.list ? inner.list.level + 1 : 0,
      id: element,
      label,
      start: Number.isInteger(start) ? start : null,
      dir: inner.block.dir,
    };
    // The list has the direction, so its content does not need it.
    const block = { ...inner.block, dir: null };
    return { context: { ...inner, block, list, tag: 'p', paragraph: false }, leave: () => this.#writer.endLine() };
  }

  item({ element, classes, style }: Source, inner: Context): Reading {
    const writer = this.#writer;
    const list = inner.list ?? { kind: 'ul' as const, level: 0, id: 'stray', label: null, start: null, dir: inner.block.dir };
    const flat = flatItem(element, classes);
    const value = Number(element.getAttribute('value') ?? Number.NaN);
    const number = Number.isInteger(value) && element.getAttribute('value') !== '' ? value : list.start;
    list.start = null;
    const marker = itemMarker(element, style, list.label);
    if (list.kind === 'ol' && marker.isLost) this.#notes.add('marker');
    const place = {
      level: flat?.level === undefined ? list.level : list.level + flat.level,
      kind: flat?.kind ?? list.kind,
      id: flat?.id ?? list.id,
      number: (flat?.kind ?? list.kind) === 'ol' ? number : null,
      label: marker.label,
      dir: list.dir,
      margin: null,
    };
    const target = writer.lists.place(writer.document, place, this.#notes);
    if (!target) return { context: { ...inner, list: null, paragraph: false }, leave: () => writer.endLine() };
    writer.enter(target, null, 0);
    if (flat?.checked !== undefined) writer.text(flat.checked ? '☑ ' : '☐ ', inner.text, textBlock({ ...inner, tag: 'p', indent: 0 }));
    return {
      context: { ...inner, list: null, tag: 'p', indent: 0, paragraph: true, inList: true },
      leave: () => {
        writer.endLine();
        if (!target.firstChild) writer.emptyBlock(textBlock({ ...inner, tag: 'p', indent: 0 }));
        writer.leave();
      },
    };
  }

  /** Returns the list data of a paragraph that Word shows as an item, and removes its marker from the source; null for other paragraphs. */
  wordItem({ element, tag, style }: Source, block: BlockStyle): WordItem | null {
    this.#item = null;
    if (!style.all['mso-list'] || !/^(?:p|div|h[1-6])$/.test(tag)) return null;
    const item = wordItem(element, style, this.#sheet, block.dir);
    if (!item) return null;
    item.marker?.parentNode?.removeChild(item.marker);
    this.#item = item;
    return item;
  }

  /** Returns a new item for the paragraph that `wordItem` has read. */
  placeWordItem(): Element | null {
    const item = this.#item;
    if (!item) return null;
    if (item.composed) {
      const key = `${item.place.id} ${item.place.level}`;
      if (!this.#composed.has(key)) this.#notes.add('marker');
      this.#composed.add(key);
    }
    return this.#writer.lists.place(this.#writer.document, item.place, this.#notes);
  }

  /** Returns the item of Word's list that a paragraph without marker continues; null if none. */
  continuation({ tag, classes, style }: Source, inner: Context): Element | null {
    if (tag !== 'p' || inner.inList || this.#writer.lists.depth === 0) return null;
    const margin = textMargin(style.all);
    const isListParagraph = classes.some((name) => name.startsWith('MsoListParagraph') || name.startsWith('MsoListContinue'));
    return isListParagraph || (margin ?? 0) > 0.5 ? this.#writer.lists.itemAt(margin) : null;
  }
}

interface FlatItem {
  readonly level: number;
  readonly kind?: 'ul' | 'ol';
  readonly id?: string;
  readonly checked?: boolean;
}

/** Returns an item's own level: Quill's class, or the ARIA level in Word Online, where every item is a list of its own. */
function flatItem(element: Element, classes: readonly string[]): FlatItem | null {
  const named = element.getAttribute('data-list');
  const kind = named === 'bullet' ? 'ul' : named === 'ordered' ? 'ol' : undefined;
  const quill = classes.map((name) => /^ql-indent-([1-8])$/.exec(name)?.[1]).find(Boolean);
  if (named === 'checked' || named === 'unchecked')
    return { level: Number(quill ?? 0), kind: 'ul', id: 'checks', checked: named === 'checked' };
  if (quill || kind) return { level: Number(quill ?? 0), ...(kind && { kind, id: `quill ${kind}` }) };
  const list = element.getAttribute('data-listid');
  const level = Number(element.getAttribute('data-aria-level') ?? element.getAttribute('aria-level'));
  return list && Number.isInteger(level) && level >= 1 && level <= 9 ? { level: level - 1, id: `word online ${list}` } : null;
}
