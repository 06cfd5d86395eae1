import { isCloser, isOpener, isOperator, isProduct, isSeparator, textOf } from './characters.ts';
import type { MathTree } from './markup.ts';

/**
 * Structure of a part of a formula, which decides whether the linear formula needs brackets around it. `atom`: a symbol, a number or a
 * bracketed expression; `script`: a base with scripts; `compound`: any other expression.
 */
export type Kind = 'empty' | 'atom' | 'script' | 'product' | 'fraction' | 'compound';

/** Types of elements that are handled as a row of their children. A fragment has the type undefined. */
export const rowTypes: ReadonlySet<string | undefined> = new Set([
  undefined,
  'mrow',
  'mstyle',
  'mpadded',
  'math',
  'mtd',
  'mphantom',
  'merror',
]);

const known = new WeakMap<MathTree, Kind>();

export function kindOf(node: MathTree): Kind {
  const found = known.get(node);
  if (found) return found;
  const kind = judge(node);
  known.set(node, kind);
  return kind;
}

function judge(node: MathTree): Kind {
  const { type, children = [], attributes } = node;
  switch (type) {
    case 'mi':
    case 'mn':
    case 'ms':
    case 'mtext':
    case 'mo':
      return /^[\s\u2061-\u2064]*$/u.test(textOf(node)) ? 'empty' : type === 'mtext' && /\s/u.test(textOf(node)) ? 'compound' : 'atom';
    case 'mspace':
      return 'empty';
    case 'mfrac':
      return Number.parseFloat(String(attributes?.linethickness)) === 0 ? 'compound' : 'fraction';
    case 'mover':
    case 'munder':
      // An empty script only lengthens an arrow, so the base decides.
      return children[1] && kindOf(children[1]) === 'empty' ? kindOf(children[0] ?? {}) : 'script';
    case 'msub':
    case 'msup':
    case 'msubsup':
    case 'munderover':
    case 'mmultiscripts':
    case 'msqrt':
    case 'mroot':
      return 'script';
    case 'mtable':
      return 'compound';
    default:
      return kindOfRow(children);
  }
}

function kindOfRow(children: readonly MathTree[]): Kind {
  const shown = significant(children);
  const [first, last] = [shown[0], shown.at(-1)];
  if (!first || !last) return 'empty';
  if (shown.length === 1) return kindOf(first);
  if (isOpener(first) && isCloser(last) && textOf(last) !== '') return 'atom';
  if (shown.every(({ type }) => type === 'mn')) return 'atom';
  // A differential, such as dx.
  if (shown.length === 2 && /^[d∂]$/u.test(textOf(first))) return 'script';
  const isFactor = (node: MathTree): boolean =>
    isProduct(node) ||
    !(
      isOperator(node) ||
      isFunction(leafAt(node, -1)) ||
      isSeparator(node) ||
      ['mspace', 'mtext'].includes(node.type ?? '') ||
      ['fraction', 'compound'].includes(kindOf(node))
    );
  return shown.every(isFactor) ? 'product' : 'compound';
}

/** Returns whether a node is the name of a function, which applies to the node after it. */
const isFunction = (node: MathTree): boolean => node.type === 'mi' && /^[a-z]{2,}$/i.test(textOf(node));

/** Returns the visible children, closing fences without text, and spaces wide enough to separate expressions. */
export const significant = (children: readonly MathTree[]): readonly MathTree[] =>
  children.filter((child) =>
    child.type === 'mspace' ? Number.parseFloat(String(child.attributes?.width)) > 0.9 : kindOf(child) !== 'empty' || isCloser(child),
  );

/** Returns the first (0) or last (-1) significant leaf of a row. Returns a node that is not a row unchanged. */
export function leafAt(node: MathTree, end: 0 | -1): MathTree {
  if (!rowTypes.has(node.type)) return node;
  const next = significant(node.children ?? []).at(end);
  return next ? leafAt(next, end) : node;
}
