import { trimmedLatex } from '../../../formulas/trimmed-latex.ts';
import { isWritable, MAX_LATEX_LENGTH } from '../../bounds.ts';
import { elementAfter } from '../support/walk.ts';
import { mathMlToLatex } from './mathml-to-latex.ts';

export interface FoundFormula {
  /** Null: a formula whose source cannot be determined. */
  readonly latex: string | null;
  readonly display: boolean;
}

const TEX = /tex/i;
// Limit of searched elements: otherwise nested formulas would take quadratic time.
const LOOKED_AT = 50_000;

/** Finds the source of formulas written by KaTeX, MathJax, Wikipedia, Quill, MathML, and services that draw formulas. */
export class FormulaReader {
  #budget = LOOKED_AT;

  /** Returns the formula in `element`; null if it is none. */
  read(element: Element, tag: string, classes: readonly string[]): FoundFormula | null {
    if (tag === 'img') return formulaImage(element, classes);
    if (tag === 'math') return this.#mathMl(element, element.getAttribute('display') === 'block');
    if (tag === 'script') return mathScript(element);
    if (tag === 'mjx-container') return this.#inside(element, element.getAttribute('display') === 'true');
    const given = ['data-latex', 'data-tex', 'data-math', 'data-formula', 'data-equation']
      .map((name) => element.getAttribute(name))
      .find(Boolean);
    if (given && (tag === 'span' || tag === 'div')) return found(given, tag === 'div' || classes.includes('math-block'));
    if (classes.length === 0) return null;
    if (classes.includes('ql-formula')) return found(element.getAttribute('data-value') ?? '', false);
    if (classes.includes('katex-display')) return this.#inside(element, true);
    if (classes.includes('katex')) return this.#inside(element, false);
    if (classes.includes('mwe-math-element')) return this.#wikipedia(element);
    if (classes.some((name) => /^MathJax(?:_|$)/.test(name))) return this.#mathJax2(element, classes);
    return null;
  }

  #inside(element: Element, display: boolean): FoundFormula | null {
    const math = this.#find(element, (inner) => inner.localName === 'math');
    return math && this.#mathMl(math, display || math.getAttribute('display') === 'block');
  }

  #mathMl(math: Element, display: boolean): FoundFormula {
    const annotation = this.#find(math, (inner) => inner.localName === 'annotation' && TEX.test(inner.getAttribute('encoding') ?? ''));
    const source = annotation?.textContent ?? math.getAttribute('alttext') ?? math.getAttribute('data-latex');
    if (source?.trim()) return found(source, display);
    const latex = mathMlToLatex(math);
    return latex === null ? { latex, display } : found(latex, display);
  }

  #wikipedia(element: Element): FoundFormula | null {
    const image = this.#find(element, (inner) => inner.localName === 'img');
    const display = /display/.test(image?.getAttribute('class') ?? '');
    const alt = image?.getAttribute('alt');
    return this.#inside(element, display) ?? (alt ? found(alt, display) : null);
  }

  // MathJax 2 keeps the source in a script after its output; copied HTML may lack the script.
  #mathJax2(element: Element, classes: readonly string[]): FoundFormula | null {
    const next = element.nextElementSibling;
    if (next && /^math\/tex/i.test(next.getAttribute('type') ?? '')) return { latex: '', display: false };
    if (classes.includes('MathJax_Preview')) return { latex: '', display: false };
    return this.#inside(element, classes.includes('MathJax_Display') || classes.includes('MathJax_SVG_Display'));
  }

  /** Returns the first descendant that passes, in document order. */
  #find(root: Element, passes: (element: Element) => boolean): Element | null {
    for (let element = root.firstElementChild; element && this.#budget > 0; element = elementAfter(element, root)) {
      this.#budget -= 1;
      if (passes(element)) return element;
    }
    return null;
  }
}

function mathScript(script: Element): FoundFormula | null {
  const type = script.getAttribute('type') ?? '';
  if (!/^math\/tex/i.test(type)) return null;
  return found(script.textContent ?? '', /mode=display/i.test(type));
}

function formulaImage(image: Element, classes: readonly string[]): FoundFormula | null {
  const alt = image.getAttribute('alt') ?? '';
  const src = image.getAttribute('src') ?? '';
  const drawn = classes.find((name) => /^(?:mwe-math-fallback-image|latex|tex$|texrender|math$|ql-math)/.test(name));
  if (drawn && alt.trim()) return found(alt, /display|block/.test(drawn));
  const [, asked] =
    /^https?:\/\/(?:latex\.codecogs\.com\/[a-z.]+|(?:www|chart)\.(?:google|googleapis)\.com\/chart|[a-z0-9.]*wp\.com\/latex\.php|s\d\.wp\.com\/latex\.php)\?(.{1,4000})$/i.exec(
      src,
    ) ?? [];
  if (!asked) return null;
  const value = /latex\.codecogs/i.test(src) ? asked : (new URLSearchParams(asked).get('chl') ?? new URLSearchParams(asked).get('latex'));
  if (!value) return null;
  try {
    return found(/latex\.codecogs/i.test(src) ? decodeURIComponent(value) : value, false);
  } catch {
    return null;
  }
}

function found(source: string, display: boolean): FoundFormula {
  return { latex: tidyLatex(source), display };
}

/** Returns LaTeX without delimiters and commands that only set its size or style. */
function tidyLatex(source: string): string {
  let latex = source.trim();
  for (const [open, close] of [
    ['$$', '$$'],
    ['$', '$'],
    ['\\(', '\\)'],
    ['\\[', '\\]'],
  ] as const) {
    if (latex.length > open.length + close.length && latex.startsWith(open) && latex.endsWith(close))
      latex = latex.slice(open.length, -close.length).trim();
  }
  const wrapped = /^\{\s*\\(?:displaystyle|textstyle|scriptstyle)\b/.test(latex) && closesAtEnd(latex);
  if (wrapped) latex = latex.slice(1, -1).trim();
  return trimmedLatex(latex.replace(/^\\(?:displaystyle|textstyle|inline|dpi\{\d+\}|large)(?![a-zA-Z])\s*/, ''));
}

function closesAtEnd(latex: string): boolean {
  let depth = 0;
  for (let at = 0; at < latex.length; at += 1) {
    if (latex[at] === '\\') at += 1;
    else if (latex[at] === '{') depth += 1;
    else if (latex[at] === '}') {
      depth -= 1;
      if (depth === 0) return at === latex.length - 1;
    }
  }
  return false;
}

/** Returns whether the schema accepts this LaTeX. */
export const isKeepable = (latex: string): boolean => latex !== '' && latex.length <= MAX_LATEX_LENGTH && isWritable(latex);
