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

interface EquationSource {
  /** Plain characters; '' for an equation of MathType. */
  readonly characters: string;
  /** Returns the picture of an equation of MathType, and names it as unreadable. */
  readonly picture: (() => readonly Element[]) | null;
}

/** What the last steps of an import need of a document, whatever its format. */
export type TextFacts = Pick<Reading, 'document' | 'remarks' | 'paragraphs' | 'pictures' | 'equations' | 'references' | 'unknownSymbols'>;

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
  /** What replaces each equation if its LaTeX cannot be rendered: its plain characters, or its picture. */
  readonly equations: Map<Element, EquationSource>;
  /** Returns the storage of an embedded equation; null when it is missing or too large. */
  readonly storage: (part: string) => Buffer | null;
  /** Where the equations of MathType are that could not be read. */
  readonly unreadEquations: string[];
  /** The note of each reference. */
  readonly references: Map<Element, Element>;
  /** Unknown characters of symbol fonts, each with its font. */
  readonly unknownSymbols: Set<string>;
}
