import { FormulaError, renderFormula } from '../formula.ts';
import type { Report } from './fault.ts';

// `\$`, a displayed formula, a formula within a line, or a dollar sign that nothing closes.
const FORMULA = /\\\$|\$\$((?:\\[\s\S]|[^\\$])+)\$\$|\$((?:\\.|[^\\$\n])+)\$|\$/g;

/**
 * Puts elements of the schema where a text says `$…$` or `$$…$$`; reports what cannot be rendered. `line` is the text's first.
 * @param keepsAll whether a faulty formula stays as it was written
 */
export function renderTextFormulas(node: Text, line: number, report: Report, keepsAll = false): void {
  const text = node.data;
  if (!text.includes('$')) return;
  const { ownerDocument } = node;
  const pieces: Node[] = [];
  let done = 0;
  const plain = (piece: string): void => {
    if (piece !== '') pieces.push(ownerDocument.createTextNode(piece));
  };
  const formulas = new RegExp(FORMULA);
  for (let found = formulas.exec(text); found; found = formulas.exec(text)) {
    const [source, displayed, inline] = found;
    const at = line + text.slice(0, found.index).split('\n').length - 1;
    plain(text.slice(done, found.index));
    if (keepsAll && inline !== undefined && isPrice(text.slice(0, found.index), inline)) {
      report(at, 'Signe dollar après un nombre, repris comme texte (écrivez $x$, sans espaces, pour une formule)');
      plain('$');
      done = found.index + 1;
      formulas.lastIndex = done;
      continue;
    }
    done = found.index + source.length;
    const latex = (displayed ?? inline)?.trim();
    const isMisplaced = displayed !== undefined && !standsAmongBlocks(node);
    if (isMisplaced) report(at, `Une formule hors texte ($$) n'a pas sa place dans <${node.parentElement?.localName}>`);
    if (source === '\\$') plain('$');
    else if (latex === undefined) {
      report(at, 'Formule non fermée : un $ est seul sur sa ligne (écrivez \\$ pour le signe dollar)');
      if (keepsAll) plain(source);
    } else if (isShown(latex, displayed !== undefined, at, report) || !keepsAll) {
      pieces.push(element(ownerDocument, latex, displayed !== undefined && !isMisplaced));
    } else plain(source);
  }
  plain(text.slice(done));
  node.replaceWith(...pieces);
}

/** `5$ et 6$` holds no formula. */
const isPrice = (before: string, inside: string): boolean => /\d\s?$/.test(before) && /^\s/.test(inside);

function element(document: Document, latex: string, displayed: boolean): Element {
  const formula = document.createElement(displayed ? 'div' : 'span');
  formula.setAttribute('class', displayed ? 'formula-block' : 'formula');
  formula.setAttribute('data-latex', latex);
  return formula;
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

/** A displayed formula is a block: the paragraph around it ends before and goes on after it. */
export function liftDisplayedFormulas(body: Element): void {
  for (const formula of [...body.querySelectorAll('p > div.formula-block')]) {
    const paragraph = formula.parentElement as Element;
    const rest = body.ownerDocument.createElement('p');
    while (formula.nextSibling) rest.append(formula.nextSibling);
    paragraph.after(formula, rest);
    for (const piece of [paragraph, rest]) if (piece.textContent?.trim() === '' && piece.children.length === 0) piece.remove();
  }
}
