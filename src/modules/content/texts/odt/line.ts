import type { Piece } from '../docx/pieces.ts';

/** The paragraph that is being read. */
export interface Line {
  readonly style: string | null;
  readonly isPlain: boolean;
  readonly isCode: boolean;
  readonly pieces: Piece[];
  /** Blocks that follow the paragraph: the text boxes in it. */
  readonly after: Element[];
  /** Text so far, for remarks. */
  said: string;
  /** Whether the text ends with a space, or nothing has been read: further spaces of the file are layout. */
  isAtSpace: boolean;
}

export interface Around {
  readonly spans: readonly string[];
  readonly link: string | null;
}

/** Returns a paragraph that is still empty. */
export const newLine = (style: string | null, isPlain: boolean, isCode: boolean): Line => ({
  style,
  isPlain,
  isCode,
  pieces: [],
  after: [],
  said: '',
  isAtSpace: true,
});

/** Returns a mark for a horizontal rule. It becomes a rule if its paragraph holds nothing else. */
export function ruleMark(document: Document): Element {
  const mark = document.createElement('a');
  mark.setAttribute('data-role', 'rule');
  return mark;
}

export const isImage = (node: Piece['node']): boolean => typeof node !== 'string' && (node as Element).localName === 'img';
export const isLineBreak = (node: Piece['node']): boolean => typeof node !== 'string' && (node as Element).localName === 'br';
