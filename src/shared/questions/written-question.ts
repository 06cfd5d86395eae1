import { Fragment, type Mark, type Node } from 'prosemirror-model';
import { isProse, textOf } from '../rich-text/block-text.ts';
import { maxChoices } from '../rich-text/question-kinds.ts';
import { richTextSchema } from '../rich-text/schema.ts';
import { type Line, linesOf } from './written-lines.ts';

const { nodes } = richTextSchema;

/** Blocks of a text that hold questions written as text: those from index `from` to before `to`. */
export interface WrittenQuestions {
  readonly from: number;
  readonly to: number;
  /** What can replace the blocks: `question` nodes and the lines between them. */
  readonly nodes: readonly Node[];
  readonly count: number;
  /** Whether the text shows that it asks: it says so, has a question mark or marks an answer. Parts of an exercise do not. */
  readonly sure: boolean;
}

const LETTER = /^\s*(?:\(\s*([a-t])\s*\)|([a-t])\s*[.):–-])\s*/iu;
const SIGNS = '(?:[✓✔☑✅*]|\\[x\\]|\\(x\\))';
const SIGN_BEFORE = new RegExp(`^\\s*${SIGNS}\\s*`, 'iu');
const SIGN_BEHIND = new RegExp(`\\s*${SIGNS}\\s*$`, 'iu');
const EMPTY_BOX = /^\s*(?:[☐□○]|\[ ?\])\s*/u;
const ANSWER =
  /^\s*(?:(?:la\s+)?bonnes?\s+)?r[ée]ponses?(?:\s+(?:justes?|correctes?|exactes?))?\s*[:=]\s*([a-t](?:(?:\s*[,;/&+]\s*|\s+et\s+|\s+)[a-t])*)\s*\.?\s*$/iu;
const EXPLANATION = /^\s*(?:explications?|justifications?|commentaires?)\s*[:.–-]\s*/iu;
/** Maximum number of lines of a statement. */
const maxStatement = 20;

/**
 * Finds numbered questions with lettered or listed choices among the blocks of a text. It reads what a person selects or pastes in the
 * editor, one question after the other; a key at the end of a document is not read.
 */
export function writtenQuestions(blocks: readonly Node[]): WrittenQuestions[] {
  const lines = blocks.flatMap((block, at) => linesOf(block, at));
  const found: Found[] = [];
  for (let at = 0; at < lines.length; ) {
    const one = read(lines, at);
    if (one) found.push(one);
    at = one?.end ?? at + 1;
  }
  return grouped(lines, found);
}

interface Found {
  readonly start: number;
  /** Index of the line behind it. */
  readonly end: number;
  readonly question: Node;
  readonly sure: boolean;
}

/** Joins questions that share blocks. Lines of these blocks outside of the questions stay, as paragraphs. */
function grouped(lines: readonly Line[], found: readonly Found[]): WrittenQuestions[] {
  const groups: { from: number; to: number; members: Found[] }[] = [];
  for (const one of found) {
    const from = (lines[one.start] as Line).at;
    const to = (lines[one.end - 1] as Line).at + 1;
    const last = groups.at(-1);
    if (last && from < last.to) {
      last.to = to;
      last.members.push(one);
    } else groups.push({ from, to, members: [one] });
  }
  return groups.flatMap(({ from, to, members }) => {
    const made: Node[] = [];
    for (const [index, line] of lines.entries()) {
      if (line.at < from || line.at >= to) continue;
      const member = members.find(({ start, end }) => index >= start && index < end);
      if (member?.start === index) made.push(member.question);
      // A line of a list would lose its number.
      if (!member && line.number !== null) return [];
      if (!member) made.push(line.block);
    }
    return [{ from, to, nodes: made, count: members.length, sure: members.some(({ sure }) => sure) }];
  });
}

/** Reads the question that begins at a line; null when none does. */
function read(lines: readonly Line[], start: number): Found | null {
  const first = lines[start] as Line;
  if (!first.start || first.isList) return null;
  const begin = beginOfChoices(lines, start);
  if (begin === null) return null;
  const statement = lines
    .slice(start, begin)
    .flatMap((line, index) => (index > 0 ? [line.block] : (cut(line.block, first.labelLength) ?? [])));
  if (statement.length === 0) return null;
  const { choices, end: behind } = (lines[begin] as Line).isList
    ? { choices: listed((lines[begin] as Line).block), end: begin + 1 }
    : lettered(lines, begin);
  if (choices.length < 2 || choices.length > maxChoices || choices.some(({ length }) => length === 0)) return null;
  const tail = readTail(lines, behind, choices.length);
  const marked = rightChoices(choices);
  const right = tail.right ?? marked.right;
  const asked = statement.map((block) => block.textContent).join(' ');
  const isAsked = first.start === 'word' || asked.includes('?');
  // Numbered items are choices only where something is asked.
  if ((lines[begin] as Line).isList && !isAsked && right.length === 0) return null;
  const question = nodes.question.create({ kind: right.length > 1 ? 'several' : 'one' }, [
    nodes.question_statement.create(null, statement),
    ...marked.choices.map((content, index) => nodes.question_choice.create({ right: right.includes(index) }, content)),
    ...(tail.explanation.length > 0 ? [nodes.question_explanation.create(null, tail.explanation)] : []),
  ]);
  return { start, end: tail.end, question, sure: isAsked || right.length > 0 };
}

