/** A part of a TeX text. `at` and `end` are offsets in it. */
export type TexNode = TextNode | SignNode | CommandNode | GroupNode | EnvironmentNode | FormulaNode | BreakNode;

interface Place {
  readonly at: number;
  readonly end: number;
}
interface TextNode extends Place {
  readonly kind: 'text';
  readonly text: string;
}
/** A bracket, which may hold an optional argument, or the sign between two cells. */
interface SignNode extends Place {
  readonly kind: 'sign';
  readonly text: '[' | ']' | '&';
}
export interface CommandNode extends Place {
  readonly kind: 'command';
  /** Without its backslash. */
  readonly name: string;
}
interface GroupNode extends Place {
  readonly kind: 'group';
  readonly children: readonly TexNode[];
}
export interface EnvironmentNode extends Place {
  readonly kind: 'environment';
  readonly name: string;
  readonly children: readonly TexNode[];
}
export interface FormulaNode extends Place {
  readonly kind: 'formula';
  /** What stands between its delimiters, or in its environment. */
  readonly latex: string;
  /** Name of its environment; null for one between delimiters. */
  readonly environment: string | null;
  readonly displayed: boolean;
}
/** The end of a paragraph. */
interface BreakNode extends Place {
  readonly kind: 'break';
}
