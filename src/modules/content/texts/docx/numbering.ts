import { type ListLabel, type ListStyle, labelWith, letter, roman } from '../../../../shared/rich-text/list-labels.ts';
import type { Styles } from './styles.ts';
import { attribute, child, elementsOf, nameOf, settingOf, switchOf } from './xml.ts';

interface Level {
  readonly format: string;
  /** The label before the text; `%1` is the number of the first level. */
  readonly text: string;
  readonly start: number;
  readonly left: number | null;
  readonly hanging: number;
  readonly isLegal: boolean;
  readonly style: string | null;
}

/** Position of a paragraph in a list. */
export interface ListPlace {
  /** Id of the numbering; the same for all its items. */
  readonly list: string;
  readonly depth: number;
  readonly isOrdered: boolean;
  readonly number: number;
  /** The label that Word shows before the text; '' for a bullet. */
  readonly label: string;
  /** The nearest label of our lists. */
  readonly kept: ListLabel;
  /** Whether `label` holds more than the number that `kept` shows. */
  readonly isSpecial: boolean;
  /** Left edge of the text, in twentieths of a point. */
  readonly left: number;
  /** Distance of the number before the text, in twentieths of a point. */
  readonly hanging: number;
}

const maxDepth = 8;

/** The numberings of a document, with the counters of its paragraphs. */
export class Numbering {
  readonly #abstracts = new Map<string, { levels: Map<number, Level>; link: string | null }>();
  readonly #numbers = new Map<string, { abstract: string; overrides: Map<number, Partial<Level> & { restart?: number }> }>();
  readonly #styles: Styles;
  readonly #counters = new Map<string, (number | undefined)[]>();
  readonly #restarted = new Set<string>();

  constructor(document: Document | null, styles: Styles) {
    this.#styles = styles;
    for (const element of elementsOf(document?.documentElement)) {
      if (nameOf(element) === 'w:abstractNum') this.#readAbstract(element);
      else if (nameOf(element) === 'w:num') this.#readNumber(element);
    }
  }

  #readAbstract(element: Element): void {
    const levels = new Map<number, Level>();
    for (const level of elementsOf(element)) {
      if (nameOf(level) === 'w:lvl') levels.set(depthOf(attribute(level, 'w:ilvl')), readLevel(level));
    }
    this.#abstracts.set(attribute(element, 'w:abstractNumId') ?? '', { levels, link: settingOf(element, 'w:numStyleLink') });
  }

  #readNumber(element: Element): void {
    const overrides = new Map<number, Partial<Level> & { restart?: number }>();
    for (const override of elementsOf(element)) {
      if (nameOf(override) !== 'w:lvlOverride') continue;
      const level = child(override, 'w:lvl');
      const restart = settingOf(override, 'w:startOverride');
      overrides.set(depthOf(attribute(override, 'w:ilvl')), {
        ...(level && readLevel(level)),
        ...(restart !== null && /^\d{1,7}$/.test(restart) && { restart: Number(restart) }),
      });
    }
    this.#numbers.set(attribute(element, 'w:numId') ?? '', { abstract: settingOf(element, 'w:abstractNumId') ?? '', overrides });
  }

  /** Returns the level linked to a paragraph style, for styles that do not state their level. */
  depthOfStyle(numId: string, style: string | null): number {
    const levels = this.#resolve(numId)?.levels ?? new Map<number, Level>();
    return [...levels].find(([, level]) => style !== null && level.style === style)?.[0] ?? 0;
  }

  /** Counts the next paragraph of a numbering and returns its place; null when the paragraph has no number. */
  next(numId: string, wanted: number): ListPlace | null {
    const found = this.#resolve(numId);
    const depth = Math.min(maxDepth, Math.max(0, wanted));
    const level = found && levelAt(found, depth);
    if (!found || !level || (level.format === 'none' && level.text.trim() === '')) return null;
    const counters = this.#counters.get(found.list) ?? [];
    this.#counters.set(found.list, counters);
    const { restart } = found.overrides.get(depth) ?? {};
    const isRestart = restart !== undefined && !this.#restarted.has(`${numId} ${depth}`);
    if (isRestart) this.#restarted.add(`${numId} ${depth}`);
    const before = counters[depth];
    const number = isRestart ? restart : before === undefined ? level.start : before + 1;
    counters[depth] = number;
    counters.length = depth + 1;
    const isOrdered = level.format !== 'bullet' && level.format !== 'none';
    const label = isOrdered || /%\d/.test(level.text) ? labelOf(found, level, counters) : '';
    return {
      list: found.list,
      depth,
      isOrdered,
      number,
      label,
      kept: isOrdered ? keptLabel(level, depth) : null,
      isSpecial:
        isOrdered &&
        label.replaceAll(/^[\s([]+|[\s.)°\]:/\u2013-]+$/g, '') !== formatted(number, STYLES[level.format] ? level.format : 'decimal'),
      left: level.left ?? 720 * (depth + 1),
      hanging: level.hanging,
    };
  }

  #resolve(numId: string) {
    let number = this.#numbers.get(numId);
    for (let steps = 0; number && steps < 5; steps += 1) {
      const abstract = this.#abstracts.get(number.abstract);
      if (!abstract) return null;
      if (abstract.link === null || abstract.levels.size > 0)
        return { list: number.abstract, levels: abstract.levels, overrides: number.overrides };
      number = this.#numbers.get(this.#styles.numberingOf(abstract.link) ?? '');
    }
    return null;
  }
}

