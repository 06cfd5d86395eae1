import { type ListLabel, type ListStyle, labelWith, letter, roman } from '../../../../shared/rich-text/list-labels.ts';
import { attribute, child, elementsOf, nameOf } from '../docx/xml.ts';
import { twips, wholeNumber } from './lengths.ts';
import type { OdtStyles } from './styles.ts';

interface Level {
  readonly kind: 'bullet' | 'number';
  /** `1`, `a`, `A`, `i`, `I`; '' for none, or a format of another script. */
  readonly format: string;
  readonly before: string;
  readonly behind: string;
  /** The whole label; `%1%` is the number of the first level. Null when `before` and `behind` say it all. */
  readonly pattern: string | null;
  readonly start: number;
  /** Number of levels whose numbers are shown. */
  readonly shown: number;
}

/** How an item of a list is labelled. */
export interface ItemLabel {
  readonly kind: 'bullet' | 'number' | 'none';
  readonly number: number;
  /** The label before the text; '' for a bullet. */
  readonly written: string;
  /** The nearest label of our lists. */
  readonly kept: ListLabel;
  /** Whether `written` holds more than the number that `kept` shows. */
  readonly isSpecial: boolean;
  /** Whether words stand beside the number, as in "Exercice 1 :". */
  readonly hasWords: boolean;
}

/** Counters of one list, by depth. */
export type Counters = (number | undefined)[];

const bullet: Level = { kind: 'bullet', format: '', before: '', behind: '', pattern: null, start: 1, shown: 1 };
const maxDepth = 9;

/** The list styles of a document, and the numbering of its headings. */
export class OdtNumbering {
  readonly #styles: OdtStyles;
  readonly #levels = new Map<Element, Map<number, Level>>();

  constructor(styles: OdtStyles) {
    this.#styles = styles;
  }

  /** Counts the next item of a list. @param depth 0 for the outermost list; deeper lists count as the tenth */
  next(style: string | null, depth: number, counters: Counters, start: number | null): ItemLabel {
    return this.#count(style === null ? undefined : this.#styles.lists.get(style), Math.min(depth, maxDepth), counters, start);
  }

  /** Returns the number that the document shows before a heading; '' for none. @param level 1 to 10 */
  heading(level: number, counters: Counters, start: number | null): string {
    const { outline } = this.#styles;
    if (!outline) return '';
    const label = this.#count(outline, Math.min(level - 1, maxDepth), counters, start);
    return label.kind === 'number' ? label.written.trim() : '';
  }

  #count(style: Element | undefined, depth: number, counters: Counters, start: number | null): ItemLabel {
    const levels = this.#levelsOf(style);
    const level = levels.get(depth) ?? bullet;
    const before = counters[depth];
    const number = start ?? (before === undefined ? level.start : before + 1);
    counters[depth] = number;
    counters.length = depth + 1;
    if (level.kind === 'bullet') return { kind: 'bullet', number, written: '', kept: null, isSpecial: false, hasWords: false };
    const own = formatted(number, level.format);
    const written = level.pattern === null ? plainLabel(levels, level, depth, counters) : patternLabel(level.pattern, levels, counters);
    if (written.trim() === '') return { kind: 'none', number, written: '', kept: null, isSpecial: false, hasWords: false };
    return {
      kind: 'number',
      number,
      written,
      kept: labelWith(styleOf(level.format), level.before.trim().slice(-1), level.behind.trim()),
      hasWords: /\p{L}{2,}/u.test(level.pattern?.replaceAll(/%\d{1,2}%/g, ' ') ?? `${level.before} ${level.behind}`),
      isSpecial: written.replaceAll(/^[\s([]+|[\s.)°\]:/\u2013-]+$/g, '') !== own || !isOurs(level.format),
    };
  }

  #levelsOf(style: Element | undefined): Map<number, Level> {
    if (!style) return new Map();
    const known = this.#levels.get(style);
    if (known) return known;
    const levels = new Map<number, Level>();
    for (const element of elementsOf(style)) {
      const depth = (wholeNumber(attribute(element, 'text:level')) ?? 1) - 1;
      if (depth >= 0 && depth <= maxDepth) levels.set(depth, readLevel(element, depth));
    }
    this.#levels.set(style, levels);
    return levels;
  }

  /** Returns the left edge of a list's text, in twentieths of a point. */
  leftOf(style: string | null, depth: number): number {
    const level = elementsOf(style === null ? undefined : this.#styles.lists.get(style)).find(
      (element) => attribute(element, 'text:level') === String(depth + 1),
    );
    const properties = child(level, 'style:list-level-properties');
    return twips(attribute(child(properties, 'style:list-level-label-alignment'), 'fo:margin-left')) ?? 720 * (depth + 1);
  }
}

function readLevel(element: Element, depth: number): Level {
  if (!/-number$|outline-level-style$/.test(nameOf(element))) return bullet;
  const pattern = attribute(element, 'style:num-list-format') ?? attribute(element, 'loext:num-list-format');
  const own = pattern?.split(`%${depth + 1}%`);
  return {
    kind: 'number',
    format: attribute(element, 'style:num-format') ?? '',
    before: (own?.length === 2 ? own[0] : attribute(element, 'style:num-prefix')) ?? '',
    behind: (own?.length === 2 ? own[1] : attribute(element, 'style:num-suffix')) ?? '',
    pattern: pattern?.includes('%') ? pattern : null,
    start: wholeNumber(attribute(element, 'text:start-value')) ?? 1,
    shown: wholeNumber(attribute(element, 'text:display-levels')) ?? 1,
  };
}

function plainLabel(levels: ReadonlyMap<number, Level>, level: Level, depth: number, counters: Counters): string {
  const numbers: string[] = [];
  for (let at = Math.max(0, depth + 1 - level.shown); at <= depth; at += 1) {
    const shown = numberAt(levels, at, counters);
    if (shown !== '') numbers.push(shown);
  }
  return numbers.length === 0 && level.format === ''
    ? `${level.before}${level.behind}`.trim()
    : `${level.before}${numbers.join('.')}${level.behind}`;
}

const patternLabel = (pattern: string, levels: ReadonlyMap<number, Level>, counters: Counters): string =>
  pattern.replaceAll(/%(\d{1,2})%/g, (_, digits: string) => numberAt(levels, Number(digits) - 1, counters));

function numberAt(levels: ReadonlyMap<number, Level>, at: number, counters: Counters): string {
  const level = levels.get(at);
  return level?.kind === 'number' ? formatted(counters[at] ?? level.start, level.format) : '';
}

const isOurs = (format: string): format is ListStyle => /^[1aAiI]$/.test(format);
const styleOf = (format: string): ListStyle => (isOurs(format) ? format : '1');

function formatted(number: number, format: string): string {
  if (format === '') return '';
  if (format === 'a') return letter(number).toLowerCase();
  if (format === 'A') return letter(number);
  if (format === 'i') return roman(number).toLowerCase();
  return format === 'I' ? roman(number) : String(number);
}
