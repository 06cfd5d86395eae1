import { DOMParser } from '@xmldom/xmldom';
import JSZip from 'jszip';
import { type Counts, noCounts } from './counts.ts';

// Counts the content of an .odt file independently of the importer: names with their usual prefixes.

/** Parts that are not the author's text, or not shown. */
const UNSEEN =
  /^(?:text:(?:tracked-changes|sequence-decls|variable-decls|table-of-content|(?:illustration|table|object|user|alphabetical)-index|bibliography|note-citation|hidden-text)|office:(?:forms|annotation|annotation-end)|svg:(?:title|desc)|draw:(?:object|object-ole|image|control))$/;

type Style = { readonly parent: string; readonly text: Element | undefined };

interface Around {
  /** Styles from the outermost to the innermost one; those of headings are not emphasis. */
  readonly styles: readonly string[];
  readonly isLink: boolean;
}

/** Counts the text of an .odt file: body and notes, without deleted text and tables of contents. */
export async function countOdt(bytes: Uint8Array): Promise<Counts> {
  const zip = await JSZip.loadAsync(bytes);
  const read = async (name: string): Promise<Element | undefined> => {
    const text = await zip.file(name)?.async('string');
    return text ? (new DOMParser().parseFromString(text, 'text/xml').documentElement as unknown as Element) : undefined;
  };
  const [content, styles] = await Promise.all([read('content.xml'), read('styles.xml')]);
  const objects = Object.keys(zip.files).flatMap((name) => /^(.*)\/content\.xml$/.exec(name)?.[1] ?? []);
  const equations = new Set<string>();
  for (const object of objects) if (/math$/.test((await read(`${object}/content.xml`))?.nodeName ?? '')) equations.add(object);
  const counter = new Counter([styles, content], equations);
  const text = content?.getElementsByTagName('office:text')[0];
  if (text) counter.blocks(text);
  return counter.counts;
}

const children = (parent: Node | undefined): Element[] =>
  parent ? (Array.from(parent.childNodes) as Element[]).filter(({ nodeType }) => nodeType === 1) : [];
const named = (parent: Element | undefined, name: string): Element[] =>
  parent ? (Array.from(parent.getElementsByTagName(name)) as Element[]) : [];

/** Names of styles are those of a family: a paragraph and a range may have styles of the same name. */
const styleId = (family: string | null, name: string | null): string => `${family} ${name}`;
/** Styles of structure, which the site draws in its own way. */
const STRUCTURE = /caption|title|quot|preformatted|figure|table|illustration/i;

class Counter {
  readonly counts = noCounts();
  readonly #styles = new Map<string, Style>();
  readonly #equations: ReadonlySet<string>;
  /** Address of the last link in this paragraph: successive ranges with the same address are one link. */
  #lastLink: string | null = null;
  #hasTitle = false;

