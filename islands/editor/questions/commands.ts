import type { Node, ResolvedPos } from 'prosemirror-model';
import { type Command, type EditorState, Selection, TextSelection, type Transaction } from 'prosemirror-state';
import { maxChoices } from '../../../src/shared/rich-text/question-kinds.ts';
import { richTextSchema } from '../../../src/shared/rich-text/schema.ts';

const { nodes } = richTextSchema;

/** The question around the selection, and the part of it that holds the selection. */
interface QuestionPlace {
  readonly question: Node;
  readonly pos: number;
  /** Statement, choice or explanation; null when the question itself is selected or the selection spans several parts. */
  readonly part: Node | null;
  readonly partPos: number;
  /** Index of `part` in the question. */
  readonly index: number;
  readonly inRemark: boolean;
}

export function questionAround({ doc, selection: { $from, $to, from } }: EditorState): QuestionPlace | null {
  const isSelected = $from.depth === 0;
  const pos = isSelected ? from : $from.before(1);
  const question = doc.nodeAt(pos);
  if (question?.type !== nodes.question || $to.pos > pos + question.nodeSize) return null;
  const isInPart = $from.sharedDepth($to.pos) >= 2;
  return {
    question,
    pos,
    part: isInPart ? $from.node(2) : null,
    partPos: isInPart ? $from.before(2) : pos,
    index: isInPart ? $from.index(1) : 0,
    inRemark: isInPart && $from.depth > 2 && $from.node(3).type === nodes.question_remark,
  };
}

/** Returns the choice that holds the selection. */
export function choiceAround(state: EditorState): QuestionPlace | null {
  const place = questionAround(state);
  return place?.part?.type === nodes.question_choice ? place : null;
}

const emptyPart = (type: typeof nodes.question_choice): Node => type.create(null, nodes.paragraph.create());
const hasChoices = ({ attrs }: Node): boolean => attrs.kind === 'one' || attrs.kind === 'several';
/** Returns whether a part has nothing but one empty line. */
const isBlank = (part: Node): boolean =>
  part.childCount === 1 && part.firstChild?.type === nodes.paragraph && part.firstChild.content.size === 0;
const setCursor = (tr: Transaction, pos: number, side: 1 | -1): Transaction => tr.setSelection(Selection.near(tr.doc.resolve(pos), side));
const countChoices = (question: Node): number => question.children.filter(({ type }) => type === nodes.question_choice).length;

/** Returns the line in a part, not in a list or table of it, that holds the cursor. */
function lineOf(state: EditorState): { $from: ResolvedPos; depth: number } | null {
  const { selection } = state;
  const place = questionAround(state);
  if (!place?.part || !(selection instanceof TextSelection) || !selection.$from.sameParent(selection.$to)) return null;
  const { $from } = selection;
  const depth = place.inRemark ? 3 : 2;
  return $from.depth === depth + 1 && !$from.parent.type.spec.code && $from.parent.type !== nodes.figure ? { $from, depth } : null;
}

/**
 * Enter in a question: from the statement to the choices, from a choice to the next one, from an empty last choice to the explanation,
 * from an empty last line of the explanation to the text below.
 */
export const enterInQuestion: Command = (state, dispatch, view) => {
  const place = questionAround(state);
  const line = lineOf(state);
  if (!place?.part || !line) return false;
  const { $from, depth } = line;
  const holder = $from.node(depth);
  const isLastLine = $from.index(depth) === holder.childCount - 1 && state.selection.to === $from.end();
  const isEmptyEnd = isLastLine && $from.parent.content.size === 0;
  if (place.part.type === nodes.question_statement) {
    if (!(isEmptyEnd || (isLastLine && isUnanswered(place.question)))) return false;
    return toAnswers(state, dispatch, view);
  }
  if (place.part.type === nodes.question_explanation) return isEmptyEnd && belowQuestion(state, dispatch);
  return nextChoice(state, dispatch);
};

/** Returns whether the answers of a question are not written yet. */
function isUnanswered(question: Node): boolean {
  const { kind, value, accepted } = question.attrs;
  if (kind === 'number') return value === '';
  if (kind === 'text') return accepted.length === 0;
  return question.childCount < 2 || isBlank(question.child(1)) || question.child(1).type !== nodes.question_choice;
}

/** Removes an empty last line from a part that has others. */
function withoutEmptyEnd(tr: Transaction, partPos: number): void {
  const part = tr.doc.nodeAt(partPos);
  const last = part?.lastChild;
  if (!part || !last || part.childCount < 2 || last.type !== nodes.paragraph || last.content.size > 0) return;
  const end = partPos + part.nodeSize - 1;
  tr.delete(end - last.nodeSize, end);
}

