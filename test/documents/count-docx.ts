import { DOMParser } from '@xmldom/xmldom';
import JSZip from 'jszip';
import { type Counts, noCounts } from './counts.ts';

// Counts the content of a .docx file independently of the importer: namespaces by their usual prefixes, styles by name.

type Properties = { style: string | null; own: Element | undefined };

/** Counts the text of a .docx file: body and notes, without deleted or hidden text and tables of contents. */
export async function countDocx(bytes: Uint8Array): Promise<Counts> {
  const zip = await JSZip.loadAsync(bytes);
  const read = async (name: string): Promise<Element | null> => {
    const text = await zip.file(name)?.async('string');
    return text ? (new DOMParser().parseFromString(text.replace(/^\uFEFF/, ''), 'text/xml').documentElement as unknown as Element) : null;
  };
  const main = Object.keys(zip.files).find((name) => /^word\/document\d*\.xml$/.test(name)) ?? 'word/document.xml';
  const [body, styles, numbering, footnotes, endnotes] = await Promise.all(
    [main, 'word/styles.xml', 'word/numbering.xml', 'word/footnotes.xml', 'word/endnotes.xml'].map(read),
  );
  const rels = (part: string): Promise<Element | null> => read(part.replace(/^word\/(.*)$/, 'word/_rels/$1.rels'));
  const counter = new Counter(styles ?? null, numbering ?? null);
  const text = body?.getElementsByTagName('w:body')[0];
  if (!text) return counter.counts;
  counter.addresses = addressesIn(await rels(main));
  counter.container(text);
  for (const [part, notes, name] of [
    ['word/footnotes.xml', footnotes, 'w:footnote'],
    ['word/endnotes.xml', endnotes, 'w:endnote'],
  ] as const) {
    counter.addresses = addressesIn(await rels(part));
    const referred = new Set(all(text, `${name}Reference`).map((reference) => reference.getAttribute('w:id')));
    for (const note of all(notes, name)) if (referred.has(note.getAttribute('w:id'))) counter.container(note);
  }
  return counter.counts;
}

const addressesIn = (relationships: Element | null): Map<string, string> =>
  new Map(all(relationships, 'Relationship').map((one) => [one.getAttribute('Id') ?? '', one.getAttribute('Target') ?? '']));

const all = (parent: Element | null | undefined, name: string): Element[] => (parent ? Array.from(parent.getElementsByTagName(name)) : []);
const children = (parent: Node | undefined): Element[] =>
  parent ? (Array.from(parent.childNodes) as Element[]).filter((node) => node.nodeType === 1) : [];
const child = (parent: Node | undefined, name: string): Element | undefined =>
  children(parent).find((element) => element.nodeName === name);
const val = (parent: Element | undefined, name: string): string | null => child(parent, name)?.getAttribute('w:val') || null;
const isOff = (element: Element): boolean => /^(?:0|false|off|none)$/.test(element.getAttribute('w:val') ?? '');

class Counter {
  readonly counts = noCounts();
  readonly #styles = new Map<string, Element>();
  readonly #numbering: Element | null;
  readonly #normal: string | null;
  /** Link targets of the current part, by id. */
  addresses = new Map<string, string>();
  #hasTitle = false;
  /** Target of the last link in this paragraph: successive runs with the same target are one link. */
  #lastLink: string | null = null;
  /** Open HYPERLINK fields, which may span paragraphs. */
  #fields: { code: string; shown: boolean }[] = [];

  constructor(styles: Element | null, numbering: Element | null) {
    this.#numbering = numbering;
    for (const style of all(styles, 'w:style')) this.#styles.set(style.getAttribute('w:styleId') ?? '', style);
    this.#normal =
      all(styles, 'w:style')
        .find((style) => style.getAttribute('w:type') === 'paragraph' && style.getAttribute('w:default') === '1')
        ?.getAttribute('w:styleId') ?? null;
  }

  container(parent: Element): void {
    const levels: number[] = [];
    for (const block of this.#blocks(parent)) {
      if (block.nodeName === 'w:tbl') this.#table(block);
      else this.#paragraph(block, levels);
    }
  }

