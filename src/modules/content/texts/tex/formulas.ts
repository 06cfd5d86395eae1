import { trimmedLatex } from '../../../../shared/formulas/trimmed-latex.ts';
import { formulaElement } from '../../../../shared/rich-text/formula-element.ts';
import { FormulaError, renderFormula } from '../formulas/mathml.ts';
import { MacroError, type Macros } from '../macros/macros.ts';
import { closeOf } from './groups.ts';
import type { HiddenParts } from './hidden.ts';
import type { FormulaNode } from './nodes.ts';
import type { Numbers } from './numbers.ts';
import { quoted, type TexReport } from './report.ts';

/** Environments whose content is a formula by itself. */
const PLAIN = /^(?:equation|displaymath|math|dmath)\*?$/;
/** Environments whose lines are numbered one by one. */
const LINES = /^(?:align|gather|alignat|flalign|eqnarray)$/;
/** Commands of layout that mean nothing here. */
const LAYOUT =
  /\\(?:qedhere|hfill|hfil|allowbreak|nobreak|displaybreak|break|noindent|smallskip|medskip|bigskip|strut|mathstrut|left\.\\right\.)(?![A-Za-z])|\\[vh]space\*?\s*\{[^{}]*\}(?=\s*$)|\\vspace\*?\s*\{[^{}]*\}/g;
const ROW_SIGNS =
  /\\(begin|end)\s*\{[^{}]*\}|\\\\(?:\[[^\]]*\])?|\\(?:nonumber|notag)(?![A-Za-z])|\\label\s*\{([^{}]*)\}|\\tag\*?\s*\{([^{}]*)\}/g;

/**
 * Returns the LaTeX of a formula as the site writes it: without layout, with the number of an equation that a label names as its tag.
 * Counts the equations.
 */
export function latexOf({ latex, environment }: FormulaNode, numbers: Numbers): string {
  const name = environment ?? '';
  const isNumbered = /^(?:equation|multline|dmath)$/.test(name) || LINES.test(name);
  const tagged = isNumbered
    ? numbered(latex, LINES.test(name), numbers)
    : latex.replaceAll(/\\label\s*\{[^{}]*\}|\\(?:nonumber|notag)(?![A-Za-z])/g, '');
  const lines = withSentences(tagged)
    .replaceAll(LAYOUT, '')
    .replaceAll(/\n[ \t]*(?=\n)/g, '');
  return withColumns(within(name, trimmedLatex(lines)));
}

/** Returns lines in which a sentence between two lines is a line of its own. */
function withSentences(latex: string): string {
  const [before = '', ...sentences] = latex.split(/\\(?:short)?intertext\s*(?=\{)/);
  return sentences.reduce((written, sentence) => {
    const end = closeOf(sentence, 0, sentence.length) + 1;
    return `${written}\\text${sentence.slice(0, end)}\\\\${sentence.slice(end)}`;
  }, before);
}

function within(name: string, latex: string): string {
  if (name === '' || PLAIN.test(name)) return latex;
  if (/^eqnarray/.test(name)) return `\\begin{array}{rcl}${latex}\\end{array}`;
  const plain = name.replace('*', '').replace('flalign', 'align');
  const known = /^(?:align|alignat|gather|multline)$/.test(plain) ? `${plain}*` : plain;
  return `\\begin{${known}}${latex}\\end{${known}}`;
}

/** Removes from the columns of arrays what the site does not draw. */
const withColumns = (latex: string): string =>
  latex.replaceAll(
    /(\\begin\s*\{(?:array|subarray)\}(?:\[[tcb]\])?\s*)\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}/g,
    (_, begin: string, columns: string) => `${begin.replace(/\[[tcb]\]/, '')}{${plainColumns(columns)}}`,
  );

/** Returns the columns of a table as `l`, `c`, `r` and `|`. */
export function plainColumns(columns: string): string {
  let plain = columns;
  for (let round = 0; round < 3; round += 1)
    plain = plain.replaceAll(/\*\s*\{\s*(\d{1,2})\s*\}\s*\{((?:[^{}]|\{[^{}]*\})*)\}/g, (_, count: string, repeated: string) =>
      repeated.repeat(Number(count)).slice(0, 500),
    );
  return plain
    .replaceAll(/[@!><]\s*\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}/g, '')
    .replaceAll(/[pmbwW]\s*(?:\{[^{}]*\}\s*)+/g, 'l')
    .replaceAll(/[SXLJdD](?:\[[^\]]*\])?(?:\{[^{}]*\})*/g, 'l')
    .replaceAll('C', 'c')
    .replaceAll('R', 'r')
    .replaceAll(/[^lcr|]/g, '');
}

