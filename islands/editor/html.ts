import type { Node } from 'prosemirror-model';
import { documentFromDom } from '../../src/shared/rich-text/parse.ts';
import { cacheFormula } from './formulas/formula-cache.ts';

/**
 * Parses our canonical HTML to a document. Adds its MathML to the formula cache, so that its formulas need no rendering. Works only in a
 * browser.
 */
export function readHtml(html: string): Node {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const formula of body.querySelectorAll<HTMLElement>('.formula[data-latex], .formula-block[data-latex]')) {
    cacheFormula(formula.dataset.latex ?? '', formula.classList.contains('formula-block'), formula.firstElementChild);
  }
  return documentFromDom(body, 'exact');
}