/** Leads from the statement to the first choice, which is created, or to the field of the answer. */
const toAnswers: Command = (state, dispatch, view) => {
  const place = questionAround(state);
  if (place?.part?.type !== nodes.question_statement) return false;
  if (!dispatch) return true;
  const { tr } = state;
  withoutEmptyEnd(tr, place.partPos);
  if (!hasChoices(place.question)) {
    dispatch(tr);
    const dom = view?.nodeDOM(place.pos) as HTMLElement | null | undefined;
    dom?.querySelector<HTMLElement>('label:not([hidden]) > [data-answer]')?.focus();
    return true;
  }
  const end = place.pos + 1 + (tr.doc.nodeAt(place.pos + 1) as Node).nodeSize;
  if (tr.doc.nodeAt(end)?.type !== nodes.question_choice) tr.insert(end, emptyPart(nodes.question_choice));
  dispatch(setCursor(tr, end + 1, 1).scrollIntoView());
  return true;
};

/** Leads from a choice to the next one, which is created; in the middle of a line splits the choice. */
const nextChoice: Command = (state, dispatch) => {
  const place = choiceAround(state);
  const line = lineOf(state);
  if (!place?.part || !line) return false;
  const { part, partPos, question, index, inRemark } = place;
  const next = question.maybeChild(index + 1);
  const hasNext = next?.type === nodes.question_choice;
  if (isBlank(part) && !hasNext) return toExplanation(state, dispatch);
  if (!dispatch) return true;
  const { tr } = state;
  if (!tr.selection.empty) tr.deleteSelection();
  const { $from } = tr.selection;
  const isEnd = inRemark || ($from.index(2) === lastOwnLine(part) && $from.parentOffset === $from.parent.content.size);
  const end = $from.after(2);
  if (hasNext && (isBlank(part) || (isEnd && isBlank(next)))) dispatch(setCursor(tr, end + 1, 1).scrollIntoView());
  else if (countChoices(question) >= maxChoices) return true;
  else if (isEnd) {
    tr.insert(end, emptyPart(nodes.question_choice));
    setCursor(tr, end + 1, 1);
    const remark = (tr.doc.nodeAt(partPos) as Node).lastChild as Node;
    if (inRemark && isBlank(remark)) tr.delete(end - 1 - remark.nodeSize, end - 1);
    dispatch(tr.scrollIntoView());
  } else dispatch(tr.split($from.pos, 2, [{ type: nodes.question_choice }, null]).scrollIntoView());
  return true;
};

const lastOwnLine = (choice: Node): number => choice.childCount - (choice.lastChild?.type === nodes.question_remark ? 2 : 1);

/** Adds a choice after the one that holds the selection, or behind the others. */
export const addChoice: Command = (state, dispatch) => {
  const place = questionAround(state);
  if (!place || !hasChoices(place.question) || countChoices(place.question) >= maxChoices) return false;
  const { question, pos, part, partPos } = place;
  const explained = question.lastChild?.type === nodes.question_explanation ? question.lastChild.nodeSize : 0;
  const end = part?.type === nodes.question_choice ? partPos + part.nodeSize : pos + question.nodeSize - 1 - explained;
  dispatch?.(setCursor(state.tr.insert(end, emptyPart(nodes.question_choice)), end + 1, 1).scrollIntoView());
  return true;
};

/** Adds an explanation to the question, or leads to it. An empty choice that the cursor leaves is removed. */
export const toExplanation: Command = (state, dispatch) => {
  const place = questionAround(state);
  if (!place) return false;
  if (!dispatch) return true;
  const { tr } = state;
  if (place.part?.type === nodes.question_choice && isBlank(place.part)) tr.delete(place.partPos, place.partPos + place.part.nodeSize);
  const question = tr.doc.nodeAt(place.pos) as Node;
  const end = place.pos + question.nodeSize - 1;
  const has = question.lastChild?.type === nodes.question_explanation;
  if (!has) tr.insert(end, emptyPart(nodes.question_explanation));
  dispatch(setCursor(tr, has ? end - 1 : end + 1, has ? -1 : 1).scrollIntoView());
  return true;
};

/** Leads to the text below the question. An empty explanation, or its empty last line, is removed. */
const belowQuestion: Command = (state, dispatch) => {
  const place = questionAround(state);
  if (!place) return false;
  if (!dispatch) return true;
  const { tr } = state;
  if (place.part?.type === nodes.question_explanation) {
    if (isBlank(place.part)) tr.delete(place.partPos, place.partPos + place.part.nodeSize);
    else withoutEmptyEnd(tr, place.partPos);
  }
  const after = place.pos + (tr.doc.nodeAt(place.pos) as Node).nodeSize;
  const next = tr.doc.nodeAt(after);
  if (next?.type !== nodes.paragraph || next.content.size > 0) tr.insert(after, nodes.paragraph.create());
  dispatch(setCursor(tr, after + 1, 1).scrollIntoView());
  return true;
};

/** Marks a choice as right or wrong. In a question with one right choice the others become wrong. */
export const markChoice =
  (at: number): Command =>
  ({ doc, tr }, dispatch) => {
    const $at = doc.resolve(at);
    const question = $at.parent;
    const choice = $at.nodeAfter;
    if (question.type !== nodes.question || choice?.type !== nodes.question_choice) return false;
    question.forEach((other, offset) => {
      const pos = $at.start() + offset;
      const right = pos === at ? !choice.attrs.right : question.attrs.kind === 'several' && other.attrs.right;
      if (other.type === nodes.question_choice && other.attrs.right !== right) tr.setNodeAttribute(pos, 'right', right);
    });
    dispatch?.(tr);
    return true;
  };