/** Gives the lines that a label names their number as a tag. */
function numbered(latex: string, byLine: boolean, numbers: Numbers): string {
  let depth = 0;
  let label: string | null = null;
  let isCounted = true;
  let tag: string | null = null;
  let hasContent = false;
  const lineEnd = (): string => {
    const number = tag ?? (isCounted && hasContent ? String(numbers.step('equation')) : '');
    if (label !== null) numbers.label(label, number);
    const written = label !== null && tag === null && number !== '' ? `\\tag{${number}}` : '';
    label = null;
    tag = null;
    isCounted = true;
    hasContent = false;
    return written;
  };
  let written = '';
  let done = 0;
  for (const found of latex.matchAll(ROW_SIGNS)) {
    const before = latex.slice(done, found.index);
    if (before.trim() !== '') hasContent = true;
    written += before;
    done = found.index + found[0].length;
    if (found[1] !== undefined) depth += found[1] === 'begin' ? 1 : -1;
    if (found[2] !== undefined) label = found[2];
    else if (found[3] !== undefined) {
      tag = found[3];
      written += found[0];
    } else if (/^\\no/.test(found[0])) isCounted = false;
    else if (found[0].startsWith('\\\\') && byLine && depth === 0) written += lineEnd() + found[0];
    else written += found[0];
  }
  const rest = latex.slice(done);
  if (rest.trim() !== '') hasContent = true;
  return written + rest + lineEnd();
}

interface Pending {
  readonly line: number;
  /** As written, with delimiters. */
  readonly source: string;
}

/** The formulas of a text. They are finished at its end, when all labels are known. */
export class Formulas {
  readonly #pending = new Map<Element, Pending>();

  /** Returns the element of a formula. */
  add(document: Document, latex: string, displayed: boolean, pending: Pending): Element {
    const element = formulaElement(document, latex, displayed);
    this.#pending.set(element, pending);
    return element;
  }

  /** Makes a displayed formula one within a line. */
  asInline(formula: Element): Element {
    const inline = formulaElement(formula.ownerDocument as Document, formula.getAttribute('data-latex') ?? '', false);
    this.#pending.set(inline, this.#pending.get(formula) as Pending);
    return inline;
  }

  /** Expands commands and references. A formula that cannot be drawn becomes text as written, and is reported. */
  finish(root: Element, macros: Macros, numbers: Numbers, hidden: HiddenParts, report: TexReport): void {
    for (const element of [...root.querySelectorAll('[data-latex]')]) {
      const { line, source } = this.#pending.get(element) ?? { line: 1, source: '' };
      const displayed = element.localName === 'div';
      try {
        const latex = hidden.revealed(withReferences(element.getAttribute('data-latex') ?? '', numbers));
        const expanded = trimmedLatex(frenchQuotes(macros.expand(latex)));
        renderFormula(expanded, displayed);
        element.setAttribute('data-latex', expanded);
      } catch (error) {
        if (!(error instanceof FormulaError || error instanceof MacroError)) throw error;
        report.say(line, `${error.message} : ${quoted(hidden.revealed(source))}`);
        const text = hidden.revealed(source).replaceAll(/\s+/g, ' ');
        if (!displayed) element.replaceWith(text);
        else {
          const paragraph = element.ownerDocument.createElement('p');
          paragraph.append(text);
          element.replaceWith(paragraph);
        }
      }
    }
  }
}

const withReferences = (latex: string, numbers: Numbers): string =>
  latex
    .replaceAll(/\\eqref\s*\{([^{}]*)\}/g, (_, key: string) => `\\text{(${numbers.reference(key.trim()) ?? '??'})}`)
    .replaceAll(/\\ref\s*\{([^{}]*)\}/g, (_, key: string) => `\\text{${numbers.reference(key.trim()) ?? '??'}}`);

const frenchQuotes = (latex: string): string =>
  latex.replaceAll(/\\og(?![A-Za-z])\s*(?:\{\})?\s*/g, '« ').replaceAll(/\s*\\fg(?![A-Za-z])\s*(?:\{\})?/g, ' »');
