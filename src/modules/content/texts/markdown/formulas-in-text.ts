import { formulaElement } from '../../../../shared/rich-text/formula-element.ts';
import { FormulaError, renderFormula } from '../formulas/mathml.ts';
import { MacroError, Macros } from '../macros/macros.ts';
import { hiddenFormulaAt, newlinesIn, revealed } from './hidden-text.ts';
import type { Report } from './source-lines.ts';
import { type Formula, formulaAt, nearby } from './tex.ts';

// A hidden formula, other hidden text, `\$`, or a dollar sign.
const SIGN = /\$[\u{F0000}-\u{FFFFF}]{2,}\$|[\u{F0000}-\u{FFFFF}]+|\\\$(?![\u{F0000}-\u{FFFFF}]{2,}\$)|\$/gu;

/**
 * Replaces the formulas of a text node by elements of the schema. In Markdown these are the hidden formulas (hidden-text.ts); in HTML
 * they are `$…$` and `$$…$$`.
 * Reports formulas that cannot be rendered. `line` is the line of the text's start.
 * @param keepsAll whether a faulty formula stays as written
 * @param macros the commands that the text defines
 */
export function renderTextFormulas(node: Text, line: number, report: Report, keepsAll = false, macros = new Macros()): void {
  if (node.parentElement?.closest('code, pre')) node.data = revealed(node.data);
  else if (node.data.search(SIGN) !== -1) {
    for (const piece of new Pieces(node, line, report, keepsAll, macros).all()) node.before(piece);
    node.remove();
  }
}

class Pieces {
  readonly #node: Text;
  readonly #report: Report;
  readonly #keepsAll: boolean;
  readonly #macros: Macros;
  readonly #pieces: Node[] = [];
  /** Text after the last piece. */
  #text = '';
  #line: number;
  /** Characters of the text handled so far. */
  #done = 0;

  constructor(node: Text, line: number, report: Report, keepsAll: boolean, macros: Macros) {
    this.#node = node;
    this.#line = line;
    this.#report = report;
    this.#keepsAll = keepsAll;
    this.#macros = macros;
  }

  all(): Node[] {
    const text = this.#node.data;
    const signs = new RegExp(SIGN);
    for (let found = signs.exec(text); found; found = signs.exec(text)) {
      this.#plain(text.slice(this.#done, found.index));
      const [sign] = found;
      const formula = hiddenFormulaAt(sign) ?? (sign === '$' ? inHtml(text, found.index) : undefined);
      if (formula) this.#formula(formulaAt(formula.source));
      else if (sign === '\\$') this.#plain('$');
      else for (const character of revealed(sign)) this.#character(character, text, found.index);
      this.#line += newlinesIn(formula?.raw ?? '');
      this.#done = found.index + (formula?.raw ?? sign).length;
      signs.lastIndex = this.#done;
    }
    this.#plain(text.slice(this.#done));
    this.#endText();
    return this.#pieces;
  }

  #plain(text: string): void {
    this.#line += newlinesIn(text);
    this.#text += text;
  }

  #endText(): void {
    if (this.#text !== '') this.#pieces.push(this.#node.ownerDocument.createTextNode(this.#text));
    this.#text = '';
  }

  #character(character: string, text: string, at: number): void {
    if (character === '$') this.#report(this.#line, dollarAlone(text, at, this.#keepsAll));
    if (character !== '$' || this.#keepsAll) this.#plain(character);
  }

  /** Returns LaTeX without commands of the author's own; null when they cannot be replaced, which is reported. */
  #expanded(latex: string): string | null {
    try {
      return this.#macros.expand(latex);
    } catch (error) {
      if (!(error instanceof MacroError)) throw error;
      this.#report(this.#line, `${error.message} : ${latex.replaceAll(/\s+/g, ' ').slice(0, 80)}`);
      return null;
    }
  }

  #formula(formula: Formula | undefined): void {
    if (!formula) return;
    const { source, displayed } = formula;
    const latex = this.#expanded(formula.latex);
    const isMisplaced = displayed && !standsAmongBlocks(this.#node);
    if (isMisplaced) this.#report(this.#line, `Une formule hors texte ($$) n'a pas sa place dans <${this.#node.parentElement?.localName}>`);
    const isKept = latex !== null && isShown(latex, displayed, this.#line, this.#report);
    if (isKept || !this.#keepsAll) {
      this.#endText();
      this.#pieces.push(formulaElement(this.#node.ownerDocument, latex ?? formula.latex, displayed && !isMisplaced));
    } else this.#text += source;
  }
}

function inHtml(text: string, at: number): { raw: string; source: string } | undefined {
  const formula = formulaAt(text.slice(at), text.slice(Math.max(0, at - nearby), at));
  return formula && { raw: formula.source, source: formula.source };
}

/**
 * Returns the message for a dollar sign that neither opens nor closes a formula. Only the near text is examined: a text may hold a
 * dollar at every third character.
 */
function dollarAlone(text: string, at: number, keepsAll: boolean): string {
  const [rest = ''] = revealed(text.slice(at, at + 200))
    .slice(1)
    .split('\n', 1);
  if (!rest.includes('$') || !/^\s/.test(rest)) return 'Formule non fermée : un $ est seul sur sa ligne (écrivez \\$ pour le signe dollar)';
  return keepsAll && /\d\s?$/.test(text.slice(Math.max(0, at - 2), at))
    ? 'Signe dollar après un nombre, repris comme texte (écrivez $x$, sans espaces, pour une formule)'
    : "Un $ suivi d'une espace n'ouvre pas de formule (écrivez $x$, sans espaces, ou \\$ pour le signe dollar)";
}

function isShown(latex: string, displayed: boolean, line: number, report: Report): boolean {
  try {
    renderFormula(latex, displayed);
    return true;
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    report(line, `${error.message} : ${latex.replaceAll(/\s+/g, ' ').slice(0, 80)}`);
    return false;
  }
}

function standsAmongBlocks(node: Text): boolean {
  return /^(?:p|li|td|th|blockquote|body)$/.test(node.parentElement?.localName ?? '');
}

/** Splits paragraphs at displayed formulas, since these are blocks. */
export function liftDisplayedFormulas(body: Element): void {
  const paragraphs = new Set([...body.querySelectorAll('p > div.formula-block')].map((formula) => formula.parentElement as Element));
  for (const paragraph of paragraphs) {
    // The part before the first formula keeps the paragraph's attributes.
    let part: Element | undefined = paragraph.cloneNode(false) as Element;
    const parts = [part];
    for (const node of [...paragraph.childNodes]) {
      if (isDisplayedFormula(node as Element)) {
        parts.push(node as Element);
        part = undefined;
      } else {
        if (!part) {
          part = body.ownerDocument.createElement('p');
          parts.push(part);
        }
        part.append(node);
      }
    }
    for (const one of parts)
      if (isDisplayedFormula(one) || one.textContent?.trim() !== '' || one.children.length > 0) paragraph.before(one);
    paragraph.remove();
  }
}

const isDisplayedFormula = ({ localName, className }: Element): boolean => localName === 'div' && className === 'formula-block';
