import type { ListPlace } from './numbering.ts';
import type { ParagraphShape } from './reading.ts';

interface OpenList {
  list: string;
  depth: number;
  left: number;
  readonly hanging: number;
  readonly isOrdered: boolean;
  readonly element: Element;
  item: Element;
  next: number;
}

/** Twentieths of a point within which two indentations are the same. */
const tolerance = 60;

/**
 * Puts paragraphs that say which list they are in, one after the other, into lists inside one another. Word knows no lists, only numbered
 * paragraphs: what stands indented below an item belongs to it.
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

  /** Where the text of the innermost item starts. */
  get left(): number {
    return this.#open.at(-1)?.left ?? 0;
  }

  item(place: ListPlace, blocks: readonly Element[]): void {
    this.#closeFor(place);
    const top = this.#open.at(-1);
    const goesOn = top && top.list === place.list && top.depth === place.depth;
    if (goesOn && top.isOrdered === place.isOrdered && (!top.isOrdered || top.next === place.number)) this.#nextItem(top);
    else {
      if (goesOn) this.#open.pop();
      this.#start(place);
    }
    const now = this.#open.at(-1);
    now?.item.append(...blocks);
    if (now) now.next = place.number + 1;
  }

  /** Adds blocks to the item that they stand under; false when they stand under none, and the lists end here. */
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

  /** Ends the lists that the next item is not in. */
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
      // Another list in the same place that goes on where the last one stopped is the same to a reader.
      const isSame =
        Math.abs(top.left - place.left) <= tolerance && top.isOrdered === place.isOrdered && (!top.isOrdered || top.next === place.number);
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
    (this.#open.at(-1)?.item ?? this.#container).append(element);
    const { list, depth, left, hanging, isOrdered } = place;
    const open: OpenList = { list, depth, left, hanging, isOrdered, element, item: element, next: place.number };
    this.#open.push(open);
    this.#nextItem(open);
  }

  #nextItem(open: OpenList): void {
    open.item = this.#container.ownerDocument.createElement('li');
    open.element.append(open.item);
  }
}