type Resolved = { levels: Map<number, Level>; overrides: Map<number, Partial<Level>> };

function levelAt({ levels, overrides }: Resolved, depth: number): Level | undefined {
  const level = levels.get(depth);
  const override = overrides.get(depth);
  return level && override ? { ...level, ...override } : level;
}

function readLevel(level: Element): Level {
  const indentation = child(child(level, 'w:pPr'), 'w:ind');
  const left = attribute(indentation, 'w:start') ?? attribute(indentation, 'w:left');
  const hanging = attribute(indentation, 'w:hanging');
  const start = settingOf(level, 'w:start');
  return {
    format: settingOf(level, 'w:numFmt') ?? 'decimal',
    text: settingOf(level, 'w:lvlText') ?? '',
    start: start !== null && /^\d{1,7}$/.test(start) ? Number(start) : 1,
    left: left !== null && /^-?\d{1,6}$/.test(left) ? Number(left) : null,
    hanging: hanging !== null && /^\d{1,6}$/.test(hanging) ? Number(hanging) : 360,
    isLegal: switchOf(level, 'w:isLgl') ?? false,
    style: settingOf(level, 'w:pStyle'),
  };
}

const depthOf = (text: string | null): number => (text !== null && /^\d$/.test(text) ? Number(text) : 0);

function labelOf(found: Resolved, level: Level, counters: readonly (number | undefined)[]): string {
  return level.text.replaceAll(/%([1-9])/g, (_, digit: string) => {
    const at = Number(digit) - 1;
    const referred = levelAt(found, at);
    const format = level.isLegal ? 'decimal' : (referred?.format ?? 'decimal');
    return formatted(counters[at] ?? referred?.start ?? 1, format);
  });
}

const STYLES: Readonly<Record<string, ListStyle>> = { lowerLetter: 'a', upperLetter: 'A', lowerRoman: 'i', upperRoman: 'I' };

/** Returns the label of a level's own number, without the numbers of other levels that its text may hold. */
function keptLabel({ format, text, isLegal }: Level, depth: number): ListLabel {
  const [before = '', behind = ''] = text.split(`%${depth + 1}`);
  return labelWith((!isLegal && STYLES[format]) || '1', before.slice(-1), behind);
}

function formatted(number: number, format: string): string {
  switch (format) {
    case 'upperRoman':
      return roman(number);
    case 'lowerRoman':
      return roman(number).toLowerCase();
    case 'upperLetter':
      return letter(number);
    case 'lowerLetter':
      return letter(number).toLowerCase();
    case 'decimalZero':
      return String(number).padStart(2, '0');
    case 'bullet':
    case 'none':
      return '';
    default:
      return String(number);
  }
}
