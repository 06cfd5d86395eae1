import { attribute, child, elementsOf, nameOf, settingOf, switchOf } from './xml.ts';

/** What a paragraph is by its style. */
export type Role = 'body' | 'heading' | 'title' | 'caption' | 'quote' | 'code';

export interface ParagraphStyle {
  readonly role: Role;
  /** Of a heading: 1 to 9. */
  readonly level: number;
  /** As `w:jc` says it. */
  readonly align: string | null;
  readonly isRightToLeft: boolean;
  /** Twentieths of a point from the margin, null where the numbering says it. */
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
  /** As CSS writes it, null for the ordinary one. */
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

/** The properties that a style, or the paragraph or run itself, has. */
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
/** A style that is based on itself, by however many steps, ends here. */
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

/** The styles of a document: what they are for, and what a paragraph or a run looks like when all of them have had their say. */
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
      // The first of two that share an id counts.
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

  /** The numbering that a numbering style stands for. */
  numberingOf(styleId: string): string | null {
    return settingOf(child(child(this.#styles.get(`numbering ${styleId}`)?.element, 'w:pPr'), 'w:numPr'), 'w:numId');
  }

  /** The style and those that it is based on, the nearest first. */
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
      // The indentation of the numbering counts, unless something nearer to the paragraph has its own.
      left: indented === -1 || (numbered !== -1 && numbered < indented) ? null : leftOf(layers[indented]),
      numId: first((layer) => settingOf(child(layer, 'w:numPr'), 'w:numId')),
      depth: numberOf(first((layer) => settingOf(child(layer, 'w:numPr'), 'w:ilvl'))),
    };
  }

  /** The id and name of the style that a paragraph has. */
  styleIdOf(properties: Element | undefined): string | null {
    return settingOf(properties, 'w:pStyle') ?? this.#default;
  }

  /** Whether a paragraph style is one of a table of contents. */
  isContents(styleId: string | null): boolean {
    return /^(?:toc(?: heading| \d)|tm \d|table des matières \d)$/i.test(this.#styles.get(`paragraph ${styleId}`)?.name ?? '');
  }

  /** Whether a paragraph style is meant for what stands below an item of a list. */
  isListText(styleId: string | null): boolean {
    return /^(?:list (?:paragraph|continue)|paragraphe de liste|liste? continue)/i.test(
      this.#styles.get(`paragraph ${styleId}`)?.name ?? '',
    );
  }

  /** @param isPlain what the paragraph's style says of its letters is no emphasis: it is a heading, a quotation */
  run(properties: Element | undefined, paragraphStyle: string | null, isPlain: boolean): RunStyle {
    const own = this.#chain('character', settingOf(properties, 'w:rStyle'));
    const layers = (chain: readonly Style[]) => chain.map(({ element }) => child(element, 'w:rPr'));
    const around = isPlain ? [] : layers(this.#chain('paragraph', paragraphStyle));
    const defaults = child(child(this.#defaults, 'w:rPrDefault'), 'w:rPr');
    const styled = layers(own);
    const switched = (name: (typeof TOGGLES)[number]): boolean =>
      switchOf(properties, name) ??
      // What two kinds of style both switch on is off again.
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

  /** Whether a table's style sets its first row off from the others. */
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

function roleOf(chain: readonly Style[], id: string | null, outline: string | null): { role: Role; level: number } {
  // Without its definition only the id tells what a style is.
  for (const name of chain.length > 0 ? chain.map((style) => style.name) : [id ?? '']) {
    const level = HEADING.exec(name.trim())?.[1];
    if (level) return { role: 'heading', level: Number(level) };
    const role = ROLES.find(([, pattern]) => pattern.test(name.trim()))?.[0];
    if (role) return { role, level: 0 };
  }
  const level = numberOf(outline);
  return level !== null && level < 9 ? { role: 'heading', level: level + 1 } : { role: 'body', level: 0 };
}

/** What the nearest of the layers says that says something. */
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

function backgroundOf(layer: Element | undefined): string | null {
  const highlight = settingOf(layer, 'w:highlight');
  if (highlight !== null) return HIGHLIGHTS[highlight] ?? '';
  return hex(attribute(child(layer, 'w:shd'), 'w:fill'));
}
