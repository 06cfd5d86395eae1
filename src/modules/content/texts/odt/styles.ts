import { type Role, type RunStyle, roleNamed } from '../docx/styles.ts';
import { attribute, child, elementsOf, nameOf } from '../docx/xml.ts';
import { twips } from './lengths.ts';

export interface OdtParagraphStyle {
  readonly role: Role;
  readonly align: 'center' | 'right' | 'justify' | null;
  readonly isRightToLeft: boolean;
  /** Indentation in twentieths of a point. */
  readonly left: number;
  /** Whether an empty paragraph of this style is a horizontal rule. */
  readonly hasRule: boolean;
}

type Family = 'paragraph' | 'text' | 'table-column' | 'table-cell' | 'section' | 'graphic';

/** Longest chain of parent styles, so that a cycle of styles ends. */
const maxParents = 20;
const CODE_RUN = /^(?:source text|verbatim char|teletype|user entry|example|code|inline code)$/i;

/** Resolves the styles of an .odt file: those of the document itself, automatic styles of its text, and the defaults. */
export class OdtStyles {
  readonly #styles = new Map<string, Element>();
  readonly #defaults = new Map<string, Element>();
  readonly #fonts = new Map<string, string>();
  readonly #automatic = new Set<Element>();
  readonly #paragraphs = new Map<string, OdtParagraphStyle>();
  readonly #runs = new Map<string, RunStyle>();
  /** List styles by name. */
  readonly lists = new Map<string, Element>();
  /** The numbering of headings. */
  readonly outline: Element | undefined;

  constructor(content: Document, common: Document | null) {
    const [own, shared] = [content.documentElement, common?.documentElement];
    this.outline = child(child(shared, 'office:styles'), 'text:outline-style');
    const sources = [child(own, 'office:automatic-styles'), child(own, 'office:styles'), child(shared, 'office:styles')];
    for (const [index, source] of sources.entries()) {
      for (const element of elementsOf(source)) {
        const name = attribute(element, 'style:name') ?? '';
        const family = attribute(element, 'style:family') ?? '';
        const kind = nameOf(element);
        if (kind === 'style:default-style') this.#defaults.set(family, element);
        else if (kind === 'text:list-style' && !this.lists.has(name)) this.lists.set(name, element);
        else if (kind === 'style:style' && !this.#styles.has(`${family} ${name}`)) {
          this.#styles.set(`${family} ${name}`, element);
          if (index === 0) this.#automatic.add(element);
        }
      }
    }
    for (const root of [own, shared])
      for (const face of elementsOf(child(root, 'office:font-face-decls')))
        this.#fonts.set(attribute(face, 'style:name') ?? '', attribute(face, 'svg:font-family') ?? '');
  }

