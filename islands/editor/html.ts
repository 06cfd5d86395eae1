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

/** Whether nothing stands in `doc`: no text, no picture, no formula, whatever its empty blocks are. */
export function isEmpty(doc: Node): boolean {
  return !hasContent(doc);
}

function hasContent(node: Node): boolean {
  if (node.isText) return (node.text ?? '').trim() !== '';
  // A figure is its picture, with or without a caption.
  if (node.isLeaf || node.type.name === 'figure') return node.type.name !== 'hard_break';
  for (let index = 0; index < node.childCount; index += 1) if (hasContent(node.child(index))) return true;
  return false;
}
