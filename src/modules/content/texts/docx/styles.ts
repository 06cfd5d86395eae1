import { attribute, child, elementsOf, nameOf, settingOf, switchOf } from './xml.ts';

/** The role that a paragraph's style gives it. */
export type Role = 'body' | 'heading' | 'title' | 'caption' | 'quote' | 'code';

export interface ParagraphStyle {
  readonly role: Role;
  /** Level of a heading, 1 to 9. */
  readonly level: number;
  /** The value of `w:jc`. */
  readonly align: string | null;
  readonly isRightToLeft: boolean;
  /** Indentation in twentieths of a point; null when the numbering defines it. */
  readonly left: number | null;
  readonly numId: string | null;
  readonly depth: number | null;
}

export interface RunStyle {
  readonly bold: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly strike: boolean;
  readonly vertical: 'sub' | 'sup' | null;
  /** CSS colour; null for the default colour. */
  readonly color: string | null;
  readonly background: string | null;
  readonly isHidden: boolean;
  readonly isCapitals: boolean;
  readonly isCode: boolean;
  readonly font: string | null;
}

interface Style {
  readonly type: string;
  readonly name: string;
  readonly basedOn: string | null;
  readonly element: Element;
}

/** The properties of one source: a style, or the paragraph or run itself. */
type Layer = Element | undefined;

const TOGGLES = ['w:b', 'w:i', 'w:strike', 'w:dstrike', 'w:caps', 'w:smallCaps', 'w:vanish'] as const;
const HEADING = /^(?:heading|titre|überschrift|título|titolo|rubrik|kop)\s*([1-9])$/i;
const ROLES: readonly [Role, RegExp][] = [
  ['title', /^(?:title|titre)$/i],
  ['caption', /^(?:(?:image )?caption|légende|legende)$/i],
  ['quote', /^(?:intense )?quote$|^citation(?: intense)?$|^quotations$|^block text$/i],
  ['code', /^(?:html preformatted|preformatted text|source code|code|code block|macro text|macro)$/i],
];
const CODE_RUN = /^(?:html code|source text|verbatim char|code|inline code|html typewriter|html keyboard|html sample)$/i;
/** Longest chain of base styles, so that a cycle of styles ends. */
const maxBases = 20;

const HIGHLIGHTS: Readonly<Record<string, string>> = {
  yellow: '#ffff00',
  green: '#00ff00',
  cyan: '#00ffff',
  magenta: '#ff00ff',
  blue: '#0000ff',
  red: '#ff0000',
  darkBlue: '#000080',
  darkCyan: '#008080',
  darkGreen: '#008000',
  darkMagenta: '#800080',
  darkRed: '#800000',
  darkYellow: '#808000',
  darkGray: '#808080',
  lightGray: '#c0c0c0',
};

/** Resolves the styles of a document: the role of each paragraph, and the final look of paragraphs and runs after all inheritance. */
export class Styles {
  readonly #styles = new Map<string, Style>();
  readonly #defaults: Element | undefined;
  readonly #default: string | null;