export const toggleRight: Command = (state, dispatch) => {
  const place = choiceAround(state);
  return place !== null && markChoice(place.partPos)(state, dispatch);
};

/** Ctrl+Enter: from the statement to the choices, marks a choice, leaves the explanation. */
export const aheadInQuestion: Command = (state, dispatch, view) => {
  const type = questionAround(state)?.part?.type;
  if (type === nodes.question_statement) return toAnswers(state, dispatch, view);
  return type === nodes.question_explanation ? belowQuestion(state, dispatch) : toggleRight(state, dispatch);
};

/** Adds a remark to the choice, or removes it. */
export const toggleRemark: Command = (state, dispatch) => {
  const place = choiceAround(state);
  if (!place?.part) return false;
  const { tr } = state;
  const end = place.partPos + place.part.nodeSize - 1;
  const remark = place.part.lastChild;
  if (remark?.type === nodes.question_remark) setCursor(tr.delete(end - remark.nodeSize, end), end - remark.nodeSize, -1);
  else setCursor(tr.insert(end, emptyPart(nodes.question_remark)), end + 1, 1);
  dispatch?.(tr.scrollIntoView());
  return true;
};

/** Moves the choice that holds the selection before the previous (-1) or after the next choice (1). */
export function moveChoice(by: 1 | -1): Command {
  return (state, dispatch) => {
    const place = choiceAround(state);
    const other = place?.question.maybeChild(place.index + by);
    if (!place?.part || other?.type !== nodes.question_choice) return false;
    const { part, partPos } = place;
    const start = by === 1 ? partPos : partPos - other.nodeSize;
    const tr = state.tr.replaceWith(start, start + part.nodeSize + other.nodeSize, by === 1 ? [other, part] : [part, other]);
    const shift = by * other.nodeSize;
    const { anchor, head } = state.selection;
    dispatch?.(tr.setSelection(TextSelection.between(tr.doc.resolve(anchor + shift), tr.doc.resolve(head + shift))).scrollIntoView());
    return true;
  };
}

export const deleteChoice: Command = (state, dispatch) => {
  const place = choiceAround(state);
  if (!place?.part) return false;
  const tr = state.tr.delete(place.partPos, place.partPos + place.part.nodeSize);
  dispatch?.(setCursor(tr, place.partPos, -1).scrollIntoView());
  return true;
};

export const deleteQuestion: Command = (state, dispatch) => {
  const place = questionAround(state);
  if (!place) return false;
  const end = place.pos + place.question.nodeSize;
  const { tr } = state;
  if (state.doc.childCount === 1) tr.replaceWith(place.pos, end, nodes.paragraph.create());
  else tr.delete(place.pos, end);
  dispatch?.(setCursor(tr, place.pos, 1).scrollIntoView());
  return true;
};

/** Backspace at the start of a part: removes an empty one; from another the cursor goes to the end of the part before it. */
export const backInQuestion: Command = (state, dispatch) => {
  const place = questionAround(state);
  const line = lineOf(state);
  if (!place?.part || !line || !state.selection.empty) return false;
  const { $from, depth } = line;
  if ($from.parentOffset > 0 || $from.index(depth) > 0) return false;
  const holder = $from.node(depth);
  if (holder.type === nodes.question_statement) {
    const isEmpty = place.question.children.every(isBlank);
    return isEmpty ? deleteQuestion(state, dispatch) : true;
  }
  const { tr } = state;
  const start = $from.before(depth);
  if (isBlank(holder)) tr.delete(start, start + holder.nodeSize);
  dispatch?.(setCursor(tr, start, -1).scrollIntoView());
  return true;
};

/** Delete at the end of a part does not join the next part. */
export const deleteAtEnd: Command = (state) => {
  const line = lineOf(state);
  if (!line || !state.selection.empty) return false;
  const { $from, depth } = line;
  const holder = $from.node(depth);
  const next = holder.maybeChild($from.index(depth) + 1);
  return $from.parentOffset === $from.parent.content.size && (!next || next.type === nodes.question_remark);
};

/** Sets the kind of a question. Choices are removed from a kind without choices, and two are added to one with choices. */
export function setKind(pos: number, kind: string): Command {
  return (state, dispatch) => {
    const question = state.doc.nodeAt(pos);
    if (question?.type !== nodes.question) return false;
    const { tr } = state;
    const kept = question.children.filter(({ type }) => type !== nodes.question_choice || kind === 'one' || kind === 'several');
    const added = hasChoices({ attrs: { kind } } as unknown as Node) && countChoices(question) === 0;
    if (added) kept.splice(1, 0, emptyPart(nodes.question_choice), emptyPart(nodes.question_choice));
    if (kept.length !== question.childCount) {
      const { from } = state.selection;
      tr.replaceWith(pos + 1, pos + question.nodeSize - 1, kept);
      setCursor(tr, from > pos && from < pos + 1 + question.child(0).nodeSize ? from : pos + 1, 1);
    }
    dispatch?.(tr.setNodeAttribute(pos, 'kind', kind));
    return true;
  };
}
