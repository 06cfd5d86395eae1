import type { Node } from 'prosemirror-model';
import { documentFromDom } from '../../src/shared/rich-text/parse.ts';
import { richTextSchema } from '../../src/shared/rich-text/schema.ts';
import { rememberFormula } from './formulas/known-formulas.ts';

/**
 * The document that our own canonical HTML says. The MathML that stands in it is kept, so that its formulas show without being rendered
 * again. In the browser only.
 */
export function readHtml(html: string): Node {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const formula of body.querySelectorAll<HTMLElement>('.formula[data-latex], .formula-block[data-latex]')) {
    rememberFormula(formula.dataset.latex ?? '', formula.classList.contains('formula-block'), formula.firstElementChild);
  }
  return documentFromDom(body, 'exact');
}

/** A document of one empty paragraph. */
export function emptyDocument(): Node {
  return richTextSchema.topNodeType.createAndFill() as Node;
}
