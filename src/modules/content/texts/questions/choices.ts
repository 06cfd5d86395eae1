import type { Node } from 'prosemirror-model';
import { isProse, textOf } from '../../../../shared/rich-text/block-text.ts';
import { isLettered } from '../../../../shared/rich-text/list-labels.ts';
import { maxChoices } from '../../../../shared/rich-text/question-kinds.ts';
import { richTextSchema } from '../../../../shared/rich-text/schema.ts';
import { answerWords, explanationWords, follows, type Label, labelOf, offersTrueFalse, SIGN, startOf } from './labels.ts';
import { blocksOf, cutOf, type Line, linesOf } from './lines.ts';
import { type TypedAnswer, typedAnswer } from './typed-answer.ts';

/** How choices are written: with letters, numbers, boxes to tick, bullets, or as 'Vrai / Faux'. `typed`: a typed answer instead. */
type Form = 'letters' | 'numbers' | 'boxes' | 'bullets' | 'true-false' | 'typed';

export interface Choice {
  readonly blocks: readonly Node[];
  readonly remark: readonly Node[];
  /** Whether a box is ticked; null without a box. */
  readonly box: boolean | null;
  /** Whether a sign of the right choice stands beside it. */
  readonly isSigned: boolean;
}

export interface Choices {
  readonly form: Form;
  readonly choices: readonly Choice[];
  /** Lines inside the last item of a list that belong to the question: its answer and explanation. */
  readonly tail: readonly Line[];
  /** Null where there are choices. */
  readonly typed: TypedAnswer | null;
  /** Index of the line behind the choices. */
  readonly end: number;
}

/** Maximum number of blocks between two typed choices that belong to the first of them. */
const maxBetween = 3;
const BOX = /^\s*(?:([☑☒✓✔✅■])|([☐□○])|\[( |x|X)\])\s*/u;
const SIGNED_BEFORE = new RegExp(`^\\s*${SIGN}\\s*`, 'u');
const SIGNED_BEHIND = new RegExp(`\\s*${SIGN}\\s*$`, 'u');

/** Returns the choices, or the typed answer, that begin at a line; null when none do. */
export function choicesAt(lines: readonly Line[], at: number): Choices | null {
  const line = lines[at];
  if (!line) return null;
  const { name } = line.block.type;
  const answer = name === 'paragraph' ? typedAnswer(line.text) : null;
  if (answer) return { form: 'typed', choices: [], tail: [], typed: answer, end: at + 1 };
  const found =
    name === 'ordered_list' || name === 'bullet_list'
      ? listed(line.block, at)
      : name !== 'paragraph'
        ? null
        : offersTrueFalse(line.text)
          ? trueFalse(line, at)
          : typed(lines, at);
  if (!found || found.choices.length < 2 || found.choices.length > maxChoices) return null;
  return found.choices.every(({ blocks }) => blocks.length > 0) ? found : null;
}

function listed(list: Node, at: number): Choices | null {
  const choices: Choice[] = [];
  let tail: Line[] = [];
  let labels = 0;
  for (let index = 0; index < list.childCount; index += 1) {
    const lines: Line[] = [];
    list.child(index).forEach((block) => {
      for (const line of linesOf(block)) lines.push(line);
    });
    const cut = lines.findIndex((line, order) => order > 0 && isTail(line));
    if (cut !== -1 && index < list.childCount - 1) return null;
    if (cut !== -1) tail = lines.splice(cut);
    const label = lines[0] ? labelOf(lines[0].text) : null;
    const isLabelled = label?.index === index && label.isLetter;
    if (isLabelled) labels += 1;
    choices.push(choiceOf(lines, isLabelled ? label : null));
  }
  if (labels > 0 && labels < choices.length) return null;
  const boxes = choices.filter(({ box }) => box !== null).length;
  const form: Form =
    boxes > 0
      ? 'boxes'
      : labels > 0 || isLettered(list.attrs.label ?? null)
        ? 'letters'
        : list.type.name === 'bullet_list'
          ? 'bullets'
          : 'numbers';
  if (form === 'numbers' && list.attrs.order !== 1) return null;
  return { form, choices: form === 'boxes' ? withBoxes(choices) : choices, tail, typed: null, end: at + 1 };
}

/** Returns choices that all have a box. A tick beside some of them, where no box is empty, is a sign of the right ones. */
function withBoxes(choices: readonly Choice[]): Choice[] {
  if (choices.every(({ box }) => box !== null)) return [...choices];
  return choices.map((choice) => ({ ...choice, box: null, isSigned: choice.isSigned || choice.box === true }));
}

const isTail = ({ text }: Line): boolean => answerWords(text) !== null || explanationWords(text) !== null;