  /** Returns paragraphs and tables, also inside content controls and insertions. */
  #blocks(parent: Element): Element[] {
    return children(parent).flatMap((element) => {
      if (element.nodeName === 'w:p' || element.nodeName === 'w:tbl') return [element];
      if (element.nodeName === 'w:sdt') return this.#blocks(child(element, 'w:sdtContent') ?? element);
      return /^w:(?:ins|moveTo|customXml)$/.test(element.nodeName) ? this.#blocks(element) : [];
    });
  }

  #table(table: Element): void {
    const rows = all(table, 'w:tr').filter((row) => nearest(row, 'w:tbl') === table);
    for (const row of rows) {
      for (const cell of all(row, 'w:tc').filter((found) => nearest(found, 'w:tr') === row)) {
        const merge = child(child(cell, 'w:tcPr'), 'w:vMerge');
        // A continuation of a merged cell, whose content Word does not show.
        if (merge && merge.getAttribute('w:val') !== 'restart' && row !== rows[0]) continue;
        const across = child(child(cell, 'w:tcPr'), 'w:hMerge');
        if (across && across.getAttribute('w:val') !== 'restart') continue;
        this.counts.cells += 1;
        this.container(cell);
      }
    }
  }

  #chain(style: string | null): Element[] {
    const chain: Element[] = [];
    for (let id = style; id !== null && chain.length < 15; ) {
      const element = this.#styles.get(id);
      if (!element) break;
      chain.push(element);
      id = val(element, 'w:basedOn');
    }
    return chain;
  }

  #paragraph(paragraph: Element, levels: number[]): void {
    const own = child(paragraph, 'w:pPr');
    // A deleted paragraph mark joins the paragraph with the next one.
    const isJoined = child(child(own, 'w:rPr'), 'w:del') !== undefined;
    const style = val(own, 'w:pStyle') ?? this.#normal;
    const chain = this.#chain(style);
    const names = chain.map((element) => (val(element, 'w:name') ?? '').toLowerCase());
    if (/^toc (?:heading|\d)/.test(names[0] ?? '')) return;
    const content = (paragraph.textContent ?? '').trim() !== '' || all(paragraph, 'w:drawing').length > 0;
    const outline = [own, ...chain.map((element) => child(element, 'w:pPr'))]
      .map((layer) => val(layer, 'w:outlineLvl'))
      .find((level) => level !== null);
    const isTitle = names.some((name) => name === 'title');
    const isHeading = !isTitle && (names.some((name) => /^heading \d$/.test(name)) || (outline !== undefined && Number(outline) < 9));
    const special =
      isTitle ||
      isHeading ||
      names.some((name) => /caption|quote|quotations|citation|block text|preformatted|^(?:source )?code|macro/.test(name));
    if (content && isHeading && !isJoined) this.counts.headings += 1;
    if (content && isTitle) {
      // The first title is the document's title and not part of its text; a second one counts as a heading.
      if (this.#hasTitle) this.counts.headings += 1;
    }
    if (!isJoined) this.#countItem(own, chain, levels, isHeading);
    const { emphasis, links, text } = this.counts;
    this.#lastLink = null;
    this.#inline(paragraph, { style: special ? null : style, own: undefined }, null);
    if (!content || !isTitle || this.#hasTitle) return;
    this.#hasTitle = true;
    Object.assign(this.counts, { emphasis, links, text });
  }

  #countItem(own: Element | undefined, chain: Element[], levels: number[], isHeading: boolean): void {
    const layers = [own, ...chain.map((element) => child(element, 'w:pPr'))].map((layer) => child(layer, 'w:numPr'));
    const first = (name: string) => layers.map((layer) => val(layer, name)).find((value) => value !== null) ?? null;
    const numId = first('w:numId');
    const level = Number(first('w:ilvl') ?? 0);
    if (isHeading) levels.length = 0;
    if (numId === null || numId === '0' || this.#hasNoMark(numId, level)) return;
    while (levels.length > 0 && (levels.at(-1) as number) > level) levels.pop();
    if (levels.at(-1) !== level) levels.push(level);
    const depth = levels.length;
    this.counts.listItems[depth] = (this.counts.listItems[depth] ?? 0) + 1;
  }

  #hasNoMark(numId: string, level: number): boolean {
    const number = all(this.#numbering, 'w:num').find((element) => element.getAttribute('w:numId') === numId);
    const abstract = all(this.#numbering, 'w:abstractNum').find(
      (element) => element.getAttribute('w:abstractNumId') === val(number, 'w:abstractNumId'),
    );
    if (!abstract) return true;
    const found = all(abstract, 'w:lvl').find((element) => element.getAttribute('w:ilvl') === String(level));
    if (!found) return true;
    return val(found, 'w:numFmt') === 'none' && !val(found, 'w:lvlText')?.trim();
  }

  #inline(parent: Element, around: Properties, link: string | null): void {
    for (const element of children(parent)) {
      switch (element.nodeName) {
        case 'w:r':
          this.#run(element, around, link);
          break;
        case 'w:hyperlink':
          this.#inline(element, around, this.addresses.get(element.getAttribute('r:id') ?? '') ?? '#');
          break;
        case 'w:del':
        case 'w:moveFrom':
        case 'w:pPr':
          break;
        case 'm:oMathPara':
          this.counts.equations += all(element, 'm:oMath').filter((math) => (math.textContent ?? '').trim() !== '').length;
          break;
        case 'm:oMath':
          if ((element.textContent ?? '').trim() !== '') this.counts.equations += 1;
          break;
        case 'w:sdt':
          this.#inline(child(element, 'w:sdtContent') ?? element, around, link);
          break;
        default:
          this.#inline(element, around, link);
      }
    }
  }

  #run(run: Element, around: Properties, linked: string | null): void {
    const own = child(run, 'w:rPr');
    const layers = [own, ...this.#chain(val(own, 'w:rStyle')).map((style) => child(style, 'w:rPr'))];
    const outer = this.#chain(around.style).map((style) => child(style, 'w:rPr'));
    const find = (name: string, among = [...layers, ...outer]): Element | undefined =>
      among.map((layer) => child(layer, name)).find((element) => element !== undefined);
    const on = (name: string): boolean => {
      const found = find(name);
      return found !== undefined && !isOff(found);
    };
    if (on('w:vanish')) return;
    const field = this.#fields.findLast(({ code, shown }) => shown && /^\s*HYPERLINK/.test(code));
    const link = field ? (/"([^"]*)"/.exec(field.code)?.[1] ?? '#') : linked;
    const isLink = link !== null;
    const isEmphasis =
      ['w:b', 'w:i', 'w:strike', 'w:dstrike'].some(on) ||
      (!isLink && on('w:u')) ||
      /script$/.test(find('w:vertAlign')?.getAttribute('w:val') ?? '');
    for (const element of children(run)) this.#piece(element, isEmphasis, link);
  }

  #piece(element: Element, isEmphasis: boolean, link: string | null): void {
    if (element.nodeName === 'w:fldChar') this.#field(element.getAttribute('w:fldCharType') ?? '');
    else if (element.nodeName === 'w:instrText') {
      const field = this.#fields.findLast(({ shown }) => !shown);
      if (field) field.code += element.textContent;
    } else if (/^w:(?:t|sym|noBreakHyphen)$/.test(element.nodeName) && this.#fields.every(({ shown }) => shown)) {
      const length = element.nodeName === 'w:t' ? spaceless(element.textContent) : 1;
      this.counts.text += length;
      if (isEmphasis) this.counts.emphasis += length;
      if (element.textContent !== '') this.#linkTo(link);
    } else if (/^(?:w:drawing|w:pict|w:object|mc:AlternateContent)$/.test(element.nodeName)) {
      if (all(element, 'a:blip').length > 0) this.#linkTo(link);
      this.#drawing(element);
    }
  }

  #linkTo(link: string | null): void {
    if (link !== null && link !== this.#lastLink) this.counts.links += 1;
    this.#lastLink = link;
  }

  #field(type: string): void {
    if (type === 'begin') this.#fields.push({ code: '', shown: false });
    const last = this.#fields.at(-1);
    if (type === 'separate' && last) last.shown = true;
    if (type === 'end') this.#fields.pop();
  }

  /** Counts only one branch of an alternative. */
  #drawing(element: Element): void {
    const shown = element.nodeName === 'mc:AlternateContent' ? (child(element, 'mc:Choice') ?? element) : element;
    const own = (name: string): Element[] =>
      all(shown, name).filter((found) => !stands(found, 'mc:Fallback', shown) && !stands(found, 'w:txbxContent', shown));
    // An OLE equation counts as an equation, not as its preview picture.
    if (own('o:OLEObject').some((object) => /^(?:equation|mathtype)/i.test(object.getAttribute('ProgID') ?? '')))
      this.counts.equations += 1;
    else this.counts.images += own('a:blip').length + own('v:imagedata').length;
    for (const box of own('w:txbxContent')) this.container(box);
  }
}

const spaceless = (text: string | null): number => (text ?? '').replaceAll(/\s/g, '').length;

/** Returns whether `found` is inside an element with this name, below `root`. */
function stands(found: Element, name: string, root: Element): boolean {
  for (let node = found.parentNode; node && node !== root; node = node.parentNode) if (node.nodeName === name) return true;
  return false;
}

function nearest(element: Element, name: string): Element | null {
  let node = element.parentNode;
  while (node && node.nodeName !== name) node = node.parentNode;
  return node as Element | null;
}
