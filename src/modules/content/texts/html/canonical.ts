import type { Node } from 'prosemirror-model';
import { escapeText } from '../../../../shared/escapes.ts';
import { highlight } from '../../../../shared/highlighting/highlighter.ts';
import { type Renderers, serialise } from '../../../../shared/rich-text/serialise.ts';
import { renderFormula } from '../formulas/mathml.ts';

/** The HTML that is stored and shown: formulas as they are given, code with its words marked up. */
export const htmlWith = (doc: Node, formula: Renderers['formula']): string => serialise(doc, { formula, code: highlightedCode });

/**
 * With formulas as MathML.
 * @throws FormulaError for a formula that cannot be shown
 */
export const canonicalHtml = (doc: Node): string => htmlWith(doc, renderFormula);

/** Code as text and `span`s, whose classes the stylesheet knows. */
function highlightedCode(text: string, language: string | null): string {
  return highlight(text, language)
    .map(({ text: piece, className }) => (className ? `<span class="${className}">${escapeText(piece)}</span>` : escapeText(piece)))
    .join('');
}
