import type { Node } from 'prosemirror-model';
import { isProse } from '../../../../shared/rich-text/block-text.ts';
import { blocksIn, type Choice, type Choices, choicesAt, trueFalseChoices } from './choices.ts';
import {
  announcesChoices,
  answerWords,
  explanationWords,
  isKeyTitle,
  lettersIn,
  offersTrueFalse,
  type Start,
  startOf,
  startsPart,
} from './labels.ts';
import { blocksOf, cutOf, type Line } from './lines.ts';
import type { TypedAnswer } from './typed-answer.ts';

/** A part of a document that may be a question. */
export interface Candidate {
  /** Indexes of its first line and of the line behind its last one. */
  readonly from: number;
  readonly to: number;
  readonly start: Start | null;
  readonly statement: readonly Node[];
  /** Text of the statement. */
  readonly asked: string;
  readonly form: Choices['form'];
  readonly choices: readonly Choice[];
  readonly typed: TypedAnswer | null;
  /** Indexes of the choices that a line below names as right; null without such a line. */
  readonly answer: readonly number[] | null;
  readonly explanation: readonly Node[];
}

/** Maximum number of lines of a statement. */
const maxStatement = 60;

/** Finds the parts of a document that have the form of a question, in their order. */
export class Candidates {
  readonly #lines: readonly Line[];
  /** Results of `choicesAt`, which is asked several times for a line. */
  readonly #known = new Map<number, Choices | null>();

  constructor(lines: readonly Line[]) {
    this.#lines = lines;
  }

  all(): Candidate[] {
    const found: Candidate[] = [];
    let from = 0;
    for (let at = 0; at < this.#lines.length; ) {
      const candidate = this.#at(at, from);
      if (candidate) {
        found.push(candidate);
        from = candidate.to;
      }
      at = Math.max(at + 1, candidate?.to ?? 0);
    }
    return found;
  }

  #choicesAt(at: number): Choices | null {
    let known = this.#known.get(at);
    if (known === undefined) {
      known = choicesAt(this.#lines, at);
      this.#known.set(at, known);
    }
    return known;
  }

