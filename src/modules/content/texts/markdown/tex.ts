import { trimmedLatex } from '../../../../shared/formulas/trimmed-latex.ts';

// Recognises formulas in a text by pandoc's rules for dollars, and by TeX's own delimiters.

export interface Formula {
  /** The formula as written, including its delimiters. */
  readonly source: string;
  readonly latex: string;
  readonly displayed: boolean;
}

/** Longest formula in characters. */
export const reach = 5_000;

const BLANK_LINE = /\n[ \t]*\n/;
/** Text commands, such as `\text{…}`, in which dollars open an inner formula. */
const WORDS = /\\(?:text|textrm|textbf|textit|textsf|texttt|mbox|hbox|intertext)\s*\{/y;
const ENVIRONMENT =
  /^\\begin\{((?:equation|align|aligned|alignat|alignedat|gather|gathered|multline|eqnarray|flalign|split|array|d?cases|rcases|math|displaymath|(?:small|[bpvBV])?matrix)\*?)\}/;

/** Number of characters before a possible formula that are examined to decide whether it is one. */
export const nearby = 20;

/**
 * Returns the formula at the start of a text, if there is one: `$…$` with no space inside the dollars and no digit behind them,
 * `$$…$$`, `\(…\)`, `\[…\]` or an environment.
 * A formula never spans a blank line. A dollar after an amount, or in its own brackets, is money.
 * @param text the source from the formula's first character on
 * @param before the characters before it on the same line, or the last of them
 */
export function formulaAt(text: string, before = ''): Formula | undefined {
  if (/^\$\$/.test(text)) return between(text, '$$', '$$');
  if (text.startsWith('$')) return inline(text, before);
  if (text.startsWith('\\(')) return between(text, '\\(', '\\)');
  if (text.startsWith('\\[')) {
    const found = between(text, '\\[', '\\]');
    const isAlone = before.trim() === '' && found !== undefined && /^[ \t]*(?:\n|$)/.test(text.slice(found.source.length));
    return found && isTex(found.latex, isAlone) ? found : undefined;
  }
  return environment(text);
}

function inline(text: string, before: string): Formula | undefined {
  if (/^\$[ \t]/.test(text)) return spaced(text, before);
  if (!/^\$[^\s$]/.test(text)) return undefined;
  let end = 1;
  for (; end < text.length && text[end] !== '$'; end += 1) {
    if (end > reach) return undefined;
    if (text[end] === '\n' && /^[ \t]*\n/.test(text.slice(end + 1, end + 100))) return undefined;
    if (text[end] !== '\\') continue;
    WORDS.lastIndex = end;
    const words = WORDS.exec(text);
    end = (words && closingBrace(text, end + words[0].length)) || end + 1;
  }
  if (text[end] !== '$' || /\s/.test(text[end - 1] as string)) return undefined;
  const inside = text.slice(1, end);
  if (/\d/.test(text[end + 1] ?? '') && !COMMAND.test(inside)) return undefined;
  if (isMoney(before, inside)) return undefined;
  // GitLab and GitHub write formulas as $`…`$.
  const [, quoted = inside] = /^`([^`]+)`$/.exec(inside) ?? [];
  return { source: text.slice(0, end + 1), latex: onOneLine(quoted), displayed: false };
}

const COMMAND = /\\[A-Za-z]/;
const AMOUNT = /\d\s?(?:[kM]|US|CA)?$|(?<!\p{L})(?:US|CA)$/u;

/** Returns whether two dollars belong to prices, as in "(5$) et (6$)". Pandoc would read a formula between them. */
function isMoney(before: string, inside: string): boolean {
  if (/[("'«]$/.test(before) && /^[)"'»]/.test(inside)) return true;
  return (
    AMOUNT.test(before) &&
    !/[\\^{}]|(?:^|\S)_/.test(inside) &&
    (AMOUNT.test(inside) || (/^[,;:.!?)\]/*"'’»]/.test(inside) && /\p{L}{2}/u.test(inside)))
  );
}

/** Returns a formula written as `$ x $`, which some editors accept: on one line, not after an amount, with only mathematics inside. */
function spaced(text: string, before: string): Formula | undefined {
  const [source, latex] = /^\$[ \t]{1,3}([^\s$](?:[^$\n]{0,500}[^\s$])?)[ \t]{1,3}\$(?!\d)/.exec(text) ?? [];
  if (source === undefined || latex === undefined || AMOUNT.test(before.trimEnd())) return undefined;
  const words = latex.replaceAll(/\\(?:[A-Za-z]+(?:\{[^{}]*\})?|.)/g, ' ');
  const isMathematics = !/\p{L}{2}/u.test(words) && (COMMAND.test(latex) || /^[A-Za-z]/.test(latex));
  return isMathematics ? { source, latex, displayed: false } : undefined;
}

/** Returns the offset of the closing brace; 0 when there is none in the same paragraph. */
function closingBrace(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < Math.min(text.length, from + 1_000); at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '{') depth += 1;
    else if (text[at] === '}') depth -= 1;
    else if (text[at] === '\n' && /^[ \t]*\n/.test(text.slice(at + 1, at + 100))) return 0;
    if (depth === 0) return at;
  }
  return 0;
}

function between(text: string, open: string, close: string): Formula | undefined {
  const signs = /\\[\s\S]|\$\$/g;
  signs.lastIndex = open.length;
  let found = signs.exec(text);
  // A second opening sign ends the search, so that unclosed signs do not each cause a search to the end.
  while (found && found.index < reach && found[0] !== close && found[0] !== open) found = signs.exec(text);
  if (found?.[0] !== close || found.index >= reach) return undefined;
  const latex = text.slice(open.length, found.index);
  if (latex.trim() === '' || BLANK_LINE.test(latex)) return undefined;
  const displayed = open !== '\\(';
  return { source: text.slice(0, signs.lastIndex), latex: displayed ? trimmedLatex(latex) : onOneLine(latex), displayed };
}

/** Deepest nesting of environments. */
const maxDepth = 20;

function environment(text: string): Formula | undefined {
  const [, name] = ENVIRONMENT.exec(text.slice(0, 40)) ?? [];
  if (name === undefined) return undefined;
  const signs = new RegExp(`\\\\(begin|end)\\{${name.replace('*', '\\*')}\\}`, 'g');
  let depth = 0;
  for (let found = signs.exec(text); found && found.index < reach && depth < maxDepth; found = signs.exec(text)) {
    depth += found[1] === 'begin' ? 1 : -1;
    if (depth > 0) continue;
    const source = text.slice(0, signs.lastIndex);
    return BLANK_LINE.test(source) ? undefined : { source, latex: source, displayed: true };
  }
  return undefined;
}

/**
 * Returns whether `\[…\]` is a formula: in Markdown `\[` may also be an escaped bracket. Within a sentence only a command or an
 * operator decides.
 */
const isTex = (latex: string, isAlone: boolean): boolean =>
  /\\[A-Za-z]|[\^_=<>+]/.test(latex.replaceAll(/\\[^A-Za-z]/g, '')) || (isAlone && !/\p{L}{2}/u.test(latex));

/** Returns LaTeX on one line. Line breaks within a sentence mean nothing; comments are removed, since they end with their line. */
const onOneLine = (latex: string): string =>
  trimmedLatex(latex.replaceAll(/(?<=(?<!\\)(?:\\\\)*)%[^\n]*\n[ \t]*/g, '').replaceAll(/[ \t]*\n[ \t]*/g, ' '));
