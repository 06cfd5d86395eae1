import type { Node } from 'prosemirror-model';
import { escapeText } from '../../../../shared/escapes.ts';
import { highlight } from '../../../../shared/highlighting/highlighter.ts';
import { type Renderers, serialise } from '../../../../shared/rich-text/serialise.ts';
import { renderFormula } from '../formulas/mathml.ts';

/** Returns the HTML that is stored and shown, with formulas from `formula` and highlighted code. */
export const htmlWith = (doc: Node, formula: Renderers['formula']): string => serialise(doc, { formula, code: highlightedCode });

/**
 * Returns canonical HTML with formulas as MathML.
 * @throws FormulaError when a formula cannot be rendered
 */
export const canonicalHtml = (doc: Node): string => htmlWith(doc, renderFormula);

/** Returns code as text and `span` elements with the classes of the style sheet. */
function highlightedCode(text: string, language: string | null): string {
  return highlight(text, language)
    .map(({ text: piece, className }) => (className ? `<span class="${className}">${escapeText(piece)}</span>` : escapeText(piece)))
    .join('');
}
