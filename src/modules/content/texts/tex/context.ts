import type { Macros } from '../macros/macros.ts';
import type { TheoremKind } from './definitions.ts';
import type { ExpandedText } from './expand.ts';
import type { Formulas } from './formulas.ts';
import type { HiddenParts } from './hidden.ts';
import type { TexNode } from './nodes.ts';
import type { Numbers } from './numbers.ts';
import type { TexReport } from './report.ts';
import type { TexFiles } from './tex-files.ts';

/** What the reading of one document shares. */
export interface TexContext {
  readonly document: Document;
  readonly source: ExpandedText;
  readonly hidden: HiddenParts;
  readonly macros: Macros;
  readonly theorems: ReadonlyMap<string, TheoremKind>;
  readonly numbers: Numbers;
  /** Whether the class of the document writes no numbers before headings. */
  readonly isUnnumbered: boolean;
  readonly formulas: Formulas;
  readonly report: TexReport;
  readonly files: TexFiles;
  /** Footnotes in the order of their references. */
  readonly notes: TexNote[];
  /** Reference in the text of the footnote that is read; null outside of footnotes. */
  noteReference: Element | null;
  /** Paths of pictures by element. */
  readonly pictures: Map<Element, Picture>;
  /** Names that `\ref` and the like refer to, by the element in their place. */
  readonly references: Map<Element, Reference>;
  /** Number of blocks so far. */
  blocks: number;
  /** Title of the document; null until it is found. */
  title: readonly TexNode[] | null;
  /** Title of the exercise at the current place, for its correction. */
  exercise: string;
}

export interface TexNote {
  readonly content: Element;
  /** Holds the number, in the text or in another note. */
  readonly mark: Element;
  /** The reference in the text: of a note within a note, that of the outer one. */
  readonly reference: Element;
}

interface Picture {
  readonly path: string;
  /** Width in CSS pixels; null for the picture's own. */
  readonly width: number | null;
  /** Factor of the picture's own size. */
  readonly scale: number;
}

interface Reference {
  readonly key: string;
  readonly line: number;
  /** Written around the number. */
  readonly before: string;
  readonly behind: string;
}
