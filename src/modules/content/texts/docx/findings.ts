import type { ListPlace } from './numbering.ts';
import type { Role } from './styles.ts';

// Mammoth carries text, emphasis, links and tables. What it has no place for goes around it: a bookmark stands in the text where each of these
// belongs, and afterwards says which it was.

export interface ParagraphFinding {
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

export interface PictureFinding {
  /** The part that holds it, or its address on another site. */
  readonly part: string;
  readonly isRemote: boolean;
  readonly alt: string;
  /** CSS pixels as the document shows it, null when it does not say. */
  readonly width: number | null;
}

export interface EquationFinding {
  readonly latex: string;
  readonly isDisplayed: boolean;
  /** Its characters without structure, for when the LaTeX cannot be shown. */
  readonly text: string;
}

export interface Findings {
  readonly paragraphs: ParagraphFinding[];
  readonly pictures: PictureFinding[];
  readonly equations: EquationFinding[];
  /** Addresses by the id that stands for them in the text. */
  readonly links: Map<string, string>;
  /** Combinations of colours, and code, that runs have. */
  readonly looks: Map<string, readonly string[]>;
}

export const noFindings = (): Findings => ({ paragraphs: [], pictures: [], equations: [], links: new Map(), looks: new Map() });

/** Bookmarks by what they stand for: a paragraph, a picture, an equation, a line across, a column's width. */
export const MARK = { paragraph: 'p', picture: 'i', equation: 'e', rule: 'h', width: 'w' } as const;

export const bookmark = (kind: keyof typeof MARK, index: number): string => `<w:bookmarkStart w:id="0" w:name="${MARK[kind]}-${index}"/>`;

// biome-ignore lint/suspicious/noControlCharactersInRegex: no XML holds them
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escapeXml = (text: string): string =>
  text.replace(FORBIDDEN, '').replace(/[&<>"]/g, (character) => ESCAPES[character] as string);