  constructor(document: Document | null) {
    const root = document?.documentElement;
    this.#defaults = child(root, 'w:docDefaults');
    let normal: string | null = null;
    for (const element of elementsOf(root)) {
      if (nameOf(element) !== 'w:style') continue;
      const id = attribute(element, 'w:styleId') ?? '';
      const type = attribute(element, 'w:type') ?? '';
      // If two styles share an id, the first one is used.
      if (this.#styles.has(`${type} ${id}`)) continue;
      this.#styles.set(`${type} ${id}`, {
        type,
        name: settingOf(element, 'w:name') ?? '',
        basedOn: settingOf(element, 'w:basedOn'),
        element,
      });
      if (type === 'paragraph' && /^(?:1|true|on)$/.test(attribute(element, 'w:default') ?? '')) normal = id;
    }
    this.#default = normal;
  }

  /** Returns the numbering to which a numbering style refers. */
  numberingOf(styleId: string): string | null {
    return settingOf(child(child(this.#styles.get(`numbering ${styleId}`)?.element, 'w:pPr'), 'w:numPr'), 'w:numId');
  }

  /** Returns the style and its base styles, starting with the style itself. */
  #chain(type: string, id: string | null): Style[] {
    const chain: Style[] = [];
    for (let style = this.#styles.get(`${type} ${id}`); style && chain.length < maxBases; ) {
      chain.push(style);
      style = style.basedOn === null ? undefined : this.#styles.get(`${type} ${style.basedOn}`);
    }
    return chain;
  }

  /** @param properties the paragraph's own `w:pPr` */
  paragraph(properties: Element | undefined): ParagraphStyle {
    const id = settingOf(properties, 'w:pStyle') ?? this.#default;
    const chain = this.#chain('paragraph', id);
    const layers = [
      properties,
      ...chain.map(({ element }) => child(element, 'w:pPr')),
      child(child(this.#defaults, 'w:pPrDefault'), 'w:pPr'),
    ];
    const first = <Value>(read: (layer: Layer) => Value | null | undefined) => firstOf(layers, read);
    const { role, level } = roleOf(
      chain,
      this.#styles.size === 0 ? id : null,
      first((layer) => settingOf(layer, 'w:outlineLvl')),
    );
    const numbered = layers.findIndex((layer) => child(layer, 'w:numPr') !== undefined);
    const indented = layers.findIndex((layer) => leftOf(layer) !== null);
    return {
      role,
      level,
      align: first((layer) => settingOf(layer, 'w:jc')),
      isRightToLeft: first((layer) => switchOf(layer, 'w:bidi')) ?? false,
      // The numbering's indentation applies unless the paragraph or a nearer style sets its own.
      left: indented === -1 || (numbered !== -1 && numbered < indented) ? null : leftOf(layers[indented]),
      numId: first((layer) => settingOf(child(layer, 'w:numPr'), 'w:numId')),
      depth: numberOf(first((layer) => settingOf(child(layer, 'w:numPr'), 'w:ilvl'))),
    };
  }

  /** Returns the id of a paragraph's style. */
  styleIdOf(properties: Element | undefined): string | null {
    return settingOf(properties, 'w:pStyle') ?? this.#default;
  }

  /** Returns whether a paragraph style belongs to a table of contents. */
  isContents(styleId: string | null): boolean {
    return /^(?:toc(?: heading| \d)|tm \d|table des matières \d)$/i.test(this.#styles.get(`paragraph ${styleId}`)?.name ?? '');
  }

  /** Returns whether a paragraph style is meant for text below a list item. */
  isListText(styleId: string | null): boolean {
    return /^(?:list (?:paragraph|continue)|paragraphe de liste|liste? continue)/i.test(
      this.#styles.get(`paragraph ${styleId}`)?.name ?? '',
    );
  }

  /** @param isPlain true for headings and quotations: their paragraph style's bold or italic is not emphasis */
  run(properties: Element | undefined, paragraphStyle: string | null, isPlain: boolean): RunStyle {
    const own = this.#chain('character', settingOf(properties, 'w:rStyle'));
    const layers = (chain: readonly Style[]) => chain.map(({ element }) => child(element, 'w:rPr'));
    const around = isPlain ? [] : layers(this.#chain('paragraph', paragraphStyle));
    const defaults = child(child(this.#defaults, 'w:rPrDefault'), 'w:rPr');
    const styled = layers(own);
    const switched = (name: (typeof TOGGLES)[number]): boolean =>
      switchOf(properties, name) ??
      // A toggle that both kinds of style switch on is off.
      (firstSwitch(styled, name) ?? false) !== (firstSwitch(around, name) ?? firstSwitch([defaults], name) ?? false);
    const all = [properties, ...styled, ...around, defaults];
    const nearest = (read: (layer: Layer) => string | null) => firstOf(all, read);
    const vertical = nearest((layer) => settingOf(layer, 'w:vertAlign'));
    return {
      bold: switched('w:b'),
      italic: switched('w:i'),
      underline: (nearest((layer) => settingOf(layer, 'w:u')) ?? 'none') !== 'none',
      strike: switched('w:strike') || switched('w:dstrike'),
      vertical: vertical === 'superscript' ? 'sup' : vertical === 'subscript' ? 'sub' : null,
      color: hex(nearest((layer) => settingOf(layer, 'w:color'))),
      background: nearest(backgroundOf),
      isHidden: switched('w:vanish'),
      isCapitals: switched('w:caps') || switched('w:smallCaps'),
      isCode: own.some(({ name }) => CODE_RUN.test(name)),
      font: nearest((layer) => attribute(child(layer, 'w:rFonts'), 'w:ascii')),
    };
  }

  /** Returns whether a table's style formats the first row differently. */
  hasHeaderRow(tableStyle: string | null): boolean {
    return this.#chain('table', tableStyle).some(({ element }) =>
      elementsOf(element).some(
        (part) =>
          nameOf(part) === 'w:tblStylePr' &&
          attribute(part, 'w:type') === 'firstRow' &&
          (switchOf(child(part, 'w:rPr'), 'w:b') === true || child(child(part, 'w:tcPr'), 'w:shd') !== undefined),
      ),
    );
  }
}

/** Returns the role of a paragraph style by its English or French name. */
export const roleNamed = (name: string): Role | undefined => ROLES.find(([, pattern]) => pattern.test(name.trim()))?.[0];

function roleOf(chain: readonly Style[], id: string | null, outline: string | null): { role: Role; level: number } {
  // A style without definition can only be recognised by its id.
  for (const name of chain.length > 0 ? chain.map((style) => style.name) : [id ?? '']) {
    const level = HEADING.exec(name.trim())?.[1];
    if (level) return { role: 'heading', level: Number(level) };
    const role = roleNamed(name);
    if (role) return { role, level: 0 };
  }
  const level = numberOf(outline);
  return level !== null && level < 9 ? { role: 'heading', level: level + 1 } : { role: 'body', level: 0 };
}

/** Returns the first value found, starting with the nearest layer; null when no layer has one. */
function firstOf<Value>(layers: readonly Layer[], read: (layer: Layer) => Value | null | undefined): Value | null {
  for (const layer of layers) {
    const value = read(layer);
    if (value !== null && value !== undefined) return value;
  }
  return null;
}

const firstSwitch = (layers: readonly Layer[], name: string): boolean | null => firstOf(layers, (layer) => switchOf(layer, name));

const numberOf = (text: string | null): number | null => (text !== null && /^-?\d{1,6}$/.test(text) ? Number(text) : null);

function leftOf(layer: Element | undefined): number | null {
  const indentation = child(layer, 'w:ind');
  return numberOf(attribute(indentation, 'w:start') ?? attribute(indentation, 'w:left'));
}

const hex = (value: string | null): string | null => (value !== null && /^[0-9a-f]{6}$/i.test(value) ? `#${value}` : null);

/** Returns the colour behind a text, as `#rrggbb`; '' when it is switched off, null when nothing says. */
export function backgroundOf(layer: Element | undefined): string | null {
  const highlight = settingOf(layer, 'w:highlight');
  if (highlight !== null) return HIGHLIGHTS[highlight] ?? '';
  return hex(attribute(child(layer, 'w:shd'), 'w:fill'));
}
