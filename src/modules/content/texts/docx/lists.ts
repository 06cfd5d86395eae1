import { type ListLabel, labelAttributes } from '../../../../shared/rich-text/list-labels.ts';
import type { ListPlace } from './numbering.ts';
import type { ParagraphShape } from './reading.ts';

interface OpenList {
  list: string;
  depth: number;
  left: number;
  readonly hanging: number;
  readonly isOrdered: boolean;
  readonly kept: ListLabel;
  readonly element: Element;
  item: Element;
  next: number;
}

/** Largest difference between two indentations that count as equal, in twentieths of a point. */
const tolerance = 60;

/**
 * Builds nested lists from consecutive numbered paragraphs.
 * Word has no lists, only numbered paragraphs. A paragraph indented below an item belongs to that item.
 */
export class ListBuilder {
  readonly #container: Element;
  #open: OpenList[] = [];

  constructor(container: Element) {
    this.#container = container;
  }

  get isOpen(): boolean {
    return this.#open.length > 0;
  }

  /** Level of the outermost open list. */
  get depth(): number {
    return this.#open[0]?.depth ?? 0;
  }

  /** Left edge of the innermost item's text, in twentieths of a point. */
  get left(): number {
    return this.#open.at(-1)?.left ?? 0;
  }

  item(place: ListPlace, blocks: readonly Element[]): void {
    this.#closeFor(place);
    const top = this.#open.at(-1);
    const goesOn = top && top.list === place.list && top.depth === place.depth;
    if (goesOn && top.isOrdered === place.isOrdered && top.kept === place.kept && (!top.isOrdered || top.next === place.number))
      this.#nextItem(top);
    else {
      if (goesOn) this.#open.pop();
      this.#start(place);
    }
    const now = this.#open.at(-1);
    now?.item.append(...blocks);
    if (now) now.next = place.number + 1;
  }

  /** Appends blocks to the item under which they are indented. Returns false, and closes the lists, when there is none. */
  absorb(shape: ParagraphShape | null, blocks: readonly Element[], isContinued: boolean): boolean {
    if (!this.isOpen) return false;
    const left = shape?.left ?? 0;
    const isBelow = left > 0 || shape?.isListText === true;
    const owner = isBelow ? this.#open.findLast((open) => open.left - open.hanging <= left + tolerance) : undefined;
    if (owner) this.#open.length = this.#open.indexOf(owner) + 1;
    else if (!isContinued) {
      this.close();
      return false;
    }
    this.#open.at(-1)?.item.append(...blocks);
    return true;
  }

  close(): void {
    this.#open = [];
  }

  /** Closes the lists that do not contain the next item. */
  #closeFor(place: ListPlace): void {
    const own = this.#open.findLastIndex(({ list, depth }) => list === place.list && depth <= place.depth);
    if (own !== -1) {
      this.#open.length = own + 1;
      return;
    }
    const isOfOpenList = this.#open.findIndex(({ list }) => list === place.list);
    if (isOfOpenList !== -1) this.#open.length = isOfOpenList;
    while (this.#open.length > 0) {
      const top = this.#open.at(-1) as OpenList;
      if (top.left < place.left - tolerance) return;
      // A different numbering at the same indentation that continues the count looks like the same list to readers.
      const isSame =
        Math.abs(top.left - place.left) <= tolerance &&
        top.isOrdered === place.isOrdered &&
        top.kept === place.kept &&
        (!top.isOrdered || top.next === place.number);
      if (isSame) {
        top.list = place.list;
        top.depth = place.depth;
        return;
      }
      this.#open.pop();
    }
  }

  #start(place: ListPlace): void {
    const element = this.#container.ownerDocument.createElement(place.isOrdered ? 'ol' : 'ul');
    if (place.isOrdered && place.number !== 1) element.setAttribute('start', String(place.number));
    for (const [name, value] of Object.entries(labelAttributes(place.kept))) element.setAttribute(name, value);
    (this.#open.at(-1)?.item ?? this.#container).append(element);
    const { list, depth, left, hanging, isOrdered, kept } = place;
    const open: OpenList = { list, depth, left, hanging, isOrdered, kept, element, item: element, next: place.number };
    this.#open.push(open);
    this.#nextItem(open);
  }

  #nextItem(open: OpenList): void {
    open.item = this.#container.ownerDocument.createElement('li');
    open.element.append(open.item);
  }
}
