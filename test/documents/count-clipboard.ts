import { parseHTML } from 'linkedom';
import { type Counts, noCounts } from './counts.ts';

// Counts the content of clipboard HTML independently of the code under test.

interface Around {
  emphasised: boolean;
  /** Number of surrounding lists, according to the elements. */
  depth: number;
  link: boolean;
}

/** Counts the visible content of an HTML fragment: without hidden parts, list markers, and pictures that repeat another. */
export function countClipboard(html: string): Counts & { emptyHeadings: number } {
  const text = html.replaceAll(/<!\[(?:if|endif)[^\]>]*\]>(?!--)/g, '');
  const { document } = parseHTML(`<!DOCTYPE html><html><head></head><body>${text}</body></html>`);
  return new Counter(document as unknown as Document).run();
}

const PLAIN = new Set(['STYLE', 'SCRIPT', 'TITLE', 'NAV', 'NOSCRIPT', 'TEMPLATE', 'SELECT', 'TEXTAREA', 'BUTTON', 'SVG', 'XML']);
const SHOWN = {
  B: 'weight',
  STRONG: 'weight',
  I: 'slant',
  EM: 'slant',
  CITE: 'slant',
  DFN: 'slant',
  VAR: 'slant',
  U: 'line',
  S: 'through',
  STRIKE: 'through',
  DEL: 'through',
  SUB: 'height',
  SUP: 'height',
} as const;
type Aspect = 'weight' | 'slant' | 'line' | 'through' | 'height';

class Counter {
  readonly #counts = { ...noCounts(), emptyHeadings: 0 };
  readonly #document: Document;
  readonly #classes: Map<string, string>;
  /** Open list levels of Word items. */
  #levels: { level: number; margin: number | null }[] = [];

  constructor(document: Document) {
    this.#document = document;
    this.#classes = classRules(document);
  }

  run(): Counts & { emptyHeadings: number } {
    this.#visit(this.#document.body, new Set(), { emphasised: false, depth: 0, link: false });
    return this.#counts;
  }

  #visit(element: Element, aspects: ReadonlySet<Aspect>, around: Around): void {
    let pictured = false;
    for (const node of Array.from(element.childNodes)) {
      // Word puts a fallback picture after an equation.
      if (pictured && node.nodeType === 1 && ((node as Element).tagName === 'IMG' || (node as Element).querySelector('img'))) {
        pictured = false;
        continue;
      }
      if (node.nodeType === 8) pictured = this.#comment((node as Comment).data) || pictured;
      else if (node.nodeType === 3) this.#text((node as Text).data, aspects);
      else if (node.nodeType === 1) this.#element(node as Element, aspects, around);
    }
  }

  #comment(data: string): boolean {
    const equations = data.startsWith('[if') && data.includes('msEquation') ? data.split(/<m:oMath[ >]/).length - 1 : 0;
    this.#counts.equations += equations;
    // A drawing is followed by an <img> fallback that names its shape; without one, the drawing counts as the picture.
    for (const [, id] of data.matchAll(/<v:shape\s[^>]*?id="([^"]+)"(?:(?!<\/v:shape>)[\s\S])*?<v:imagedata/g))
      if (
        !Array.from(this.#document.querySelectorAll('img')).some((image) =>
          image
            .getAttribute('v:shapes')
            ?.split(/\s+/)
            .includes(id ?? ''),
        )
      )
        this.#counts.images += 1;
    return equations > 0;
  }

  #text(data: string, aspects: ReadonlySet<Aspect>): void {
    const { length } = data.replaceAll(/[\s\u00a0\ufeff]/g, '');
    this.#counts.text += length;
    if (aspects.size > 0) this.#counts.emphasis += length;
  }

  #element(element: Element, aspects: ReadonlySet<Aspect>, around: Around): void {
    const tag = element.tagName.toUpperCase();
    const style = element.getAttribute('style') ?? '';
    const names = element.getAttribute('class') ?? '';
    if (PLAIN.has(tag) || /mso-list:\s*ignore|display:\s*none|mso-hide:\s*all/i.test(style)) return;
    if (this.#isFormula(tag, names)) return;
    if (tag === 'IMG') this.#image(element, names);
    const own = `${this.#ofClasses(tag, names)};${style}`;
    const heading = isHeading(element, tag, names, own);
    if (heading) this.#heading(element);
    const inner = this.#blocks(element, tag, style, own, around);
    if (inner === null) return;
    const isLink = tag === 'A' && !/^(?:#?$|about:)/i.test((element.getAttribute('href') ?? '').trim());
    if (isLink && ((element.textContent ?? '').trim() !== '' || element.querySelector('img'))) this.#counts.links += 1;
    // Bold headings, header cells and link styles are default formatting, not emphasis by the author.
    const weighed = heading || tag === 'TH' ? style.replaceAll(/font-weight:[^;]*/gi, '') : own;
    this.#visit(element, shown(tag, weighed, aspects, around.link || isLink || names.includes('MsoHyperlink')), {
      ...inner,
      link: around.link || isLink,
    });
  }

  #isFormula(tag: string, names: string): boolean {
    const isOne =
      /(?:^|\s)(?:katex|katex-display|mwe-math-element|ql-formula)(?:\s|$)/.test(names) ||
      tag === 'MATH' ||
      tag === 'MJX-CONTAINER' ||
      tag === 'M:OMATH' ||
      (tag === 'IMG' && /mwe-math|(?:^|\s)latex/.test(names)) ||
      /(?:^|\s)formula(?:-block)?(?:\s|$)/.test(names);
    if (isOne) this.#counts.equations += 1;
    return isOne;
  }

  #image(image: Element, names: string): void {
    const isPixel = image.getAttribute('width') === '1' && image.getAttribute('height') === '1';
    if (!isPixel && !/emoji/i.test(names)) this.#counts.images += 1;
  }

  #heading(element: Element): void {
    const isEmpty = (element.textContent ?? '').replaceAll(/[\s\u00a0]/g, '') === '' && !element.querySelector('img');
    if (isEmpty) this.#counts.emptyHeadings += 1;
    else this.#counts.headings += 1;
  }

  /** Counts items and cells; returns null for a row that Word adds only to hold column widths. */
  #blocks(element: Element, tag: string, style: string, own: string, around: Around): Around | null {
    if (tag === 'TR' && element.getAttribute('height') === '0' && (element.textContent ?? '').trim() === '') return null;
    if (tag === 'TD' || tag === 'TH') {
      this.#counts.cells += 1;
      this.#levels = [];
      return { ...around, depth: 0 };
    }
    if (tag === 'TABLE') this.#levels = [];
    // A fragment may begin with an inner list without the items around it; such a list has no outer list.
    const isInner = element.parentElement?.tagName === 'UL' || element.parentElement?.tagName === 'OL';
    if (tag === 'UL' || tag === 'OL') return isInner && !element.previousElementSibling ? around : { ...around, depth: around.depth + 1 };
    if (tag === 'LI') {
      const aria = element.getAttribute('data-listid')
        ? Number(element.getAttribute('data-aria-level') ?? element.getAttribute('aria-level'))
        : 0;
      const quill = Number(/ql-indent-(\d)/.exec(element.getAttribute('class') ?? '')?.[1] ?? 0);
      this.#item(aria || around.depth + quill);
      return around;
    }
    if (/^(?:P|DIV|H[1-6])$/.test(tag)) this.#paragraph(element, tag, style, own);
    return around;
  }

  #paragraph(element: Element, tag: string, style: string, own: string): void {
    const level = Number(/mso-list:\s*l\d+\s+level(\d+)/i.exec(style)?.[1] ?? 0);
    const found = /margin-left:\s*(-?[\d.]+)(pt|cm|in|px)?/gi;
    const last = [...own.matchAll(found)].at(-1);
    const margin = last ? Number(last[1]) * ({ cm: 28.35, in: 72, px: 0.75 }[last[2] ?? 'pt'] ?? 1) : null;
    if (level > 0) {
      while (this.#levels.length > 0 && (this.#levels.at(-1)?.level ?? 0) > level) this.#levels.pop();
      if (this.#levels.at(-1)?.level !== level) this.#levels.push({ level, margin });
      this.#item(this.#levels.length);
      return;
    }
    // Further paragraphs of an item keep its list open; other elements end it.
    const isPart = /MsoListParagraph/.test(element.getAttribute('class') ?? '') || (margin ?? 0) > 0;
    const at = this.#levels.findLastIndex((open) => open.margin !== null && margin !== null && Math.abs(open.margin - margin) <= 3);
    if (tag !== 'DIV') this.#levels = isPart && at !== -1 ? this.#levels.slice(0, at + 1) : [];
  }

  #item(depth: number): void {
    this.#counts.listItems[depth] = (this.#counts.listItems[depth] ?? 0) + 1;
  }

  #ofClasses(tag: string, names: string): string {
    if (this.#classes.size === 0 || /MsoHyperlink/.test(names)) return '';
    const keys = [tag.toLowerCase(), ...names.split(/\s+/).flatMap((name) => [`.${name}`, `${tag.toLowerCase()}.${name}`])];
    return keys.map((key) => this.#classes.get(key) ?? '').join(';');
  }
}