  /** @param from index of the first line that belongs to no question */
  #at(at: number, from: number): Candidate | null {
    const line = this.#lines[at] as Line;
    const choices = this.#choicesAt(at) ?? this.#unwrittenTrueFalse(at, from);
    if (!choices) return null;
    const begin = this.#startBefore(at, from);
    if (begin === null) return null;
    const first = this.#lines[begin] as Line;
    // The choices' own labels are no start: 'A. Paris' under 'Question 1'.
    const start = startOfLine(first);
    const lines = this.#lines.slice(begin, at);
    const statement = statementOf(lines, start);
    if (statement.length === 0 || line.block.type.name === 'heading') return null;
    const tail = this.#tail([...choices.tail], choices, choices.end, start);
    return {
      from: begin,
      to: tail.end,
      start,
      statement,
      asked: lines.map(({ text }) => text).join(' '),
      form: choices.form,
      choices: choices.choices,
      typed: choices.typed,
      answer: tail.answer,
      explanation: tail.explanation,
    };
  }

  /** Returns 'Vrai' and 'Faux' for a line 'Réponse : Vrai' below a statement. */
  #unwrittenTrueFalse(at: number, from: number): Choices | null {
    const text = this.#lines[at]?.text ?? '';
    const words = answerWords(text);
    if (words === null || at === from || !/^(?:vrai|faux)\b/iu.test(text.slice(words))) return null;
    return { form: 'true-false', choices: trueFalseChoices(), tail: [], typed: null, end: at };
  }

  /**
   * Returns the index of the line with which the statement before some choices begins; null when there is none.
   * A line 'Question 4' is preferred, then a number before propositions numbered from 1 on, then the last number.
   */
  #startBefore(at: number, from: number): number | null {
    let least = Math.max(from, at - maxStatement);
    for (let index = at - 1; index >= least; index -= 1) {
      const { block, text } = this.#lines[index] as Line;
      if (block.type.name === 'horizontal_rule' || block.type.name === 'question') least = index + 1;
      else if (block.type.name === 'heading') least = startOf(text) ? index : index + 1;
    }
    const numbered: number[] = [];
    const numbers: (number | null)[] = [];
    for (let index = at - 1; index >= least; index -= 1) {
      const line = this.#lines[index] as Line;
      const start = startOfLine(line);
      if (!start) continue;
      if (start.isWord) return index;
      if (line.block.type.name === 'heading' && numbered.length > 0) continue;
      numbered.unshift(index);
      numbers.unshift(start.number);
    }
    const first = numbers.findIndex((_number, index) => isCount(numbers.slice(index + 1)));
    return numbered[first] ?? numbered.at(-1) ?? this.#paragraphBefore(at, least);
  }

  /** Returns the paragraph before some choices, with figures, tables and formulas between them. */
  #paragraphBefore(at: number, least: number): number | null {
    for (let index = at - 1; index >= least; index -= 1) {
      const line = this.#lines[index] as Line;
      const { name } = line.block.type;
      if (name === 'paragraph') {
        let first = index;
        while (first > least && this.#lines[first - 1]?.block === line.block) first -= 1;
        return line.text.trim() === '' ? null : first;
      }
      if (!/^(?:figure|table|formula_block|code_block)$/.test(name)) return null;
    }
    return null;
  }

  /** Reads the answer and the explanation below the choices. */
  #tail(inside: readonly Line[], { choices, form }: Choices, end: number, start: Start | null) {
    const lines = [...inside, ...this.#lines.slice(end, end + maxStatement)];
    const indexOf = (at: number): number => end + at - inside.length;
    let answer: number[] | null = null;
    const explanation: Node[] = [];
    let at = 0;
    const words = (line: Line): number | null => (line.block.type.name === 'horizontal_rule' ? null : answerWords(line.text));
    const first = lines[0];
    if (first && words(first) !== null) {
      const read = answerIn(first.text.slice(words(first) ?? 0), choices, form);
      if (read) {
        answer = read.indexes;
        at = 1;
        const length = (words(first) ?? 0) + read.length;
        const rest = cutOf(first.block, first.from + length, first.to);
        if (rest && /[\p{L}\p{N}\ufffc]/u.test(first.text.slice(length))) explanation.push(withoutDash(rest));
      }
    }
    const line = lines[at];
    const said = line && isProse(line.block) ? explanationWords(line.text) : null;
    if (line && said !== null && (answer !== null || words(line) === null || explanationWords(line.text) !== null)) {
      const until = this.#explanationEnd(lines, at + 1, inside.length, end, start);
      const own = { ...line, from: line.from + said, text: line.text.slice(said) };
      explanation.push(...blocksOf([own, ...lines.slice(at + 1, until)]).map(asParagraph));
      at = until;
    } else if (line?.block.type.name === 'blockquote') {
      explanation.push(...withoutWords(blocksIn(line.block)));
      at += 1;
    } else if (explanation.length > 0 && line && line.block === lines[at - 1]?.block && !startOfLine(line)) {
      // The answer's own paragraph goes on.
      let until = at;
      while (lines[until]?.block === line.block) until += 1;
      explanation.push(...blocksOf(lines.slice(at, until)));
      at = until;
    }
    return { answer, explanation, end: Math.max(end, indexOf(at)) };
  }

  /** Returns the index in `lines` at which an explanation ends: at the next question, title, rule or part. */
  #explanationEnd(lines: readonly Line[], from: number, inside: number, end: number, own: Start | null): number {
    let at = from;
    for (; at < lines.length; at += 1) {
      const line = lines[at] as Line;
      if (at < inside) continue;
      const { name } = line.block.type;
      if (/^(?:heading|horizontal_rule|question)$/.test(name) || startsPart(line.text) || isKeyTitle(line.text)) break;
      const start = startOfLine(line);
      if (start && (start.isWord || line.number !== null || own?.number == null || start.number === own.number + 1)) break;
      const here = end + at - inside;
      if (/^(?:letters|typed)$/.test(this.#choicesAt(here)?.form ?? '') || this.#isStatement(here)) break;
    }
    return at;
  }

  /** Returns whether the next choices stand directly below a line, with figures and formulas between them at most. */
  #isStatement(at: number): boolean {
    let next = at + 1;
    while (/^(?:figure|table|formula_block|code_block)$/.test(this.#lines[next]?.block.type.name ?? '')) next += 1;
    return this.#choicesAt(next) !== null;
  }
}

/** Returns whether numbers are 1, 2 and so on. */
const isCount = (numbers: readonly (number | null)[]): boolean =>
  numbers.length > 1 && numbers.every((number, index) => number === index + 1);

/** Returns the label of a question at the start of a line, written or given by a numbered list. */
function startOfLine({ text, number, block }: Line): Start | null {
  const start = isProse(block) ? startOf(text) : null;
  return start?.isWord || number === null ? start : { number, isWord: false, points: null, length: 0 };
}

function statementOf(lines: readonly Line[], start: Start | null): Node[] {
  const [first, ...others] = lines;
  if (!first) return [];
  const own = start ? { ...first, from: first.from + start.length, text: first.text.slice(start.length) } : first;
  const begins = own.from < own.to || !isProse(own.block) ? [own] : [];
  return blocksOf([...begins, ...others])
    .map(asParagraph)
    .map((block) => (block.type.name === 'paragraph' ? cutOf(block, 0, block.content.size) : block))
    .filter((block) => block !== null);
}

/** Headings are for the parts of a document: one that holds a question becomes a paragraph. */
const asParagraph = (block: Node): Node => {
  if (block.type.name !== 'heading') return block;
  const { paragraph } = block.type.schema.nodes;
  return paragraph ? paragraph.create(null, block.content) : block;
};

/** Returns the choices that an answer names by letters, or by their text. */
function answerIn(text: string, choices: readonly Choice[], form: Choices['form']): { indexes: number[]; length: number } | null {
  if (form === 'true-false') {
    const [word, letter] = /^\s*(?:(vrai|faux)|([vf])(?![\p{L}]))[\s.]*/iu.exec(text) ?? [];
    if (word !== undefined) return { indexes: [/^\s*v/iu.test(word) ? 0 : 1], length: word.length };
    if (letter !== undefined) return null;
  }
  const named = choices.findIndex(({ blocks }) => folded(blocks.map((block) => block.textContent).join(' ')) === folded(text));
  if (named !== -1) return { indexes: [named], length: text.length };
  const letters = lettersIn(text, choices.length);
  if (!letters) return null;
  // 'b) Paris' repeats the text of the choice.
  const rest = text.slice(letters.length);
  const repeated = letters.indexes.length === 1 ? choices[letters.indexes[0] as number] : undefined;
  const isRepeated = repeated && folded(repeated.blocks.map((block) => block.textContent).join(' ')) === folded(rest);
  return isRepeated ? { ...letters, length: text.length } : letters;
}

const folded = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();

/** Returns an explanation without the punctuation between the answer and it. */
function withoutDash(block: Node): Node {
  const dash = /^[\s.,;:)–—-]+/.exec(block.textContent)?.[0].length ?? 0;
  return dash === 0 ? block : (cutOf(block, dash, block.content.size) ?? block);
}

function withoutWords(blocks: readonly Node[]): Node[] {
  const [first, ...others] = blocks;
  const words = first && isProse(first) ? explanationWords(first.textBetween(0, first.content.size, null, '\ufffc')) : null;
  if (!first || !words) return [...blocks];
  const rest = cutOf(first, words, first.content.size);
  return rest ? [rest, ...others] : others;
}

/** Returns whether a statement asks something. */
export const asks = ({ asked, start }: Candidate): boolean =>
  start?.isWord === true || /[?:…]\s*$/u.test(asked.trim()) || asked.includes('?') || announcesChoices(asked) || offersTrueFalse(asked);
