import { base, braced, joinRow, script } from '../../../../shared/omml/join.ts';
import { type RunStyle, runLatex } from '../../../../shared/omml/run.ts';
import { styledCharacter } from './characters.ts';
import { UnreadableEquation } from './compound-file.ts';
import { type CharRecord, Selector as S, type Slot, type TemplateRecord } from './records.ts';
import { matrixLatex, pileLatex } from './tables.ts';
import { templateLatex } from './templates.ts';

/** Longest LaTeX of one part of an equation, in characters: some commands write their content more than once. */
const maxLatex = 20_000;

const PRIMES: Readonly<Record<number, string>> = { 5: "'", 6: "''", 18: "'''" };
/** Commands around a character by the number of its embellishment. */
const EMBELLISHMENTS: Readonly<Record<number, string>> = {
  2: '\\dot',
  3: '\\ddot',
  4: '\\dddot',
  8: '\\tilde',
  9: '\\hat',
  10: '\\not',
  11: '\\vec',
  12: '\\overleftarrow',
  13: '\\overleftrightarrow',
  14: '\\overrightharpoon',
  15: '\\overleftharpoon',
  16: '\\sout',
  17: '\\bar',
  19: '\\overparen',
  20: '\\breve',
  21: '\\xcancel',
  22: '\\cancel',
  23: '\\bcancel',
  24: '\\ddddot',
  25: '\\underset{.}',
  26: '\\underset{..}',
  27: '\\underset{...}',
  28: '\\underset{....}',
  29: '\\underline',
  30: '\\utilde',
  31: '\\underset{\\frown}',
  32: '\\underset{\\smile}',
  33: '\\underrightarrow',
  34: '\\underleftarrow',
  35: '\\underleftrightarrow',
  36: '\\underset{\\rightharpoonup}',
  37: '\\underset{\\leftharpoonup}',
};
const NOT = 10;
const BACK_PRIME = 7;

/** Returns LaTeX for records side by side. @throws UnreadableEquation when a record has no LaTeX */
export function slotLatex(slot: Slot): string {
  const row = new Row();
  for (const record of slot) {
    if (record.type === 'char') row.character(record);
    else if (record.type === 'pile') row.piece(pileLatex(record, slotLatex));
    else if (record.type === 'matrix') row.piece(matrixLatex(record, slotLatex));
    else if (isScript(record)) row.script(record);
    else row.piece(templateLatex(record, slotLatex));
  }
  // Authors type spaces at the end of lines, which nobody sees.
  const latex = row.latex().replace(/(?:\\[;:, ]|\\q?quad|~)+$/, '');
  if (latex.length > maxLatex) throw new UnreadableEquation('too long');
  return latex;
}

const isScript = ({ selector }: TemplateRecord): boolean => selector === S.sub || selector === S.sup || selector === S.subsup;

/** Collects the pieces of a row. Neighbouring characters of one style are written together: digits as a number, letters as a name. */
class Row {
  readonly #pieces: string[] = [];
  #text = '';
  #style: RunStyle | null = null;
  #isFunction = false;