  /** Returns the style and its parents, starting with the style itself, then the family's defaults. */
  #chain(family: Family, name: string | null): Element[] {
    const chain: Element[] = [];
    for (let style = this.#styles.get(`${family} ${name}`); style && chain.length < maxParents; ) {
      chain.push(style);
      style = this.#styles.get(`${family} ${attribute(style, 'style:parent-style-name')}`);
    }
    const standard = this.#defaults.get(family);
    return standard ? [...chain, standard] : chain;
  }

  paragraph(name: string | null): OdtParagraphStyle {
    const known = this.#paragraphs.get(name ?? '');
    if (known) return known;
    const chain = this.#chain('paragraph', name);
    const nearest = (attributeName: string) => nearestOf(chain, 'style:paragraph-properties', attributeName);
    const names = chain.flatMap((style) => namesOf(style));
    // A style without definition can only be recognised by its name.
    const role = [...names, readable(name ?? '')].map((one) => roleNamed(one)).find((found) => found !== undefined) ?? 'body';
    const isRightToLeft = /^rl/.test(nearest('style:writing-mode') ?? '');
    const border = [nearest('fo:border-bottom'), nearest('fo:border-top'), nearest('fo:border')].find((side) => side !== null);
    const read: OdtParagraphStyle = {
      role,
      align: alignment(nearest('fo:text-align'), isRightToLeft),
      isRightToLeft,
      left: Math.max(0, twips(nearest('fo:margin-left') ?? nearest('fo:margin')) ?? 0),
      hasRule: border !== undefined && border !== null && !/none|hidden/.test(border),
    };
    this.#paragraphs.set(name ?? '', read);
    return read;
  }

  /** Returns whether a paragraph's style belongs to this paragraph style, or to one based on it. */
  isNamed(paragraph: string | null, pattern: RegExp): boolean {
    return [...this.#chain('paragraph', paragraph).flatMap((style) => namesOf(style)), readable(paragraph ?? '')].some((name) =>
      pattern.test(name),
    );
  }

  /** Returns the list style that a paragraph style refers to. */
  listOf(paragraph: string | null): string | null {
    for (const style of this.#chain('paragraph', paragraph)) {
      const list = attribute(style, 'style:list-style-name');
      if (list !== null) return list || null;
    }
    return null;
  }

  /**
   * Returns the look of a text.
   * @param spans the text styles around it, outermost first
   * @param isPlain true for headings and quotations: their paragraph style's look is no emphasis, except what the author added to it
   */
  run(spans: readonly string[], paragraph: string | null, isPlain: boolean): RunStyle {
    const key = JSON.stringify([spans, paragraph, isPlain]);
    const known = this.#runs.get(key);
    if (known) return known;
    const own = spans.toReversed().flatMap((name) => this.#chain('text', name));
    const around = this.#chain('paragraph', paragraph).filter((style) => !isPlain || this.#automatic.has(style));
    const chain = [...own, ...around];
    const nearest = (name: string) => nearestOf(chain, 'style:text-properties', name);
    const read: RunStyle = {
      bold: isBold(nearestOf(isPlain ? own : chain, 'style:text-properties', 'fo:font-weight')),
      italic: /italic|oblique/.test(nearest('fo:font-style') ?? ''),
      underline: isLine(nearest('style:text-underline-style')),
      strike: isLine(nearest('style:text-line-through-style')) || /^(?:single|double)$/.test(nearest('style:text-line-through-type') ?? ''),
      vertical: verticalOf(nearest('style:text-position')),
      color: colorOf(nearest('fo:color')),
      background: colorOf(nearest('fo:background-color')),
      isHidden: nearest('text:display') === 'none',
      isCapitals: nearest('fo:text-transform') === 'uppercase' || nearest('fo:font-variant') === 'small-caps',
      isCode: own.some((style) => namesOf(style).some((name) => CODE_RUN.test(name))),
      font: this.#fontOf(nearest('style:font-name'), nearest('fo:font-family')),
    };
    this.#runs.set(key, read);
    return read;
  }

  #fontOf(face: string | null, family: string | null): string | null {
    const named = (face !== null && this.#fonts.get(face)) || face || family;
    return named === null ? null : named.replaceAll(/["']/g, '');
  }

  /** Returns a property of a section, table or graphic style, or of one that it is based on. */
  property(family: Family, name: string | null, properties: string, attributeName: string): string | null {
    return nearestOf(this.#chain(family, name), properties, attributeName);
  }
}

function nearestOf(chain: readonly Element[], properties: string, attributeName: string): string | null {
  for (const style of chain) {
    const value = attribute(child(style, properties), attributeName);
    if (value !== null) return value;
  }
  return null;
}

/** Returns a style name as users see it: `Text_20_body` is `Text body`. */
const readable = (name: string): string =>
  name.replaceAll(/_([0-9a-f]{2,4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

const namesOf = (style: Element): string[] =>
  [attribute(style, 'style:display-name'), attribute(style, 'style:name')].flatMap((name) => (name === null ? [] : [readable(name)]));

function alignment(said: string | null, isRightToLeft: boolean): OdtParagraphStyle['align'] {
  if (said === 'center' || said === 'justify') return said;
  return !isRightToLeft && (said === 'right' || said === 'end') ? 'right' : null;
}

const isBold = (weight: string | null): boolean => weight === 'bold' || Number(weight) >= 600;
const isLine = (style: string | null): boolean => style !== null && style !== 'none';

function verticalOf(position: string | null): 'sub' | 'sup' | null {
  const first = position?.trim().split(/\s+/)[0] ?? '';
  if (first === 'super' || first === 'sub') return first === 'sub' ? 'sub' : 'sup';
  const raised = Number.parseFloat(first);
  return Number.isNaN(raised) || raised === 0 ? null : raised < 0 ? 'sub' : 'sup';
}

const colorOf = (value: string | null): string | null => (value !== null && /^#[0-9a-f]{6}$/i.test(value) ? value : null);
