import type { Node } from 'prosemirror-model';
import { documentFromDom } from '../../src/shared/rich-text/parse.ts';
import { cacheFormula } from './formulas/formula-cache.ts';

/**
 * The document that our own canonical HTML says. The MathML that stands in it is kept, so that its formulas show without being rendered
 * again. In the browser only.
 */
export function readHtml(html: string): Node {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const formula of body.querySelectorAll<HTMLElement>('.formula[data-latex], .formula-block[data-latex]')) {
    cacheFormula(formula.dataset.latex ?? '', formula.classList.contains('formula-block'), formula.firstElementChild);
  }
  return documentFromDom(body, 'exact');
}
