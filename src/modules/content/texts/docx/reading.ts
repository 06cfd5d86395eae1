import type { Remarks } from '../remarks.ts';
import type { ListPlace, Numbering } from './numbering.ts';
import type { Role, Styles } from './styles.ts';

/** What Word says of a paragraph, as far as the schema can say it too. */
export interface ParagraphShape {
  readonly role: Role;
  /** Of a heading: 1 to 9. */
  readonly level: number;
  readonly align: 'center' | 'right' | 'justify' | null;
  /** Twentieths of a point from the margin. */
  readonly left: number;
  readonly isRightToLeft: boolean;
  readonly list: ListPlace | null;
  /** Whether its style is that of paragraphs below an item. */
  readonly isListText: boolean;
}

export interface PictureSource {
  /** The part that holds it. */
  readonly part: string;
  /** CSS pixels as the document shows it, null when it does not say. */
  readonly width: number | null;
}

/** What the parts of one document have in common while they are read, and what is known of the elements that were made from them. */
export interface Reading {
  /** Makes the elements of the text. */
  readonly document: Document;
  readonly styles: Styles;
  readonly numbering: Numbering;
  readonly remarks: Remarks;
  /** The notes that exist, as `footnote 2`: items of a list that take in their text. */
  readonly notes: ReadonlyMap<string, Element>;
  readonly paragraphs: Map<Element, ParagraphShape>;
  /** Pictures of the file, by the `img` that waits for an address. */
  readonly pictures: Map<Element, PictureSource>;
  /** The characters of each equation without structure, for when its LaTeX cannot be shown. */
  readonly equations: Map<Element, string>;
  /** What refers to a note, with that note. */
  readonly references: Map<Element, Element>;
  /** Characters of symbol fonts that nobody knows, each once with its font. */
  readonly unknownSymbols: Set<string>;
}
