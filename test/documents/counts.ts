/** What is counted of a document, in its source and in what it became. */
export interface Counts {
  readonly headings: number;
  /** Items by how many lists they are in, from 1. */
  readonly listItems: Readonly<Record<number, number>>;
  readonly cells: number;
  readonly images: number;
  /** Stretches of text with one address. */
  readonly links: number;
  /** Characters, without spaces, that are bold, italic, underlined, struck, raised or lowered. */
  readonly emphasis: number;
  readonly equations: number;
  /** Characters of text, without spaces; where they are not counted, nothing is said of them. */
  readonly text?: number;
}
