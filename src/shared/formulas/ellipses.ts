import type { MathTree } from './markup.ts';

const ELLIPSES = new Set(['…', '⋯']);
const THIN = '0.1667em';

export const isEllipsis = ({ type, children = [] }: MathTree): boolean => type === 'mo' && ELLIPSES.has(children[0]?.text ?? '');

/**
 * Three dots stand for terms: beside a letter they keep a thin space, beside an operator or a comma what that has of its own. Browsers space them as an
 * operator would be that they do not know.
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
