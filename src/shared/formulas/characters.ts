import type { MathTree } from './markup.ts';

export const textOf = ({ text = '', children = [] }: MathTree): string => text + children.map(textOf).join('');

const is =
  (characters: RegExp) =>
  (node: MathTree): boolean =>
    (node.type === 'mo' || node.type === 'mi') && characters.test(textOf(node));

const opens = is(/^[([{⟨⌊⌈⟦]$/u);
const closes = is(/^[)\]}⟩⌋⌉⟧!%.?]$/u);

/** Returns whether a node is an opening bracket, or a fence in prefix form, such as the left bar of |x|. */
export const isOpener = (node: MathTree): boolean =>
  opens(node) || (node.type === 'mo' && node.attributes?.fence === 'true' && node.attributes.form === 'prefix');

/** Returns whether a node is a closing bracket, a sign after its operand (n!), or a fence in postfix form, even without text. */
export const isCloser = (node: MathTree): boolean =>
  closes(node) || (node.type === 'mo' && node.attributes?.fence === 'true' && node.attributes.form === 'postfix');

export const isSeparator = is(/^[,;]$/u);

export const isRelation = is(/^[=<>≠≈≡≃∼≅≤≥⩽⩾≪≫∈∉∋⊂⊃⊆⊇⊄∝⊥∥≔:←-⇿⟰-⟿]$/u);

/** Returns whether a text begins with a large operator, such as a sum, product or integral. Its limits may follow. */
export const isLargeOperator = (text: string): boolean => /^[∑∏∐∫∬∭∮∯⋃⋂⨁⨂⋁⋀]/u.test(text);

/** Returns whether a node is a multiplication sign. Its operands form one product. */
export const isProduct = is(/^[×·⋅∗*∘]$/u);

/** Division signs; temml treats them as letters. */
const divides = is(/^[/÷]$/u);

/** Returns whether a node is a visible binary or prefix operator. Function application, for example, is invisible. */
export const isOperator = (node: MathTree): boolean =>
  divides(node) ||
  (node.type === 'mo' &&
    /^[^\u2061-\u2064,;.|′″!%]$/u.test(textOf(node)) &&
    !isOpener(node) &&
    !isCloser(node) &&
    !isLargeOperator(textOf(node)));
