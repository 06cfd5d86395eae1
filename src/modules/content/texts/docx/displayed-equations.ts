import { formulaElement } from '../../../../shared/rich-text/formula-element.ts';
import type { Piece } from './pieces.ts';
import type { TextFacts } from './reading.ts';

/** Attribute of a formula that is displayed if its paragraph holds nothing else. */
export const mayStandAlone = 'data-may-stand-alone';

/** Displays an equation of MathType that is alone in its paragraph. */
export function displayAlone(pieces: Piece[], { document, equations }: TextFacts): void {
  const contents = pieces.filter(({ node }) => typeof node !== 'string' || node.trim() !== '');
  const [only] = contents;
  if (!only || contents.length > 1 || typeof only.node === 'string') return;
  const formula = only.node as Element;
  const source = equations.get(formula);
  if (!source || !formula.hasAttribute(mayStandAlone)) return;
  const displayed = formulaElement(document, formula.getAttribute('data-latex') ?? '', true);
  equations.delete(formula);
  equations.set(displayed, source);
  pieces.splice(0, pieces.length, { node: displayed, wraps: [] });
}
