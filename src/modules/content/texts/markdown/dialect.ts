import { Lexer, Marked, type Token, Tokenizer, type TokenizerAndRendererExtension, type Tokens, type TokensList } from 'marked';
import { hiddenFormulaAt } from './hidden-text.ts';
import { hideFormulas } from './hide-formulas.ts';

// Extensions of CommonMark: formulas, notes, and tables that keep surplus cells.

/**
 * Returns the source up to the next blank line, the most that one paragraph can reach. Searching the entire source for each paragraph
 * would take minutes.
 */
function paragraph(source: string): string {
  const end = source.indexOf('\n\n');
  return end === -1 ? source : source.slice(0, end);
}

/** Formulas are hidden before the blocks are parsed; this extension finds them again. */
const formula: TokenizerAndRendererExtension = {
  name: 'formula',
  level: 'inline',
  start: (source) => {
    // Stop at the first sign at which text ends anyway: looking further would search the entire paragraph for each sign.
    const at = source.search(/[$\\<[`*]/);
    return source[at] === '$' ? at : undefined;
  },
  tokenizer: (source) => {
    const found = hiddenFormulaAt(source);
    return found && { type: 'formula', raw: found.raw };
  },
};

/** Matches a note `[^1]: text`. It continues in indented lines, and in lines that start no other block. */
const NOTE =
  /^ {0,3}\[\^([^\]\s]{1,100})\]:[ \t]*([^\n]*(?:\n(?![ \t]*(?:\n|$)|\s{0,3}(?:[#>|<]|`{3}|~{3}|[-*_]{3}|[-*+][ \t]|\d{1,9}[.)][ \t]|\[\^))[^\n]+|(?:\n[ \t]*)*\n(?: {2,}|\t)[^\n]*\S[^\n]*)*)(?:\n|$)/;
const note: TokenizerAndRendererExtension = {
  name: 'note',
  level: 'block',
  start: (source) => /(?:^|\n) {0,3}\[\^[^\]\s]+\]:/.exec(paragraph(source))?.index,
  tokenizer(source) {
    const [raw, id, text] = NOTE.exec(source) ?? [];
    if (raw === undefined || text === undefined) return undefined;
    return { type: 'note', raw, id, tokens: this.lexer.blockTokens(text.replaceAll(/^(?: {1,4}|\t)/gm, ''), []) };
  },
};
const noteReference: TokenizerAndRendererExtension = {
  name: 'noteReference',
  level: 'inline',
  tokenizer: (source) => {
    const [raw, id] = /^\[\^([^\]\s]{1,100})\](?!\()/.exec(source) ?? [];
    return raw === undefined ? undefined : { type: 'noteReference', raw, id };
  },
};

export interface WideTable extends Tokens.Table {
  /** Indices of the rows that have more cells than the header. */
  readonly wide?: readonly number[];
}

/** Maximum number of cells of one table, counted after every row is filled up to the length of the longest row. */
const maxCells = 50_000;

function cellsIn(row: string): number {
  const cells = row.replaceAll(/\\./g, '..').split('|');
  if (cells[0]?.trim() === '') cells.shift();
  if (cells.at(-1)?.trim() === '') cells.pop();
  return cells.length;
}

/** Returns a table line with cells or columns appended. */
const lengthened = (line: string, cell: string, count: number): string =>
  line.trimEnd() + (/(?<!\\)(?:\\\\)*\|\s*$/.test(line) ? '' : '|') + `${cell}|`.repeat(count);

function wideTable(tokenizer: Tokenizer, source: string): WideTable | undefined {
  const [head = '', dashes = ''] = source.split('\n', 2);
  if (!/^[\s|:-]+$/.test(dashes) || !dashes.includes('-')) return undefined;
  const columns = cellsIn(head);
  const end = /\n[ \t]*\n/.exec(source)?.index ?? source.length;
  const rows = source.slice(0, end).split('\n').slice(2);
  if (columns * rows.length > maxCells) return undefined;
  const table = Tokenizer.prototype.table.call(tokenizer, source);
  if (!table) return undefined;
  const counts = rows.slice(0, table.rows.length).map(cellsIn);
  const wide = counts.flatMap((count, index) => (count > columns ? [index] : []));
  const surplus = Math.max(columns, ...wide.map((index) => counts[index] ?? 0)) - columns;
  if (surplus === 0) return table;
  // If the table would be too wide to fill up, or a line only looks like its row, it stays text and nothing is lost.
  if ((columns + surplus) * counts.length > maxCells) return undefined;
  const [, , ...lines] = table.raw.split('\n');
  const widened = [lengthened(head, ' ', surplus), lengthened(dashes, '-', surplus), ...lines].join('\n');
  const all = Tokenizer.prototype.table.call(tokenizer, widened);
  return all && { ...all, raw: table.raw, wide };
}

/** Maximum number of characters between two strike-through signs: the parser looks that far from each sign. */
const maxStruck = 2_000;

const marked = new Marked({
  gfm: true,
  extensions: [formula, note, noteReference],
  tokenizer: {
    table(source) {
      return wideTable(this as unknown as Tokenizer, source);
    },
    // A single tilde is an ordinary character, as in H~2~O.
    del(source, masked, before) {
      if (!/^~~[^\s~]/.test(source)) return undefined;
      const near = source.slice(0, maxStruck);
      const end = masked.slice(masked.length - source.length).slice(0, maxStruck);
      return /[^\s~]~~(?!~)/.test(end) ? Tokenizer.prototype.del.call(this as unknown as Tokenizer, near, end, before) : undefined;
    },
  },
});

/** Addresses of links, by their name in the text. */
export type LinkAddresses = TokensList['links'];

/** Returns the blocks of a text, with hidden formulas (hidden-text.ts). @param links addresses defined elsewhere in the file */
export function lex(source: string, links: LinkAddresses = {}): TokensList {
  const lexer = new Lexer(marked.defaults);
  Object.assign(lexer.tokens.links, links);
  return lexer.lex(hideFormulas(source));
}

/** Calls `visit` for each token, at every depth. */
export function walk(tokens: readonly Token[], visit: (token: Token) => void): void {
  marked.walkTokens([...tokens], (token) => {
    visit(token);
    // Marked concatenates the returned values, copying all earlier ones each time: so return none.
    return [];
  });
}