/** Returns choices typed by hand, one or several on a line. A line without label continues the choice before it. */
function typed(lines: readonly Line[], at: number): Choices | null {
  const first = lines[at] as Line;
  let label = labelOf(first.text);
  const boxed = !label && BOX.test(first.text);
  if (!boxed && label?.index !== 0) return null;
  const parts: { label: Label | null; lines: Line[] }[] = [{ label, lines: [first] }];
  let end = at + 1;
  for (let index = at + 1; index < lines.length; index += 1) {
    const line = lines[index] as Line;
    const next = labelOf(line.text);
    const isNext = boxed ? BOX.test(line.text) : next !== null && label !== null && follows(next, label);
    if (isNext) {
      for (const between of lines.slice(end, index)) parts.at(-1)?.lines.push(between);
      parts.push({ label: next, lines: [line] });
      label = next;
      end = index + 1;
    } else if (continues(line, lines[index - 1], first)) {
      if (end === index) {
        parts.at(-1)?.lines.push(line);
        end = index + 1;
      }
    } else if (isBreak(line) || index - end >= maxBetween) break;
  }
  const form: Form = boxed ? 'boxes' : parts[0]?.label?.isLetter ? 'letters' : 'numbers';
  return { form, choices: parts.map((part) => choiceOf(part.lines, part.label)), tail: [], typed: null, end };
}

/** Returns whether a line continues the paragraph of a choice, or is a displayed formula below it. */
const continues = (line: Line, before: Line | undefined, first: Line): boolean =>
  !isTail(line) &&
  line.item === first.item &&
  ((line.block === before?.block && startOf(line.text)?.isWord !== true) || line.block.type.name === 'formula_block');

const isBreak = (line: Line): boolean =>
  isTail(line) ||
  startOf(line.text) !== null ||
  line.number !== null ||
  /^(?:heading|horizontal_rule|question)$/.test(line.block.type.name);

function trueFalse({ block, from, text }: Line, at: number): Choices | null {
  const choices = [/vrai/iu, /faux/iu].map((word) => {
    const found = word.exec(text);
    const start = from + (found?.index ?? 0);
    const around = text.slice(Math.max(0, (found?.index ?? 0) - 2), (found?.index ?? 0) + 6);
    const cut = cutOf(block, start, start + 4);
    const box = /[☑☒]\s?(?:vrai|faux)/iu.test(around) ? true : /[☐□○]\s?(?:vrai|faux)/iu.test(around) ? false : null;
    return { blocks: cut ? [cut] : [], remark: [], box, isSigned: /\*\s?(?:vrai|faux)|(?:vrai|faux)\s?\*/iu.test(around) };
  });
  return { form: 'true-false', choices, tail: [], typed: null, end: at + 1 };
}

/** Returns 'Vrai' and 'Faux' as choices, for a statement that is followed by one of these words as its answer. */
export const trueFalseChoices = (): Choice[] =>
  ['Vrai', 'Faux'].map((word) => ({
    blocks: [richTextSchema.nodes.paragraph.create(null, richTextSchema.text(word))],
    remark: [],
    box: null,
    isSigned: false,
  }));

/** Returns a choice without its label, box and signs. */
function choiceOf(lines: readonly Line[], label: Label | null): Choice {
  const [first, ...others] = lines as [Line, ...Line[]];
  let from = first.from + (label?.length ?? 0);
  let isSigned = label?.isSigned ?? false;
  let box: boolean | null = null;
  const rest = () => first.text.slice(from - first.from);
  const [boxed, ticked, , typedBox] = BOX.exec(rest()) ?? [];
  if (boxed !== undefined) {
    box = ticked !== undefined || typedBox?.toLowerCase() === 'x';
    from += boxed.length;
    const inner = labelOf(rest());
    if (!label && inner?.isLetter) from += inner.length;
  }
  const signed = isProse(first.block) ? SIGNED_BEFORE.exec(rest()) : null;
  if (signed && signed[0].length < rest().length) {
    isSigned = true;
    from += signed[0].length;
  }
  const own = [isProse(first.block) ? { ...first, from, text: rest() } : first, ...others];
  const remark = others.at(-1)?.block.type.name === 'blockquote' ? own.pop() : undefined;
  // A sign at the end stands in the last line of text.
  const at = own.findLastIndex((line) => isProse(line.block) && line.text.trim() !== '');
  const last = own[at];
  const behind = last ? SIGNED_BEHIND.exec(last.text) : null;
  if (last && behind && (at > 0 || behind.index > 0)) {
    isSigned = true;
    own[at] = { ...last, to: last.from + behind.index, text: last.text.slice(0, behind.index) };
  }
  return { blocks: blocksOf(own).map(trimmed).filter(hasContent), remark: remark ? blocksIn(remark.block) : [], box, isSigned };
}

const trimmed = (block: Node): Node => (block.type.name === 'paragraph' ? (cutOf(block, 0, block.content.size) ?? block) : block);
const hasContent = (block: Node): boolean => block.type.name !== 'paragraph' || textOf(block).trim() !== '';

/** Returns the blocks inside a quotation. */
export function blocksIn(quotation: Node): Node[] {
  const blocks: Node[] = [];
  quotation.forEach((block) => {
    blocks.push(block);
  });
  return blocks;
}
