import { type Declarations, parseDeclarations } from '../support/css.ts';

/** An element's style, from the document's style sheets and its attribute. */
export interface ElementStyle {
  /** All declarations; the attribute overrides the sheets. */
  readonly all: Declarations;
  /** Declarations of the attribute alone: formatting by the author, not a program's theme. */
  readonly inline: Declarations;
}

/** Parsed value of `mso-list:l0 level1 lfo1`; `override` is '' if there is none. */
export interface ListLevel {
  readonly list: string;
  readonly level: number;
  readonly override: string;
}

const keyOf = ({ list, level, override }: ListLevel): string => `${list} ${level} ${override}`.toLowerCase();

/** A list's label: a CSS counter style, and the text before and behind the number. */
interface Counter {
  readonly before: string;
  readonly style: string;
  readonly behind: string;
}

/** `.lst-kix_abc-0 > li:before { content: "(" counter(lst-ctn-kix_abc-0, lower-latin) ") " }`; the last counter is the list's own. */
const GOOGLE_LIST = /^\.(lst-kix_[\w-]{1,60})\s{0,3}>\s{0,3}li::?before$/;
const COUNTER = /(?:"([^"]{0,9})"\s{0,3})?counter\([\w-]{1,80},\s{0,3}([\w-]{1,30})\)\s{0,3}(?:"([^"]{0,9})")?$/;

const NOTHING: Declarations = {};
const SIMPLE_SELECTOR = /^([a-z][a-z0-9]{0,15})?(?:\.([\w-]{1,60}))?$/i;

/** Simple rules (element, class, element with class) of all `<style>` elements, and Word's list definitions. */
export class StyleSheet {
  #rules = new Map<string, Record<string, string | undefined>>();
  /** Number formats of the levels of Word's lists. */
  #lists = new Map<string, string>();
  #counters = new Map<string, Counter>();
  #inline = new Map<string, Declarations>();

  add(css: string): void {
    const text = withoutComments(css);
    let at = 0;
    while (at < text.length) {
      const open = text.indexOf('{', at);
      if (open === -1) return;
      const prelude = text.slice(at, open).trim();
      const nested = prelude.startsWith('@') && !prelude.startsWith('@list');
      const close = nested ? endOfBlock(text, open) : text.indexOf('}', open);
      const end = close === -1 ? text.length : close;
      if (!nested) this.#rule(prelude, parseDeclarations(text.slice(open + 1, end)));
      at = end + 1;
    }
  }

  #rule(prelude: string, declarations: Declarations): void {
    const [, list, level, override = ''] = /^@list\s{1,5}(l\d{1,6}):level(\d{1,2})(?:\s{1,5}(lfo\d{1,6}))?$/i.exec(prelude) ?? [];
    const format = declarations['mso-level-number-format'] ?? (override ? undefined : 'decimal');
    if (list && format) this.addListFormat({ list, level: Number(level), override }, format);
    if (prelude.startsWith('@')) return;
    const [, counted] = GOOGLE_LIST.exec(prelude) ?? [];
    const [, before = '', style, behind = ''] = COUNTER.exec(declarations.content ?? '') ?? [];
    if (counted && style) this.#counters.set(counted, { before, style: style.toLowerCase(), behind });
    for (const selector of prelude.split(',')) {
      const [, tag = '', name] = SIMPLE_SELECTOR.exec(selector.trim()) ?? [];
      if (!tag && !name) continue;
      const key = name ? `${tag.toLowerCase()}.${name}` : tag.toLowerCase();
      // A rule for all elements of a kind must not hide text.
      const { display, visibility, 'mso-hide': hide, ...shown } = declarations;
      const rule = this.#rules.get(key);
      this.#rules.set(key, { ...rule, ...(name ? declarations : shown) });
    }
  }

  /** Returns Word's number format of a level (bullet, alpha-lower, roman-upper, …); an override's rule goes first. */
  listFormat(place: ListLevel): string | undefined {
    return this.#lists.get(keyOf(place)) ?? this.#lists.get(keyOf({ ...place, override: '' }));
  }

  /** Returns how a class of Google Docs' exported pages counts the items of its list. */
  counterOf(name: string): Counter | undefined {
    return this.#counters.get(name);
  }

  addListFormat(place: ListLevel, format: string): void {
    this.#lists.set(keyOf(place), format.toLowerCase());
  }

  of(element: Element, tag: string, classes: readonly string[]): ElementStyle {
    const attribute = element.getAttribute('style');
    const inline = attribute ? this.#parsed(attribute) : NOTHING;
    if (this.#rules.size === 0) return { all: inline, inline };
    const rules = [
      this.#rules.get(tag),
      ...classes.map((name) => this.#rules.get(`.${name}`)),
      ...classes.map((name) => this.#rules.get(`${tag}.${name}`)),
    ];
    const known = rules.filter((rule) => rule !== undefined);
    return known.length === 0 ? { all: inline, inline } : { all: Object.assign({}, ...known, inline), inline };
  }

  // Cached, since programs repeat the same few attributes.
  #parsed(attribute: string): Declarations {
    const known = this.#inline.get(attribute);
    if (known) return known;
    const declarations = parseDeclarations(attribute);
    if (this.#inline.size < 5_000 && attribute.length < 2_000) this.#inline.set(attribute, declarations);
    return declarations;
  }
}

function withoutComments(css: string): string {
  let text = '';
  let at = 0;
  while (at < css.length) {
    const open = css.indexOf('/*', at);
    if (open === -1) break;
    text += `${css.slice(at, open)} `;
    const close = css.indexOf('*/', open + 2);
    at = close === -1 ? css.length : close + 2;
  }
  // Comment marks kept old browsers from showing a style sheet as text.
  return (text + css.slice(at)).replaceAll('<!--', ' ').replaceAll('-->', ' ');
}

function endOfBlock(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1;
    else if (text[at] === '}') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}
