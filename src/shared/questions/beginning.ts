import { escapeText, unescapeHtml } from '../escapes.ts';
import { loweredDigits, raisedDigits, readableFormula } from './readable-formula.ts';

// Canonical HTML quotes every attribute, and escapes < and > everywhere.
const parts =
  /<(?:span|div) class="formula(?:-block)?"(?: data-latex="([^"]*)")?[^>]*>(<math[\s\S]*?<\/math>)<\/(?:span|div)>|<(su[bp])>([^<]*)<\/\3>|<img(?: [^>]*)?>|<[^>]*>|[^<]+/g;

interface Writing {
  text: (text: string) => string;
  /** A subscript or superscript. */
  script: (tag: string, text: string) => string;
  formula: (mathml: string, latex: string) => string;
}

/** HTML within a line. */
const asHtml: Writing = {
  text: escapeText,
  script: (tag, text) => `<${tag}>${escapeText(text)}</${tag}>`,
  formula: (mathml) => `<span class="formula">${mathml.replace(' display="block"', '')}</span>`,
};

/** Formulas as the LaTeX that the author typed. */
const asText: Writing = { text: (text) => text, script: (_tag, text) => text, formula: (_mathml, latex) => `$${latex}$` };

/** Text for messages: digits of sub- and superscripts, and simple formulas, by their characters; other formulas are left out. */
const asMessage: Writing = {
  text: (text) => text,
  script: (tag, text) => (/^\d+$/.test(text) ? (tag === 'sup' ? raisedDigits : loweredDigits)(text) : text),
  formula: (_mathml, latex) => readableFormula(latex) ?? '…',
};

/**
 * Returns the beginning of a statement or choice as HTML within a line: words, formulas, and pictures by their alternative text.
 * @param html canonical HTML @param length most characters; the text of a formula counts
 */
export const beginningOf = (html: string, length: number): string => write(html, length, asHtml);

/** Returns the same beginning as plain text, with formulas as `$LaTeX$`. @param html canonical HTML as stored */
export const plainBeginningOf = (html: string, length: number): string => write(html, length, asText);

/** Returns the same beginning as text that a message can hold. @param html canonical HTML as stored */
export const readableBeginningOf = (html: string, length: number): string => write(html, length, asMessage);

function write(html: string, length: number, { text, script, formula }: Writing): string {
  let written = '';
  let rest = length;
  for (const [part, latex = '', mathml, tag, raised = ''] of html.matchAll(parts)) {
    if (rest <= 0 && (mathml ?? tag)) return `${written.trimEnd()}…`;
    if (mathml !== undefined) {
      written += formula(mathml, unescapeHtml(latex));
      rest -= unescapeHtml(mathml.replaceAll(/<[^>]*>/g, '')).length;
      continue;
    }
    if (tag !== undefined) {
      written += script(tag, unescapeHtml(raised));
      rest -= raised.length;
      continue;
    }
    const words = unescapeHtml(part.startsWith('<') ? insteadOf(part) : part).replaceAll(/[ \t\n]+/g, ' ');
    const next = written === '' || written.endsWith(' ') ? words.trimStart() : words;
    if (next.trim() !== '' && next.length > rest)
      return `${written}${text(next.slice(0, Math.max(rest, 0)).replace(/\s\S*$/, ''))}`.trimEnd().concat('…');
    written += text(next);
    rest -= next.length;
  }
  return written.trim();
}

const inline = /^<\/?(?:strong|em|u|s|sub|sup|a|code|span)[ >]/;

/** Returns what stands for a tag in a line of text: a picture's description, a space between blocks. */
function insteadOf(tag: string): string {
  if (!tag.startsWith('<img')) return inline.test(tag) ? '' : ' ';
  const [, alt = ''] = / alt="([^"]*)"/.exec(tag) ?? [];
  return alt === '' ? '[image]' : `[image : ${alt}]`;
}
