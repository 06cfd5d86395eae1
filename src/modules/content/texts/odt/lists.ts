import { type ListLabel, labelAttributes, writtenLabel } from '../../../../shared/rich-text/list-labels.ts';
import { attribute, elementsOf, nameOf } from '../docx/xml.ts';
import { counted } from '../remarks.ts';
import { wholeNumber } from './lengths.ts';
import type { Counters, ItemLabel } from './numbering.ts';
import type { OdtReading } from './reading.ts';

/** The list that is being read. */
interface OpenList {
  readonly style: string | null;
  readonly depth: number;
  readonly counters: Counters;
}

/** The `ol` or `ul` that is being written. */
interface Written {
  readonly element: Element;
  readonly isOrdered: boolean;
  readonly kept: ListLabel;
  next: number;
  item: Element;
}

/** How the content of a list item is read. */
export interface ItemContent {
  /** Label that becomes part of the text; '' for none. */
  readonly label: string;
  /** Whether the paragraph belongs to an item. */
  readonly isInItem: boolean;
  /** Indentation in twentieths of a point. */
  readonly left: number;
}

type ReadBlock = (element: Element, content: ItemContent) => Element[];

const plain: ItemContent = { label: '', isInItem: false, left: 0 };

/** Reads the lists of one document as `ol` and `ul`, with the numbers that the document shows. */
export class Lists {
  readonly #reading: OdtReading;
  readonly #block: ReadBlock;
  /** Counters of the last list of each style. */
  readonly #ofStyle = new Map<string | null, Counters>();
  /** Counters of each list that has an id. */
  readonly #ofId = new Map<string, Counters>();

  constructor(reading: OdtReading, block: ReadBlock) {
    this.#reading = reading;
    this.#block = block;
  }

  read(list: Element): Element[] {
    return this.#list(list, null);
  }

  #list(list: Element, outer: OpenList | null): Element[] {
    const open = this.#open(list, outer);
    const blocks: Element[] = [];
    let written: Written | null = null;
    for (const item of elementsOf(list)) {
      if (!/^text:list-(?:item|header)$/.test(nameOf(item))) continue;
      let hasLabel = nameOf(item) === 'text:list-header';
      for (const element of elementsOf(item)) {
        const name = nameOf(element);
        // The label as the program has drawn it, for programs that do not count.
        if (name === 'text:number' || name === 'text:soft-page-break') continue;
        const target: Element[] = [];
        if (name === 'text:list') target.push(...this.#list(element, open));
        else if (hasLabel) target.push(...this.#block(element, written ? { ...plain, isInItem: true } : this.#indented(open)));
        else {
          hasLabel = true;
          const start = wholeNumber(attribute(item, 'text:start-value'));
          const label = this.#reading.numbering.next(open.style, open.depth, open.counters, start);
          const asText = label.kind === 'number' && (name === 'text:h' || label.hasWords);
          this.#name(label, asText, name === 'text:h');
          if (label.kind === 'none' || asText || name === 'text:h') {
            written = null;
            target.push(...this.#block(element, { ...this.#indented(open), label: asText ? label.written.trim() : '' }));
          } else {
            written = this.#item(label, written, blocks);
            target.push(...this.#block(element, { ...plain, isInItem: true }));
          }
        }
        for (const block of target) {
          if (written) written.item.append(block);
          else blocks.push(block);
        }
      }
      if (!hasLabel && elementsOf(item).length === 0) {
        const label = this.#reading.numbering.next(open.style, open.depth, open.counters, null);
        if (label.kind !== 'none') written = this.#item(label, written, blocks);
      }
    }
    return blocks;
  }

  #indented({ style, depth }: OpenList): ItemContent {
    return { ...plain, left: this.#reading.numbering.leftOf(style, depth) };
  }

  #open(list: Element, outer: OpenList | null): OpenList {
    const style = attribute(list, 'text:style-name') ?? outer?.style ?? this.#styleOfText(list);
    const continued = attribute(list, 'text:continue-list');
    const before =
      outer?.counters ??
      (continued === null ? undefined : this.#ofId.get(continued)) ??
      (attribute(list, 'text:continue-numbering') === 'true' ? this.#ofStyle.get(style) : undefined);
    const counters = before ?? [];
    const id = attribute(list, 'xml:id') ?? attribute(list, 'text:id');
    if (id !== null) this.#ofId.set(id, counters);
    if (!outer) this.#ofStyle.set(style, counters);
    return { style, depth: outer ? outer.depth + 1 : 0, counters };
  }

  /** Returns the list style that the style of a list's first paragraph refers to. */
  #styleOfText(list: Element): string | null {
    for (let element: Element | undefined = list; element; element = elementsOf(element)[0])
      if (/^text:[ph]$/.test(nameOf(element))) return this.#reading.styles.listOf(attribute(element, 'text:style-name'));
    return null;
  }

  #item(label: ItemLabel, open: Written | null, blocks: Element[]): Written {
    const { document } = this.#reading;
    const isOrdered = label.kind === 'number';
    const item = document.createElement('li');
    if (open && open.isOrdered === isOrdered && open.kept === label.kept && (!isOrdered || open.next === label.number)) {
      open.element.append(item);
      open.item = item;
      open.next = label.number + 1;
      return open;
    }
    const element = document.createElement(isOrdered ? 'ol' : 'ul');
    if (isOrdered && label.number !== 1) element.setAttribute('start', String(label.number));
    for (const [name, value] of Object.entries(labelAttributes(label.kept))) element.setAttribute(name, value);
    element.append(item);
    blocks.push(element);
    return { element, isOrdered, kept: label.kept, next: label.number + 1, item };
  }

  #name(label: ItemLabel, asText: boolean, isHeading: boolean): void {
    const { remarks } = this.#reading;
    const shown = label.written.trim();
    if (label.kind !== 'number') return;
    if (isHeading) sayNumberedHeading(this.#reading);
    else if (asText)
      remarks.count(
        'labels',
        (n) =>
          `${counted(n, 'paragraphe numéroté', 'paragraphes numérotés')} avec des mots (${shown}) : le numéro est écrit dans le texte.`,
      );
    else if (label.isSpecial)
      remarks.count(
        'special',
        () => `Des numéros de listes sont simplifiés (${shown} est devenu ${writtenLabel(label.kept, label.number)}, par exemple).`,
      );
  }
}

/** Adds the remark about a heading whose number is written into it. */
export const sayNumberedHeading = ({ remarks }: OdtReading): void =>
  remarks.countOf(['titre numéroté', 'titres numérotés'], ' automatiquement : le numéro est écrit dans le titre.');

/** Returns how many levels of a list have no item of their own before its first paragraph: programs start a deeper list this way. */
export function levelsWithoutItem(list: Element): number {
  let levels = 0;
  for (let element: Element | undefined = list; element; levels += 1) {
    const first: Element | undefined = elementsOf(elementsOf(element)[0])[0];
    if (!first || nameOf(first) !== 'text:list') return levels;
    element = first;
  }
  return levels;
}

/** Returns the last item of the list before, at this level, to which a deeper list belongs; null when there is none. */
export function itemAbove(before: Element | undefined, level: number): Element | null {
  let item: Element | null = null;
  for (let [list, left] = [before, level]; list && left > 0 && /^[uo]l$/.test(list.localName); left -= 1) {
    item = list.lastElementChild;
    list = item?.lastElementChild ?? undefined;
  }
  return item;
}
