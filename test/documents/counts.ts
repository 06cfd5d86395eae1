/** Numbers counted in a source document and in the result of its import. */
export interface Counts {
  readonly headings: number;
  /** Number of items by their list depth, from 1. */
  readonly listItems: Readonly<Record<number, number>>;
  readonly cells: number;
  readonly images: number;
  /** Number of linked text ranges. */
  readonly links: number;
  /** Number of characters, without spaces, that are bold, italic, underlined, struck through, superscript or subscript. */
  readonly emphasis: number;
  readonly equations: number;
  /** Number of characters of text, without spaces; undefined when they are not compared. */
  readonly text?: number;
}

/** Returns counts to add to. */
export function noCounts() {
  return {
    headings: 0,
    listItems: {} as Record<number, number>,
    cells: 0,
    images: 0,
    links: 0,
    emphasis: 0,
    equations: 0,
    text: 0,
  };
}