  character(record: CharRecord): void {
    const { text, style } = styledCharacter(record);
    if (text === '') return;
    const isName = record.typeface === 2 && /^[A-Za-z]$/.test(text);
    if (record.embellishments.length > 0) {
      this.#end();
      this.piece(embellished(record, runLatex(text, style, false)));
      return;
    }
    const own = written(style, text, this.#style);
    if (!this.#style || !isSame(own, this.#style) || isName !== this.#isFunction || (isName && record.startsFunction)) this.#end();
    this.#style = own;
    this.#isFunction = isName;
    this.#text += text;
  }

  piece(latex: string): void {
    this.#end();
    if (latex !== '') this.#pieces.push(latex);
  }

  /** Adds a sub- or superscript to what stands before it, or, if it precedes its base, to nothing. */
  script({ selector, variation, slots }: TemplateRecord): void {
    this.#end();
    const [first, second] = [slotLatex(slots[0] ?? []), slotLatex(slots[1] ?? [])];
    const [sub, sup] = selector === S.subsup ? [first, second] : selector === S.sub ? [first || second, ''] : ['', second || first];
    const scripts = joinRow([sub === '' ? '' : script('_', sub), sup === '' ? '' : script('^', sup)]);
    if (scripts === '') return;
    const before = (variation & 1) === 0 ? this.#pieces.pop() : undefined;
    if (before === undefined) this.#pieces.push(`{}${scripts}`);
    else this.#pieces.push(...carrying(before, scripts));
  }

  latex(): string {
    this.#end();
    return joinRow(this.#pieces);
  }

  #end(): void {
    if (this.#text === '' || !this.#style) return;
    const text = this.#text;
    const isWord = this.#isFunction && text.length > 1;
    // A single upright letter is mathematics, as the d of an integral.
    const isLetter = this.#style.isText && /^[A-Za-z]$/.test(text);
    const style: RunStyle = isLetter ? { ...this.#style, isText: false, weight: 'p' } : this.#style;
    // Letters of a run may carry a script: each is a piece of its own.
    const latex = runLatex(text, style, isWord);
    this.#pieces.push(...(isWord || style.isText || style.weight !== 'i' || style.alphabet !== 'roman' ? [latex] : split(text, style)));
    this.#text = '';
    this.#style = null;
    this.#isFunction = false;
  }
}

/** Returns the last piece before scripts, with them. */
function carrying(before: string, scripts: string): string[] {
  if (/^['^_]/.test(scripts) && /[_^](?:[A-Za-z0-9]|\{.*\})$/s.test(before)) return [`${braced(before)}${scripts}`];
  // Brackets and signs carry their scripts themselves.
  const isSign = /^(?:[^A-Za-z0-9\\]|\\[^A-Za-z])$/.test(before) || /^\\(?:sum|prod|int|iint|iiint|oint|lim|max|min|sup|inf)$/.test(before);
  return [`${isSign ? before : base(before)}${scripts}`];
}

/** Splits a run so that its last letter or number stands alone. */
function split(text: string, style: RunStyle): string[] {
  const last = /(?:\p{Nd}+(?:[.,]\p{Nd}+)*|[\s\S])$/u.exec(text)?.[0] ?? text;
  const rest = text.slice(0, text.length - last.length);
  // The last piece of a run is written alone only if it can be: a comma needs the digits beside it.
  return [rest === '' ? '' : runLatex(rest, style, false), runLatex(last, style, false)].filter((piece) => piece !== '');
}

/** Returns the style in which a character is written: signs and digits take the style of mathematics, or of the text around them. */
function written(style: RunStyle, text: string, before: RunStyle | null): RunStyle {
  // The comma of a number may be typed as text.
  if (style.isText) return before && !before.isText && /^[.,]$/.test(text) ? before : style;
  if (/^\s$/.test(text) && before?.isText) return before;
  const isPlain = /^(?:[^\p{L}\p{Nd}]|\p{Nd})$/u.test(text) && style.alphabet === 'roman';
  return isPlain && style.weight === 'p' ? { ...style, weight: 'i' } : style;
}

const isSame = (one: RunStyle, other: RunStyle): boolean =>
  one.weight === other.weight && one.alphabet === other.alphabet && one.isText === other.isText;

function embellished({ embellishments }: CharRecord, letter: string): string {
  let latex = letter;
  let primes = '';
  let before = '';
  for (const embellishment of embellishments) {
    const prime = PRIMES[embellishment];
    if (prime) primes += prime;
    else if (embellishment === BACK_PRIME) before = '{}^{\\backprime}';
    else {
      const command = EMBELLISHMENTS[embellishment];
      if (command === undefined) throw new UnreadableEquation(`embellishment ${embellishment}`);
      latex = embellishment === NOT && /^\\[A-Za-z]+$|^[=<>]$/.test(latex) ? `\\not${latex}` : `${command}${braced(latex)}`;
    }
  }
  return `${before}${latex}${primes}`;
}
