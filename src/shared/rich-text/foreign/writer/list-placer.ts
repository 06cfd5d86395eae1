import { MAX_LIST_START } from '../../bounds.ts';
import { type ListLabel, labelAttributes } from '../../list-labels.ts';
import type { Notes } from '../support/notes.ts';

/** Place of a list item, from programs that write lists flat: its level, and the list that it continues. */
export interface ItemPlace {
  /** 0 is the outermost level; levels may be skipped. */
  readonly level: number;
  readonly kind: 'ul' | 'ol';
  /** Items with the same id and level belong to one list. */
  readonly id: unknown;
  /** The item's number, if known. */
  readonly number: number | null;
  /** Label of a numbered list. */
  readonly label: ListLabel;
  readonly dir: 'rtl' | null;
  /** Position of the item's text, in points from the margin; null if unknown. */
  readonly margin: number | null;
}

interface OpenList extends Omit<ItemPlace, 'number' | 'dir' | 'id'> {
  /** The id of its last item. */
  id: unknown;
  readonly element: Element;
  item: Element;
  /** The number that the next item would get automatically. */
  next: number;
}

/** The open lists at the end of a container, the innermost last. */
export class OpenLists {
  #open: OpenList[] = [];
  readonly #append: (list: Element) => void;
  readonly #room: number;

  /**
   * @param append appends an outermost list to the container
   * @param room maximum depth of nested lists in this container
   */
  constructor(append: (list: Element) => void, room: number) {
    this.#append = append;
    this.#room = room;
  }

  get depth(): number {
    return this.#open.length;
  }

  close(): void {
    this.#open = [];
  }

  /** Returns a new, empty item in its place; null if no list may be nested so deep. */
  place(document: Document, place: ItemPlace, notes: Notes): Element | null {
    while (this.#top && this.#top.level > place.level) this.#open.pop();
    if (this.#top?.level === place.level && !continues(this.#top, place)) this.#open.pop();
    let top = this.#top;
    if (top?.level !== place.level) {
      if (this.#open.length >= this.#room) notes.add('nesting');
      else top = this.#begin(document, place);
    }
    if (!top) return null;
    const item = document.createElement('li');
    top.element.appendChild(item);
    top.item = item;
    top.id = place.id;
    top.next += 1;
    return item;
  }

  /** Returns the item that a paragraph without marker continues, since both begin at the same margin; closes deeper lists. */
  itemAt(margin: number | null): Element | null {
    const at = margin === null ? -1 : this.#open.findLastIndex((list) => list.margin !== null && Math.abs(list.margin - margin) <= 3);
    if (at === -1) return null;
    this.#open.length = at + 1;
    return this.#open[at]?.item ?? null;
  }

  get #top(): OpenList | undefined {
    return this.#open.at(-1);
  }

  #begin(document: Document, { level, kind, id, number, label, dir, margin }: ItemPlace): OpenList {
    const element = document.createElement(kind);
    const first = number !== null && number >= 0 && number <= MAX_LIST_START ? number : 1;
    if (kind === 'ol' && first !== 1) element.setAttribute('start', String(first));
    if (kind === 'ol') for (const [name, value] of Object.entries(labelAttributes(label))) element.setAttribute(name, value);
    if (dir) element.setAttribute('dir', dir);
    const outer = this.#top;
    if (outer) outer.item.appendChild(element);
    else this.#append(element);
    const list: OpenList = { level, kind, id, label, margin, element, item: element, next: first };
    this.#open.push(list);
    return list;
  }
}

function continues(list: OpenList, { kind, id, label, number }: ItemPlace): boolean {
  if (list.kind !== kind) return false;
  if (kind === 'ul') return list.id === id;
  if (list.label !== label) return false;
  return list.id === id ? number === null || number === list.next : number !== null && number > 1 && number === list.next;
}
