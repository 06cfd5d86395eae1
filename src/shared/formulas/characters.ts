import type { MathTree } from './markup.ts';

/** The characters of a node. */
export const textOf = ({ text = '', children = [] }: MathTree): string => text + children.map(textOf).join('');

const is =
  (characters: RegExp) =>
  (node: MathTree): boolean =>
    (node.type === 'mo' || node.type === 'mi') && characters.test(textOf(node));

const opens = is(/^[([{⟨⌊⌈⟦]$/u);
const closes = is(/^[)\]}⟩⌋⌉⟧!%.?]$/u);

/** A bracket that opens; a bar where it stands before what it encloses. */
export const isOpener = (node: MathTree): boolean =>
  opens(node) || (node.type === 'mo' && node.attributes?.fence === 'true' && node.attributes.form === 'prefix');

/** A bracket that closes, also none at all, and what follows its operand. */
export const isCloser = (node: MathTree): boolean =>
  closes(node) || (node.type === 'mo' && node.attributes?.fence === 'true' && node.attributes.form === 'postfix');

export const isSeparator = is(/^[,;]$/u);

export const isRelation = is(/^[=<>≠≈≡≃∼≅≤≥⩽⩾≪≫∈∉∋⊂⊃⊆⊇⊄∝⊥∥≔:←-⇿⟰-⟿]$/u);

/** Also of one with something above or below it. */
export const isLargeOperator = (text: string): boolean => /^[∑∏∐∫∬∭∮∯⋃⋂⨁⨂⋁⋀]/u.test(text);

/** Sums and products, whose operands stand beside each other all the same. */
export const isProduct = is(/^[×·⋅∗*∘]$/u);

/** A stroke for a fraction; temml takes it for a letter. */
const divides = is(/^[/÷]$/u);

/** What stands between two operands or before one; function application and the like are nothing that is read. */
export const isOperator = (node: MathTree): boolean =>
  divides(node) ||
  (node.type === 'mo' &&
    /^[^\u2061-\u2064,;.|′″!%]$/u.test(textOf(node)) &&
    !isOpener(node) &&
    !isCloser(node) &&
    !isLargeOperator(textOf(node)));