/** Returns the index of the line with the first choice; null when the next lines have none. */
function beginOfChoices(lines: readonly Line[], start: number): number | null {
  for (let at = start + 1; at < lines.length && at <= start + maxStatement; at += 1) {
    const line = lines[at] as Line;
    if (line.isList) return at;
    if (letterOf(line) === 0) return at;
    if (line.start || /^(?:heading|horizontal_rule|question)$/.test(line.block.type.name)) return null;
  }
  return null;
}

const listed = (list: Node): Node[][] => list.children.map((item) => [...item.children]);

/** Returns the choices that begin with letters from A on, and the index of the line behind them. */
function lettered(lines: readonly Line[], begin: number): { choices: Node[][]; end: number } {
  const choices: Node[][] = [];
  let end = begin;
  /** Figures and formulas below a choice, which belong to it when another choice follows. */
  let between: Node[] = [];
  for (let at = begin; at < lines.length; at += 1) {
    const line = lines[at] as Line;
    const goesOn = line.isContinuation && readAnswer(line) === null && !EXPLANATION.test(line.text) && !line.start;
    if (letterOf(line) === choices.length) {
      choices.at(-1)?.push(...between);
      between = [];
      const own = cut(line.block, LETTER.exec(line.text)?.[0].length ?? 0);
      choices.push(own ? [own] : []);
    } else if (goesOn && between.length === 0) choices.at(-1)?.push(line.block);
    else if (/^(?:figure|table|formula_block|code_block)$/.test(line.block.type.name)) {
      between.push(line.block);
      continue;
    } else break;
    end = at + 1;
  }
  return { choices, end };
}

function letterOf({ block, text }: Line): number | null {
  if (block.type !== nodes.paragraph) return null;
  const [, enclosed, plain] = LETTER.exec(text) ?? [];
  const letter = enclosed ?? plain;
  return letter === undefined ? null : letter.toLowerCase().charCodeAt(0) - 97;
}

function readAnswer({ block, text }: Line): number[] | null {
  const letters = isProse(block) ? ANSWER.exec(text)?.[1] : undefined;
  return (
    letters
      ?.toLowerCase()
      .match(/\b[a-t]\b/g)
      ?.map((letter) => letter.charCodeAt(0) - 97) ?? null
  );
}

/** Reads 'Réponse : b, d' and 'Explication : …' below the choices. */
function readTail(lines: readonly Line[], start: number, count: number): { right: number[] | null; explanation: Node[]; end: number } {
  let at = start;
  const answer = lines[at] ? readAnswer(lines[at] as Line) : null;
  const right = answer?.every((index) => index < count) ? answer : null;
  if (right) at += 1;
  const explanation: Node[] = [];
  const said = lines[at];
  const words = said && isProse(said.block) ? EXPLANATION.exec(said.text)?.[0].length : undefined;
  if (said && words !== undefined) {
    const rest = cut(said.block, words);
    if (rest) explanation.push(rest);
    for (at += 1; lines[at]?.isContinuation && !lines[at]?.start; at += 1) explanation.push((lines[at] as Line).block);
  }
  return { right, explanation, end: at };
}

/** Returns which choices have a sign or, unlike the others, are bold, underlined or highlighted; and the choices without it. */
function rightChoices(choices: readonly Node[][]): { right: number[]; choices: Node[][] } {
  const signed = choices.map(
    ([block]) => block !== undefined && isProse(block) && (SIGN_BEFORE.test(block.textContent) || SIGN_BEHIND.test(block.textContent)),
  );
  const bare = choices.map(([block, ...others]) =>
    block && isProse(block) ? [...withoutSign(block), ...others] : [...(block ? [block] : []), ...others],
  );
  if (signed.includes(true)) return { right: indexes(signed), choices: bare };
  for (const name of ['strong', 'background_color', 'underline'] as const) {
    const marked = bare.map((blocks) => isMarked(blocks, name));
    if (marked.includes(true) && marked.includes(false))
      return {
        right: indexes(marked),
        choices: bare.map((blocks, index) => (marked[index] ? blocks.map((block) => unmarked(block, name)) : blocks)),
      };
  }
  return { right: [], choices: bare };
}

const indexes = (flags: readonly boolean[]): number[] => flags.flatMap((flag, index) => (flag ? [index] : []));

function withoutSign(block: Node): Node[] {
  const text = textOf(block);
  const before = (SIGN_BEFORE.exec(text) ?? EMPTY_BOX.exec(text))?.[0].length ?? 0;
  const rest = block.cut(before);
  const behind = SIGN_BEHIND.exec(text.slice(before))?.[0].length ?? 0;
  return behind > 0 ? [rest.cut(0, rest.content.size - behind)] : [rest];
}

function isMarked(blocks: readonly Node[], name: string): boolean {
  let texts = 0;
  let marked = 0;
  for (const block of blocks) {
    block.descendants((node) => {
      if (!node.isText || node.text?.trim() === '') return;
      texts += 1;
      if (node.marks.some((mark: Mark) => mark.type.name === name)) marked += 1;
    });
  }
  return texts > 0 && marked === texts;
}

function unmarked(node: Node, name: string): Node {
  if (node.isText) return node.mark(node.marks.filter(({ type }) => type.name !== name));
  return node.isLeaf ? node : node.copy(Fragment.fromArray(node.children.map((child) => unmarked(child, name))));
}

/** Returns a block without its first characters; a picture or formula counts as one. Null when nothing is left. */
function cut(block: Node, length: number): Node | null {
  if (!isProse(block)) return block;
  const rest = block.cut(length);
  return rest.content.size > 0 ? rest : null;
}
