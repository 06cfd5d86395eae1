import { letter, roman } from '../../../../shared/rich-text/list-labels.ts';
import type { Macros } from '../macros/macros.ts';

const SECTIONS = ['part', 'chapter', 'section', 'subsection', 'subsubsection'] as const;
export type Section = (typeof SECTIONS)[number];
/** Highest number of a counter that becomes letters or Roman numerals. */
const maxLettered = 700;

/** Returns the value that a counter is set to: `-\maxdimen` is how pandoc turns numbers of sections off. */
export const counterValue = (written: string): number => Number(written.replace('\\maxdimen', '16383'));

/** The counters of a document, and the numbers that its labels refer to. */
export class Numbers {
  readonly #counters = new Map<string, number>();
  readonly #labels = new Map<string, string>();
  readonly #macros: Macros;
  readonly #hasChapters: boolean;
  /** Deepest section with a number: -1 none, 0 chapters, 1 sections, 3 the sections below the subsections. */
  #depth = 3;
  /** Number that the next label refers to. */
  current = '';

  constructor(macros: Macros, hasChapters: boolean) {
    this.#macros = macros;
    this.#hasChapters = hasChapters;
  }

  value(counter: string): number {
    return this.#counters.get(counter) ?? 0;
  }

  isKnown(counter: string): boolean {
    return this.#counters.has(counter);
  }

  set(counter: string, value: number): void {
    const known = Number.isSafeInteger(value) ? value : 0;
    if (counter === 'secnumdepth') this.#depth = known;
    else this.#counters.set(counter, known);
  }

  /** Adds one to a counter and returns it. */
  step(counter: string): number {
    this.set(counter, this.value(counter) + 1);
    return this.value(counter);
  }

  /** Counts a section and returns its number as written, or null when it has none. */
  section(section: Section): string | null {
    const level = SECTIONS.indexOf(section);
    if (level - 1 > this.#depth) return null;
    this.step(section);
    // Chapters go on being counted from part to part.
    if (level > 0) for (const below of SECTIONS.slice(level + 1)) this.set(below, 0);
    this.current = this.written(section);
    return this.current;
  }

  /** Returns a counter as `\thesection` and the like write it. */
  written(counter: string, depth = 0): string {
    const own = this.#macros.own(`\\the${counter}`);
    if (own && depth < 5) return this.#evaluated(own.body, depth);
    const level = SECTIONS.indexOf(counter as Section);
    const above = SECTIONS[level - 1];
    if (counter === 'part') return roman(this.value('part'));
    if (level > (this.#hasChapters ? 1 : 2) && above) return `${this.written(above, depth)}.${this.value(counter)}`;
    return String(this.value(counter));
  }

  #evaluated(body: string, depth: number): string {
    return body
      .replaceAll(/\\(arabic|roman|Roman|alph|Alph)\s*\{\s*(\w+)\s*\}/g, (_, style: string, counter: string) => this.in(style, counter))
      .replaceAll(/\\the(\w+)/g, (_, counter: string) => this.written(counter, depth + 1))
      .replaceAll(/\\[A-Za-z]+\s*|\\.|[{}]/g, '')
      .trim();
  }

  /** Returns a counter in a style, as `\alph{section}` writes it. */
  in(style: string, counter: string): string {
    const value = this.value(counter);
    if (style === 'arabic' || value > maxLettered || value < 1) return String(value);
    const upper = /alph/i.test(style) ? letter(value) : roman(value);
    return /^[ar]/.test(style) ? upper.toLowerCase() : upper;
  }

  label(key: string, number = this.current): void {
    if (!this.#labels.has(key)) this.#labels.set(key, number);
  }

  /** Returns the number that a label has; undefined when there is no such label, or it has no number. */
  reference(key: string): string | undefined {
    return this.#labels.get(key) || undefined;
  }
}
