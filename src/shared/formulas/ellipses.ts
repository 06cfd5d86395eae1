import type { MathTree } from './markup.ts';

const ELLIPSES = new Set(['…', '⋯']);
const THIN = '0.1667em';

export const isEllipsis = ({ type, children = [] }: MathTree): boolean => type === 'mo' && ELLIPSES.has(children[0]?.text ?? '');

/**
 * Sets the spaces around ellipses: a thin space next to a letter, none next to an operator or comma, which have their own spaces. Browsers
 * would space ellipses like an unknown operator.
 */
export function withSpacedEllipses(tree: MathTree): MathTree {
  const { children } = tree;
  if (!children) return tree;
  const drawn = children.filter(({ type }) => type !== 'mspace');
  return {
    ...tree,
    children: children.map((child) => {
      if (!isEllipsis(child)) return withSpacedEllipses(child);
      const place = drawn.indexOf(child);
      const beside = (neighbour: MathTree | undefined): string => (neighbour && neighbour.type !== 'mo' ? THIN : '0em');
      return { ...child, attributes: { ...child.attributes, lspace: beside(drawn[place - 1]), rspace: beside(drawn[place + 1]) } };
    }),
  };
}
