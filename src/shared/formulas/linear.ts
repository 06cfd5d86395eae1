import { isCloser, isLargeOperator, isOpener, isOperator, isRelation, isSeparator, textOf } from './characters.ts';
import { type Kind, kindOf, leafAt, rowTypes, significant } from './linear-kinds.ts';
import type { MathTree } from './markup.ts';

/**
 * Returns a formula whose elements, read in order, are a linear formula: `u_n = (n+6)/(n+3)`. Browsers without MathML show it like this.
 * The additional signs are in `mphantom` elements: MathML draws them as nothing, the style sheet removes them from the layout, and screen
 * readers skip them. They are always inside a row, so that each element keeps its required number of children. Spaces between elements have
 * no meaning in MathML.
 */
export const withLinearText = (math: MathTree): MathTree => ({ ...math, children: row(math.children ?? [], false) });

const space: MathTree = { text: ' ' };
const sign = (text: string): MathTree => ({ type: 'mphantom', children: [{ text }] });
const isSign = (node: MathTree | undefined): node is MathTree => node?.type === 'mphantom' && node.children?.[0]?.text !== undefined;

/** @param within inside a script, where relations have no spaces */
function linear(node: MathTree, within: boolean): MathTree {
  const { type, children = [] } = node;
  if (children.length === 0 || type === 'mi' || type === 'mn' || type === 'mo' || type === 'mtext' || type === 'ms') return node;
  switch (type) {
    case 'mfrac':
      return fraction(node, within);
    case 'msqrt':
      return root(node, within);
    case 'mroot': {
      const [base, index] = children.map((child) => linear(child, true)) as [MathTree, MathTree];
      return { ...node, children: [grouped(base, isLoose(children[0])), attach(index, '^(1/', ')')] };
    }
    case 'msub':
    case 'msup':
    case 'msubsup':
    case 'munder':
    case 'mover':
    case 'munderover':
      return scripts(node, within);
    case 'mtable':
      return table(node, within);
    case 'menclose': {
      const inner = row(children, within);
      const over = node.classes?.includes('tml-overline');
      return over
        ? attach({ ...node, children: inner }, ...((isLoose(node) ? ['(', ')‾'] : ['', '‾']) as [string, string]))
        : { ...node, children: inner };
    }
    case 'mphantom':
      // A phantom by the author keeps its space.
      return { ...node, classes: ['f-phantom'], children: row(children, within) };
    default:
      return { ...node, children: row(children, within) };
  }
}

function fraction(node: MathTree, within: boolean): MathTree {
  const [over, under] = node.children as [MathTree, MathTree];
  const [above, below] = [linear(over, within), linear(under, within)];
  if (isBinomial(node)) return { ...node, children: [above, attach(below, ', ', '')] };
  const groups = {
    above: ['compound', 'fraction'].includes(kindOf(over)),
    below: ['compound', 'fraction', 'product'].includes(kindOf(under)),
  };
  const slash = `${groups.above ? ')' : ''}/${groups.below ? '(' : ''}`;
  return { ...node, children: [attach(above, groups.above ? '(' : '', ''), attach(below, slash, groups.below ? ')' : '')] };
}

const isBinomial = ({ type, attributes }: MathTree): boolean =>
  type === 'mfrac' && Number.parseFloat(String(attributes?.linethickness)) === 0;

function root(node: MathTree, within: boolean): MathTree {
  const children = node.children ?? [];
  const simple = ['atom', 'empty'].includes(kindOf({ type: 'mrow', children }));
  return attach({ ...node, children: row(children, within) }, simple ? '√' : '√(', simple ? '' : ')');
}

/** Returns whether a base needs brackets when it gets a script. */
const isLoose = (base: MathTree | undefined): boolean => base !== undefined && ['compound', 'fraction', 'product'].includes(kindOf(base));

const grouped = (node: MathTree, loose: boolean): MathTree => (loose ? attach(node, '(', ')') : node);

function scripts(node: MathTree, within: boolean): MathTree {
  const { type = '', children = [] } = node;
  const [base = {}, ...rest] = children;
  const marks = type === 'msup' || type === 'mover' ? ['^'] : ['_', '^'];
  const large = isLargeOperator(textOf(base));
  let first = linear(base, within);
  const accent = type.startsWith('mu') || type === 'mover';
  // An accent or a brace covers all letters of its base, so it needs fewer brackets.
  if (!large && (accent ? ['compound', 'fraction'].includes(kindOf(base)) : isLoose(base) || isTwice(type, base)))
    first = attach(first, '(', ')');
  const others = rest.map((script, index) => {
    const mark = marks[index] as string;
    const kind = kindOf(script);
    const inner = linear(script, true);
    if (kind === 'empty' || isRaised(script) || (accent && isBare(script))) return inner;
    if (!isBare(script)) return kind === 'atom' ? attach(inner, mark, '') : attach(inner, `${mark}(`, ')');
    // The sign is attached to the base: in its own row, the operator would get space at its sides.
    if (!isBare(base)) first = attach(first, '', mark);
    return inner;
  });
  return { ...node, children: [first, ...others] };
}

/** Returns whether the base already has an exponent. */
function isTwice(type: string, base: MathTree): boolean {
  const inner = leafAt(base, 0).type ?? '';
  return kindOf(base) === 'script' && !(type === 'msup' ? inner === 'msub' : type === 'msub' && inner === 'mover');
}

