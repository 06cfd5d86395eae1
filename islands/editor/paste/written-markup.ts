/** Fenced blocks and code spans. Their signs mean nothing. */
const CODE = /^ {0,3}(```+|~~~+)[\s\S]*?(?:^ {0,3}\1|$(?![\s\S]))|`[^`\n]+`/gm;
/** A line of a program. Lines of TeX start with a backslash. */
const CODE_LINE =
  /^\s*(?!\\)(?:.*[;{]|[})\]]+[;,]?|\/\/.*|#(?:include|define|!).*|(?:def|class|return|import|from|const|let|var|function|public|private|static|elif|while|print|echo|SELECT)\b.*|(?:if|for|else|try)\b.*:)\s*$/;
/** Share of code lines from which a text is a program. */
const codeShare = 0.3;

const TEX =
  /\\\([^\n]{1,1000}?\\\)|\\\[[\s\S]{1,1000}?\\\]|\$\$[^$]{1,1000}\$\$|\\begin\{(?:equation|align|gather|multline|cases|[pbvB]?matrix)\*?\}/;
/** Like the editor's rule for typed formulas: amounts have a digit before the sign, a space inside, or a digit after it. */
const DOLLARS = /(?<![\\$\p{L}\p{N}])\$([^\s$](?:(?:[^$\n]|\n(?!\s*\n)){0,1000}?[^\s$\\])?)\$(?![\p{L}\p{N}$])/gu;
const BOLD = /(?<![\p{L}\p{N}*])\*\*(?=[^\s*])[^*\n]{0,300}\p{L}[^*\n]{0,300}(?<=[^\s*])\*\*(?![\p{L}\p{N}*])/u;
const HEADING = /^ {0,3}#{1,6} +[\p{L}\p{N}$*]/mu;
/** The line below the head of a table, without its spaces. */
const TABLE_RULE = /^(?:\|:?-{2,}:?|:?-{2,}:?\|)[|:-]*$/;
const BULLET = /^ *[-*+] +\S/gm;
const NUMBER = /^ *(\d{1,3})[.)] +\S/gm;
/** A choice of a question: such a text is offered as questions. */
const CHOICE = /^[ \t]*\(?[aA][ \t]*[.)]/m;
/** Elements that give a text a format of their own. */
const FORMAT = /<(?:h[1-6]|strong|b|em|i|u|s|sup|sub|ul|ol|table|img|math|pre|code|blockquote|a)[\s>/]/i;

/** Number of characters that are searched, from the start: the cost may grow with the square of a line's length. */
const searched = 20_000;

/**
 * Returns whether a plain text seems to be written in Markdown or to hold TeX: formulas, bold, headings, tables or lists. Programs, amounts
 * and signatures do not.
 */
export function looksFormatted(source: string): boolean {
  const text = source.slice(0, searched).replaceAll('\r\n', '\n').replaceAll(CODE, '');
  if (isProgram(text)) return false;
  return hasFormula(text) || BOLD.test(text) || HEADING.test(text) || hasTable(text) || hasList(text);
}

/** Returns whether pasted HTML shows a format, or comes from our editor: its text is not Markdown then. */
export const isFormattedHtml = (html: string): boolean => FORMAT.test(html) || html.includes('data-pm-slice');

function isProgram(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.filter((line) => CODE_LINE.test(line)).length > lines.length * codeShare;
}

function hasFormula(text: string): boolean {
  if (TEX.test(text)) return true;
  for (const [, latex = ''] of text.matchAll(DOLLARS)) if (/[\\^_=+*/<>|{}()-]/.test(latex) || /^\p{L}.{0,2}$/u.test(latex)) return true;
  return false;
}

function hasTable(text: string): boolean {
  const lines = text.split('\n');
  return lines.some((line, index) => lines[index - 1]?.includes('|') && TABLE_RULE.test(line.replaceAll(/[ \t]/g, '')));
}

/** Returns whether a text has two bullets, or two numbers that follow each other. */
function hasList(text: string): boolean {
  if ((text.match(BULLET) ?? []).length > 1) return true;
  if (CHOICE.test(text)) return false;
  const numbers = [...text.matchAll(NUMBER)].map(([, number]) => Number(number));
  return numbers.some((number, index) => number === (numbers[index - 1] ?? Number.NaN) + 1);
}
