import type { Node } from 'prosemirror-model';
import { type Command, PluginKey } from 'prosemirror-state';

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The last pasted range, with a number that differs for each paste. */
export interface PastedRange extends Range {
  readonly serial: number;
}

/** The plugin that loads what edits questions (session/lazy-questions.ts). */
export const questionsKey = new PluginKey<PastedRange | null>('questions');

/** Makes questions of a selected numbered text with lettered choices. */
export const transformSelected: Command = (state, dispatch, view) => {
  if (state.selection.empty || !mayHoldQuestions(state.doc, state.selection)) return false;
  if (dispatch && view) questionsKey.get(state)?.spec.transform(view);
  return true;
};

/** Maximum length of a text in which choices are searched: the toolbar asks at each change of the selection. */
const maxLength = 100_000;

/** Returns whether a range has a line that may be a first choice, or a list. */
export function mayHoldQuestions(doc: Node, { from, to }: Range): boolean {
  if (to - from > maxLength) return true;
  let isList = false;
  doc.nodesBetween(from, to, ({ type }) => {
    if (type.name === 'list_item') isList = true;
    return !isList;
  });
  return isList || /(?:^|\n)\s*\(?\s*a\s*[.):–-]/i.test(doc.textBetween(from, to, '\n', '\n'));
}