const isBare = (node: MathTree): boolean =>
  node.type === undefined && node.children?.length === 1 ? isBare(node.children[0] as MathTree) : node.type === 'mo';

/** Returns whether a script is readable without `^` or `_`: primes, degrees, stars. */
const isRaised = (script: MathTree): boolean => /^[′″‴⁗'∘°∗*†]+$/u.test(textOf(script));

function table(node: MathTree, within: boolean): MathTree {
  const aligned = node.classes?.some((name) => name === 'tml-jot' || name === 'tml-align') ?? false;
  const rows = (node.children ?? []).map((tr, number) => ({
    ...tr,
    children: (tr.children ?? []).map((cell, index) => {
      const mark = index > 0 ? (aligned ? '' : ', ') : number > 0 ? '; ' : '';
      return attach({ ...cell, children: row(cell.children ?? [], within) }, mark, '');
    }),
  }));
  return { ...node, children: rows };
}

/** Returns neighbours as a linear row: brackets around fractions that would run into them, and spaces between words. */
function row(children: readonly MathTree[], within: boolean): MathTree[] {
  const written: MathTree[] = [];
  const shown = significant(children);
  for (const node of children) {
    const at = shown.indexOf(node);
    const [before, after] = at < 0 ? [] : [shown[at - 1], shown[at + 1]];
    if ((isWideSpace(node) && !within) || (at >= 0 && isRelation(node) && !within)) written.push(space);
    if (isOpener(node) && after && isBinomial(leafAt(after, 0))) written.push(sign('C'));
    const between = kindOf(node) === 'fraction' && (runsInto(before, 'before') || runsInto(after, 'after'));
    written.push(grouped(linear(node, within), between));
    if (at < 0) continue;
    if ((isRelation(node) && !within) || isSeparator(node) || (after && needsSpace(node, after))) written.push(space);
  }
  return written;
}

const isWideSpace = ({ type, attributes }: MathTree): boolean => type === 'mspace' && Number.parseFloat(String(attributes?.width)) > 0.1;

/** Returns whether a neighbour is neither an operator nor an enclosing bracket. */
function runsInto(neighbour: MathTree | undefined, side: 'before' | 'after'): boolean {
  if (!neighbour) return false;
  const leaf = leafAt(neighbour, side === 'before' ? -1 : 0);
  if (leaf.type === 'mtext') return !/^\s|\s$/u.test(textOf(leaf));
  if ((leaf.type === 'mi' && textOf(leaf) === '|') || isSeparator(leaf)) return false;
  return side === 'before' ? !isOpener(leaf) && !isOperator(leaf) : !isCloser(leaf) && !isOperator(leaf);
}

/** Returns whether a space must separate an index or exponent from the next letter. */
function needsSpace(node: MathTree, after: MathTree): boolean {
  const leaf = leafAt(node, -1);
  const next = leafAt(after, 0);
  if (kindOf(leaf) !== 'script' || isRaised(leaf.children?.at(-1) ?? {})) return false;
  if (!runsInto(after, 'after')) return isOperator(next) && /[+−]$/u.test(textOf(leaf));
  const onBase = (script: MathTree): Kind => kindOf(script.children?.[0] ?? {});
  if (rowTypes.has(next.type) || /^[′″‴|]/u.test(textOf(next))) return false;
  if (kindOf(next) === 'script' && onBase(next) === 'empty') return false;
  return leaf.type !== 'msub' || !(isOpener(next) || onBase(leaf) === 'empty' || (isUpright(leaf) && isUpright(next)));
}

/** Returns whether a node is a chemical symbol, alone or with scripts: chemical formulas are written without spaces. */
function isUpright(node: MathTree): boolean {
  const leaf = leafAt(node, 0);
  if (leaf.type !== 'mi' && leaf.children?.[0]) return isUpright(leaf.children[0]);
  return leaf.attributes?.mathvariant === 'normal' || textOf(leaf).length > 1;
}

/** Returns the node with signs around it: inside its row, or in a new row. */
function attach(node: MathTree, open: string, close: string): MathTree {
  if (open === '' && close === '') return node;
  const { type, children = [] } = node;
  if (type === 'mfrac' && !isBinomial(node)) {
    const [above, below] = children as [MathTree, MathTree];
    return { ...node, children: [attach(above, open, ''), attach(below, '', close)] };
  }
  if (!rowTypes.has(type) && type !== 'msqrt' && type !== 'menclose') return { type: 'mrow', children: ends([node], open, close) };
  const [only, ...others] = children.filter((child) => child !== space && child.type !== 'mspace');
  if (only && others.length === 0 && (rowTypes.has(only.type) || only.type === 'mfrac') && only.text === undefined)
    return { ...node, children: children.map((child) => (child === only ? attach(child, open, close) : child)) };
  return { ...node, type: type ?? 'mrow', children: ends(children, open, close) };
}

/** Adds signs at both ends of a row, and merges each with a sign that is already there. */
function ends(children: readonly MathTree[], open: string, close: string): readonly MathTree[] {
  const [first, last] = [children[0], children.at(-1)];
  const begun = open === '' ? children : isSign(first) ? [sign(open + textOf(first)), ...children.slice(1)] : [sign(open), ...children];
  if (close === '') return begun;
  return isSign(last) ? [...begun.slice(0, -1), sign(textOf(begun.at(-1) as MathTree) + close)] : [...begun, sign(close)];
}
