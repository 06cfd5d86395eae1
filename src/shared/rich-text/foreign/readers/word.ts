import { type WordEquation, wordEquations } from '../formulas/word-equations.ts';
import type { Declarations } from '../support/css.ts';
import type { Notes } from '../support/notes.ts';
import type { Source } from './context.ts';

/** Returns the level of a heading, from its tag, its style's name or its outline level; null for text. */
export function headingLevel({ element, tag, classes, style }: Source): number | null {
  const tagged = /^h([1-6])$/.exec(tag)?.[1];
  if (tagged) return Number(tagged);
  if (tag !== 'p' && tag !== 'div' && tag !== 'li') return null;
  const aria = element.getAttribute('role') === 'heading' ? /^[1-6]$/.exec(element.getAttribute('aria-level') ?? '')?.[0] : undefined;
  if (aria) return Number(aria);
  for (const name of classes) {
    if (/^MsoTitle(?:CxSp\w+)?$/.test(name)) return 1;
    const level = /^MsoHeading([1-6])$/.exec(name)?.[1];
    if (level) return Number(level);
  }
  const outline = /^[1-6]$/.exec(style.all['mso-outline-level'] ?? '')?.[0];
  return outline && tag === 'p' ? Number(outline) : null;
}

/** Returns whether an element is invisible in its source. */
export function isHidden(element: Element, css: Declarations): boolean {
  if (css['mso-hide'] === 'all') return true;
  return /^none$/i.test(css.display ?? '') || element.getAttribute('hidden') !== null;
}

/** Returns whether an element belongs to a reviewer's comment in Word's margin. */
export function isReviewComment(classes: readonly string[], css: Declarations): boolean {
  return (
    /^comment(?:-list)?$/.test(css['mso-element'] ?? '') ||
    classes.includes('msocomanchor') ||
    classes.includes('MsoCommentReference') ||
    classes.includes('msocomoff')
  );
}

/** Reads Word's conditional comments, which contain drawings, and equations followed by a picture of them for other programs. */
export class WordComments {
  readonly #notes: Notes;
  #hasFallback = false;

  constructor(notes: Notes) {
    this.#notes = notes;
  }

  /** Returns the equations in a comment. */
  read(data: string): readonly WordEquation[] {
    if (!data.startsWith('[if ')) return [];
    if (data.includes('<m:oMath')) {
      const equations = wordEquations(data);
      this.#hasFallback = equations !== null;
      if (!equations) this.#notes.add('equation');
      return equations ?? [];
    }
    if (data.includes('<v:textbox')) this.#notes.add('textBox');
    else if (data.includes('<o:OLEObject')) this.#notes.add('object');
    return [];
  }

  /** Returns whether an element is the picture of the equations that were just read. */
  isFallback(element: Element, tag: string): boolean {
    if (!this.#hasFallback) return false;
    this.#hasFallback = false;
    return tag === 'img' || (tag === 'span' && element.querySelector('img') !== null && !/[^\s\u00a0]/.test(element.textContent ?? ''));
  }
}
