import type { Remarks } from '../remarks.ts';
import type { ListPlace, Numbering } from './numbering.ts';
import type { Role, Styles } from './styles.ts';

/** The properties of a Word paragraph that the schema can represent. */
export interface ParagraphShape {
  readonly role: Role;
  /** Level of a heading, 1 to 9. */
  readonly level: number;
  readonly align: 'center' | 'right' | 'justify' | null;
  /** Indentation from the margin, in twentieths of a point. */
  readonly left: number;
  readonly isRightToLeft: boolean;
  readonly list: ListPlace | null;
  /** Whether its style is meant for text below a list item. */
  readonly isListText: boolean;
}

export interface PictureSource {
  /** Name of the part that refers to the picture. */
  readonly part: string;
  /** Displayed width in CSS pixels; null when the document does not give one. */
  readonly width: number | null;
}

/** Data shared by the readers of one document's parts, and facts about the elements created from them. */
export interface Reading {
  /** The document that creates the elements. */
  readonly document: Document;
  readonly styles: Styles;
  readonly numbering: Numbering;
  readonly remarks: Remarks;
  /** The document's notes, by keys such as `footnote 2`. Each value is a list item that receives the note's text. */
  readonly notes: ReadonlyMap<string, Element>;
  readonly paragraphs: Map<Element, ParagraphShape>;
  /** Pictures of the file, by the `img` element whose address is not set yet. */
  readonly pictures: Map<Element, PictureSource>;
  /** The plain characters of each equation, used when its LaTeX cannot be rendered. */
  readonly equations: Map<Element, string>;
  /** The note of each reference. */
  readonly references: Map<Element, Element>;
  /** Unknown characters of symbol fonts, each with its font. */
  readonly unknownSymbols: Set<string>;
}
