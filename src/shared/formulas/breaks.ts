import { isEllipsis } from './ellipses.ts';
import type { MathTree } from './markup.ts';

/**
 * Splits an inline formula into rows that each end with an operator, so that a narrow screen can break the line between them.
 * Temml does this too, but not inside \displaystyle and not inside brackets, where the long rows are.
 */
export function withBreaks(math: MathTree): MathTree {
  const rows = rowsOf(math.children ?? []);
  if (rows.length === 1) return math;
  const drawn = rows.map((children) => (children.length === 1 ? (children[0] as MathTree) : { type: 'mrow', children }));
  // The last row is wrapped twice: the outer element does not break, so that punctuation after the formula stays with it.
  const children = [...drawn.slice(0, -1), { type: 'mrow', children: drawn.slice(-1) }];
  return { ...math, classes: [...(math.classes ?? []), 'f-rows'], children };
}

function rowsOf(nodes: readonly MathTree[]): MathTree[][] {
  const rows: MathTree[][] = [[]];
  for (const node of nodes.flatMap(opened)) {
    const pieces = node.type === 'mstyle' ? rowsOf(node.children ?? []).map((children) => ({ ...node, children })) : [node];
    for (const piece of pieces) {
      if (piece.type !== 'mspace' && endsLine(rows.at(-1))) rows.push([]);
      rows.at(-1)?.push(piece);
    }
  }
  return rows;
}

/** Returns the children of a node that only groups them (a fragment, a plain row, brackets that do not stretch), else the node itself. */
function opened(node: MathTree): readonly MathTree[] {
  const children = node.children ?? [];
  const isFragment = node.type === undefined && node.text === undefined;
  const isRow =
    node.type === 'mrow' &&
    Object.keys(node.attributes ?? {}).length + Object.keys(node.style ?? {}).length + (node.classes?.length ?? 0) === 0;
  const grows = children.some(({ type, attributes }) => type === 'mo' && attributes?.stretchy === 'true');
  return isFragment || (isRow && !grows) ? children.flatMap(opened) : [node];
}

function endsLine(row: readonly MathTree[] | undefined): boolean {
  const last = row?.findLast(({ type }) => type !== 'mspace');
  return last !== undefined && (last.type === 'mstyle' ? endsLine(last.children) : isOperator(last) && !isEllipsis(last));
}

/** Returns whether a node is a binary operator or a relation: one character, but no prefix sign, bracket or sum. */
function isOperator({ type, attributes = {}, children = [] }: MathTree): boolean {
  const isPlain = !['form', 'fence', 'stretchy', 'movablelimits'].some((name) => name in attributes);
  return type === 'mo' && isPlain && children.length === 1 && /^[^\u2061-\u2064,;|′]$/u.test(children[0]?.text ?? '');
}
