import type { MathTree } from './markup.ts';

export const textOf = ({ text = '', children = [] }: MathTree): string => text + children.map(textOf).join('');

const is =
  (characters: RegExp) =>
  (node: MathTree): boolean =>
    (node.type === 'mo' || node.type === 'mi') && characters.test(textOf(node));

const opens = is(/^[([{⟨⌊⌈⟦]$/u);
const closes = is(/^[)\]}⟩⌋⌉⟧!%.?]$/u);

/** Returns whether a node is an opening bracket, or a bar in front of its content. */
export const isOpener = (node: MathTree): boolean =>
  opens(node) || (node.type === 'mo' && node.attributes?.fence === 'true' && node.attributes.form === 'prefix');

/** Returns whether a node is a closing bracket (also an empty one), or a sign after its operand. */
export const isCloser = (node: MathTree): boolean =>
  closes(node) || (node.type === 'mo' && node.attributes?.fence === 'true' && node.attributes.form === 'postfix');

export const isSeparator = is(/^[,;]$/u);

export const isRelation = is(/^[=<>≠≈≡≃∼≅≤≥⩽⩾≪≫∈∉∋⊂⊃⊆⊇⊄∝⊥∥≔:←-⇿⟰-⟿]$/u);

/** Returns whether a text begins with a sum, product, integral or another large operator, also one with limits. */
export const isLargeOperator = (text: string): boolean => /^[∑∏∐∫∬∭∮∯⋃⋂⨁⨂⋁⋀]/u.test(text);

/** Signs of multiplication: their operands count as one product. */
export const isProduct = is(/^[×·⋅∗*∘]$/u);

/** Division signs; temml treats them as letters. */
const divides = is(/^[/÷]$/u);

/** Returns whether a node is a binary or prefix operator that is read; invisible ones, such as function application, are not. */
export const isOperator = (node: MathTree): boolean =>
  divides(node) ||
  (node.type === 'mo' &&
    /^[^\u2061-\u2064,;.|′″!%]$/u.test(textOf(node)) &&
    !isOpener(node) &&
    !isCloser(node) &&
    !isLargeOperator(textOf(node)));
