import { isEllipsis } from './ellipses.ts';
import type { MathTree } from './markup.ts';

/**
 * A formula within a line as rows that each end with an operator, so that a narrow screen can go to the next line between them.
 * Temml does it too, but neither inside \displaystyle nor between brackets, where the long ones are.
 */
export function withBreaks(math: MathTree): MathTree {
  const rows = rowsOf(math.children ?? []);
  if (rows.length === 1) return math;
  const drawn = rows.map((children) => (children.length === 1 ? (children[0] as MathTree) : { type: 'mrow', children }));
  // Around the last one stands another, where lines do not break: a mark that follows stays beside it.
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

/** What groups without drawing anything: a fragment, a row, brackets that do not grow with what they hold. */
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

/** A binary operator or a relation: one character, neither a sign before its operand nor a bracket nor a sum. */
function isOperator({ type, attributes = {}, children = [] }: MathTree): boolean {
  const isPlain = !['form', 'fence', 'stretchy', 'movablelimits'].some((name) => name in attributes);
  return type === 'mo' && isPlain && children.length === 1 && /^[^\u2061-\u2064,;|′]$/u.test(children[0]?.text ?? '');
}