  constructor(parts: readonly (Element | undefined)[], equations: ReadonlySet<string>) {
    this.#equations = equations;
    for (const style of parts.flatMap((part) => named(part, 'style:style')))
      this.#styles.set(styleId(style.getAttribute('style:family'), style.getAttribute('style:name')), {
        parent: styleId(style.getAttribute('style:family'), style.getAttribute('style:parent-style-name')),
        text: children(style).find(({ nodeName }) => nodeName === 'style:text-properties'),
      });
  }

  blocks(parent: Element): void {
    this.#blocks(parent, 0, []);
  }

  /**
   * @param lists number of lists around
   * @param levels those of the items before that hold this place; a level without an item of its own does not count
   */
  #blocks(parent: Element, lists: number, levels: number[]): void {
    for (const block of children(parent)) {
      const { nodeName } = block;
      if (UNSEEN.test(nodeName)) continue;
      if (nodeName === 'text:list') this.#blocks(block, lists + 1, levels);
      else if (nodeName === 'text:list-item') {
        if (children(block)[0]?.nodeName === 'text:p') this.#item(lists, levels);
        this.#blocks(block, lists, levels);
      } else if (nodeName === 'text:p' || nodeName === 'text:h') {
        if (lists === 0) levels.length = 0;
        this.#paragraph(block, nodeName === 'text:h');
      } else if (nodeName === 'draw:frame') this.#frame(block);
      else {
        if (nodeName === 'table:table-cell') this.counts.cells += 1;
        this.#blocks(block, 0, []);
      }
    }
  }

  #item(level: number, levels: number[]): void {
    while ((levels.at(-1) ?? 0) > level) levels.pop();
    if (levels.at(-1) !== level) levels.push(level);
    this.counts.listItems[levels.length] = (this.counts.listItems[levels.length] ?? 0) + 1;
  }

  #paragraph(paragraph: Element, isHeading: boolean): void {
    if (isHeading && (paragraph.textContent ?? '').trim() !== '') this.counts.headings += 1;
    this.#lastLink = null;
    const style = styleId('paragraph', paragraph.getAttribute('text:style-name'));
    const chain = this.#chain(style);
    const isSpecial = isHeading || chain.some((id) => STRUCTURE.test(id));
    const before = { ...this.counts };
    this.#inline(paragraph, { styles: isSpecial ? [] : [style], isLink: false }, null);
    // The first title is the document's, and no part of its text.
    if (this.#hasTitle || !chain.includes(styleId('paragraph', 'Title')) || this.counts.text === before.text) return;
    this.#hasTitle = true;
    Object.assign(this.counts, before);
  }

  #inline(parent: Element, around: Around, link: string | null): void {
    for (const node of Array.from(parent.childNodes) as Element[]) {
      if (node.nodeType === 3) this.#characters(node.textContent ?? '', around, link);
      if (node.nodeType !== 1 || UNSEEN.test(node.nodeName)) continue;
      if (node.nodeName === 'draw:frame') this.#frame(node);
      else if (node.nodeName === 'text:note') this.blocks(node);
      else if (node.nodeName === 'text:span')
        this.#inline(node, { ...around, styles: [...around.styles, styleId('text', node.getAttribute('text:style-name'))] }, link);
      else if (node.nodeName === 'text:a') this.#inline(node, { ...around, isLink: true }, node.getAttribute('xlink:href'));
      else if (/^(?:text:note-body|draw:text-box|draw:g|draw:custom-shape)$/.test(node.nodeName)) this.blocks(node);
      else this.#inline(node, around, link);
    }
  }

  #frame(frame: Element): void {
    const object = children(frame).find(({ nodeName }) => nodeName === 'draw:object');
    const address = object?.getAttribute('xlink:href')?.replace(/^\.\//, '');
    if (address !== undefined && this.#equations.has(address)) this.counts.equations += 1;
    else if (children(frame).some(({ nodeName }) => nodeName === 'draw:image')) this.counts.images += 1;
    for (const box of children(frame)) if (box.nodeName === 'draw:text-box') this.blocks(box);
  }

  #characters(text: string, around: Around, link: string | null): void {
    const length = text.replaceAll(/\s/g, '').length;
    if (length === 0) return;
    if (link !== null && link !== this.#lastLink) this.counts.links += 1;
    this.#lastLink = link;
    if (this.#property(around, 'text:display') === 'none') return;
    this.counts.text += length;
    if (this.#isEmphasis(around)) this.counts.emphasis += length;
  }

  #isEmphasis(around: Around): boolean {
    const drawn = (name: string): boolean => !/^(?:none)?$/.test(this.#property(around, name));
    return (
      /^(?:bold|[6-9]00)$/.test(this.#property(around, 'fo:font-weight')) ||
      /^(?:italic|oblique)$/.test(this.#property(around, 'fo:font-style')) ||
      (!around.isLink && drawn('style:text-underline-style')) ||
      drawn('style:text-line-through-style') ||
      /^(?:super|sub|-?[1-9])/.test(this.#property(around, 'style:text-position'))
    );
  }

  /** Returns the value of the innermost style that has a property; '' when none has it. */
  #property({ styles }: Around, name: string): string {
    for (const id of styles.toReversed().flatMap((style) => this.#chain(style))) {
      const value = this.#styles.get(id)?.text?.getAttribute(name);
      if (value) return value;
    }
    return '';
  }

  /** Returns a style and those that it is based on. */
  #chain(style: string): string[] {
    const chain: string[] = [];
    for (let id: string | undefined = style; id !== undefined && chain.length < 15; id = this.#styles.get(id)?.parent) chain.push(id);
    return chain;
  }
}