function isHeading(element: Element, tag: string, names: string, own: string): boolean {
  if (/^H[1-6]$/.test(tag) || element.getAttribute('role') === 'heading') return true;
  return tag === 'P' && (/(?:^|\s)(?:MsoHeading[1-6]|MsoTitle)/.test(names) || /mso-outline-level:\s*[1-6]\b/.test(own));
}

function shown(tag: string, css: string, aspects: ReadonlySet<Aspect>, isLink: boolean): ReadonlySet<Aspect> {
  const all = new Set(aspects);
  const own = SHOWN[tag as keyof typeof SHOWN];
  if (own) all.add(own);
  const value = (name: string): string | undefined =>
    [...css.matchAll(new RegExp(`(?:^|;)\\s*${name}\\s*:\\s*([^;]*)`, 'gi'))].at(-1)?.[1]?.trim().toLowerCase();
  const weight = value('font-weight');
  if (weight !== undefined) all[/^(?:bold|[6-9]00)/.test(weight) ? 'add' : 'delete']('weight');
  const slant = value('font-style');
  if (slant !== undefined) all[/^(?:italic|oblique)/.test(slant) ? 'add' : 'delete']('slant');
  const line = value('text-decoration') ?? value('text-decoration-line') ?? '';
  if (line.includes('underline')) all.add('line');
  if (line.includes('line-through')) all.add('through');
  if (/^(?:super|sub)$/.test(value('vertical-align') ?? '')) all.add('height');
  if (isLink) all.delete('line');
  return all;
}

/** Returns the `.name` and `tag.name` CSS rules as text. */
function classRules(document: Document): Map<string, string> {
  const rules = new Map<string, string>();
  for (const style of Array.from(document.querySelectorAll('style'))) {
    const css = (style.textContent ?? '').replaceAll(/\/\*[\s\S]*?\*\/|<!--|-->/g, ' ');
    for (const [, selectors = '', body = ''] of css.matchAll(/([^{}@]+)\{([^{}]*)\}/g)) {
      for (const selector of selectors.split(',')) rules.set(selector.trim(), `${rules.get(selector.trim()) ?? ''};${body}`);
    }
  }
  return rules;
}
