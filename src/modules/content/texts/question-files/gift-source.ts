// The signs of GIFT: escapes, formulas that forgot them, chunks between blank lines.

/** First of the private characters that stand for escaped signs while a file is read. */
const hidden = 0xe100;
const SIGNS = ['~', '=', '#', '{', '}', ':', '\\', '\n', '%', '>'];
const HIDDEN = /[\ue100-\ue10f]/g;
const hide = (sign: string): string => String.fromCharCode(hidden + SIGNS.indexOf(sign));
/** Returns text with its escaped signs as plain signs. */
export const shownSigns = (text: string): string => text.replaceAll(HIDDEN, (sign) => SIGNS[sign.charCodeAt(0) - hidden] ?? sign);

/** LaTeX commands that begin with n: in a file that escapes no backslash, `\ne` is a command and no new line. */
const COMMAND =
  /^(?:e(?:q|g|arrow|xists|wline)?|u|abla|ot(?:in)?|i|mid|leq|geq|parallel|subseteq|olimits|onumber|atural|warrow|earrow)(?![a-z])/;

/** Returns a file with escaped signs hidden, and those inside formulas, which need no escape here. */
export function hideSigns(text: string): string {
  const escapesBackslashes = text.includes('\\\\');
  const source = text.replaceAll(/[\ue100-\ue10f]/g, '').replaceAll(/\\([~=#{}:\\]|n)/g, (whole, sign: string, at: number) => {
    if (sign !== 'n') return hide(sign);
    return !escapesBackslashes && COMMAND.test(text.slice(at + 2, at + 14)) ? whole : hide('\n');
  });
  const slash = `[\\\\${hide('\\')}]`;
  const formulas = new RegExp(
    `${slash}\\((?:[^\\n]|\\n(?!\\s*\\n)){0,1000}?${slash}\\)|${slash}\\[(?:[^\\n]|\\n(?!\\s*\\n)){0,1000}?${slash}\\]|\\$\\$(?:[^$\\n]|\\n(?!\\s*\\n)){1,1000}?\\$\\$|\\$(?![\\s$])(?:[^$\\n:]|:(?!:)){1,300}?(?<!\\s)\\$(?!\\d)`,
    'g',
  );
  return source.replaceAll(formulas, (formula) =>
    // Between two amounts in dollars stand answers, no formula.
    formula.startsWith('$') && /[\s?:.]\{\s*[=~#]/.test(formula) ? formula : formula.replaceAll(/[~=#{}:%>]/g, hide),
  );
}

export interface Chunk {
  /** Line of its first character, from 1 on. */
  readonly line: number;
  readonly text: string;
  /** Comments before it, without `//`. */
  readonly comments: readonly string[];
}

/** Returns the questions of a file: text between blank lines that are not within braces. Category lines stand alone. */
export function chunksOf(source: string): Chunk[] {
  const chunks: Chunk[] = [];
  let lines: string[] = [];
  let comments: string[] = [];
  let start = 1;
  let depth = 0;
  const close = (): void => {
    if (lines.length > 0) chunks.push({ line: start, text: lines.join('\n'), comments });
    if (lines.length > 0) comments = [];
    lines = [];
    depth = 0;
  };
  const all = source.split('\n');
  for (const [index, line] of all.entries()) {
    if (/^\s*\/\//.test(line)) {
      comments.push(shownSigns(line.trim().slice(2).trim()));
      continue;
    }
    if (/^\s*\$CATEGORY\s*:/.test(line)) {
      close();
      start = index + 1;
      lines.push(line);
      close();
      continue;
    }
    // A question that begins before the braces of the last one are closed has a name of its own.
    if (line.trim() === '' && (depth <= 0 || /^\s*(?:::|\$CATEGORY|$)/.test(all[index + 1] ?? ''))) {
      close();
      continue;
    }
    if (lines.length === 0) start = index + 1;
    lines.push(line);
    depth += (line.match(/\{/g)?.length ?? 0) - (line.match(/\}/g)?.length ?? 0);
  }
  close();
  return chunks;
}
