import { Fragment, type Node, Slice } from 'prosemirror-model';
import { isWritable, MAX_LATEX_LENGTH } from '../bounds.ts';
import { richTextSchema } from '../schema.ts';
import { finderOf, type Span, type TextQuery } from './query.ts';

/** A match in a document: positions in it. In a formula, `latex` is the part of its LaTeX, and the positions are the whole formula's. */
export interface Match extends Span {
  latex?: Span;
}

/** Signs before and after a match in an excerpt. */
const around = 40;

/** A match with the text before and after it in its block. */
export interface Excerpt {
  before: string;
  found: string;
  after: string;
}

interface Scope {
  /** Whether remarks and explanations of questions are searched: they belong to the questions' keys. */
  withKeys?: boolean;
}

const ofKeys = new Set(['question_remark', 'question_explanation']);

/** Returns the matches of a query in a document, in its order. A match lies in one block and contains no formula, picture or line break. */
export function findMatches(doc: Node, query: TextQuery, { withKeys = true }: Scope = {}): Match[] {
  const find = finderOf(query);
  const matches: Match[] = [];
  doc.descendants((node, pos) => {
    if (!withKeys && ofKeys.has(node.type.name)) return false;
    if (query.formulas && typeof node.attrs.latex === 'string') {
      for (const latex of find(node.attrs.latex)) matches.push({ from: pos, to: pos + node.nodeSize, latex });
      return false;
    }
    if (!node.isTextblock) return true;
    for (const { from, to } of find(textOf(node))) matches.push({ from: pos + 1 + from, to: pos + 1 + to });
    return query.formulas;
  });
  return query.formulas
    ? matches.sort((one, other) => one.from - other.from || (one.latex?.from ?? 0) - (other.latex?.from ?? 0))
    : matches;
}

/** Returns the text of a block; each formula, picture and line break is one sign that no query contains. */
const textOf = (block: Node): string => block.textBetween(0, block.content.size, undefined, '\ufffc');

/** Returns a match as a list shows it. */
export function excerptOf(doc: Node, { from, to, latex }: Match): Excerpt {
  const place = doc.resolve(from);
  if (latex) {
    const source = String(doc.nodeAt(from)?.attrs.latex ?? '');
    return cut(source, latex);
  }
  const start = place.start();
  return cut(textOf(place.parent), { from: from - start, to: to - start });
}

function cut(text: string, { from, to }: Span): Excerpt {
  const readable = (part: string) => part.replaceAll('\ufffc', '…').toWellFormed();
  const [first, last] = [Math.max(0, from - around), Math.min(text.length, to + around)];
  return {
    before: (first > 0 ? '…' : '') + readable(text.slice(first, from)),
    found: readable(text.slice(from, to)),
    after: readable(text.slice(to, last)) + (last < text.length ? '…' : ''),
  };
}

/** Returns what replaces a part of a document; null where the result would be no valid formula. */
export function replacementFor(doc: Node, match: Match, text: string): Slice | null {
  const { from, latex } = match;
  const node = doc.nodeAt(from);
  if (!node) return null;
  if (latex) {
    const written = node.attrs.latex.slice(0, latex.from) + text + node.attrs.latex.slice(latex.to);
    if (written.trim() === '' || written.length > MAX_LATEX_LENGTH || !isWritable(written)) return null;
    return new Slice(Fragment.from(node.type.create({ ...node.attrs, latex: written }, null, node.marks)), 0, 0);
  }
  return new Slice(text === '' ? Fragment.empty : Fragment.from(richTextSchema.text(text, node.marks)), 0, 0);
}

/**
 * Returns the document with each match replaced. The replacement has the marks of the first sign that it replaces.
 * @param text without line breaks
 */
export function replaceMatches(doc: Node, matches: readonly Match[], text: string): Node {
  let replaced = doc;
  // From the end: the positions before a match stay.
  for (const match of [...matches].reverse()) {
    const slice = replacementFor(replaced, match, text);
    if (slice) replaced = replaced.replace(match.from, match.to, slice);
  }
  return replaced;
}
