import { toggleMark } from 'prosemirror-commands';
import type { Mark, MarkType, ResolvedPos } from 'prosemirror-model';
import { type Command, type EditorState, TextSelection } from 'prosemirror-state';
import { linkAddress } from '../../../src/shared/rich-text/addresses.ts';
import { richTextSchema } from '../../../src/shared/rich-text/schema.ts';

const { marks } = richTextSchema;

/** Toggles a mark as word processors do: a partly marked selection becomes fully marked. */
export const toggle = (type: MarkType): Command => toggleMark(type, null, { removeWhenPresent: false });

/** Returns whether all selected text has the mark; without a selection, whether text typed next would have the mark. */
export function isMarked(state: EditorState, type: MarkType): boolean {
  const { empty, $from, ranges } = state.selection;
  if (empty) return Boolean(type.isInSet(state.storedMarks ?? $from.marks()));
  let some = false;
  let every = true;
  for (const { $from: from, $to: to } of ranges) {
    state.doc.nodesBetween(from.pos, to.pos, (node) => {
      if (!every) return false;
      if (!node.isText) return true;
      some = true;
      every = Boolean(type.isInSet(node.marks));
      return false;
    });
  }
  return some && every;
}

/** Sets a palette colour on the selected text, or removes the colour if `color` is null. */
export function setColor(type: MarkType, color: string | null): Command {
  return (state, dispatch) => {
    const { empty, ranges } = state.selection;
    // Code does not allow marks.
    if (!toggle(type)(state)) return false;
    if (!dispatch) return true;
    const { tr } = state;
    if (empty) {
      tr.removeStoredMark(type);
      if (color) tr.addStoredMark(type.create({ color }));
    } else {
      for (const { $from, $to } of ranges) {
        if (color) tr.addMark($from.pos, $to.pos, type.create({ color }));
        else tr.removeMark($from.pos, $to.pos, type);
      }
    }
    dispatch(tr.scrollIntoView());
    return true;
  };
}

/** Returns the colour at the beginning of the selection, or null. */
export function colorAt({ selection: { $from, empty }, storedMarks }: EditorState, type: MarkType): string | null {
  const here = storedMarks ?? (empty ? $from.marks() : ($from.nodeAfter?.marks ?? $from.marks()));
  return (type.isInSet(here)?.attrs.color as string | undefined) ?? null;
}

export interface LinkRange {
  readonly from: number;
  readonly to: number;
  readonly href: string;
  readonly text: string;
}

/** Returns the link at the beginning of the selection, with its whole range, or null. */
export function linkAt({ doc, selection: { $from, empty } }: EditorState): LinkRange | null {
  const mark = marks.link.isInSet($from.nodeAfter?.marks ?? []) ?? (empty ? marks.link.isInSet($from.nodeBefore?.marks ?? []) : undefined);
  if (!mark) return null;
  const [from, to] = rangeOf($from, mark);
  return { from, to, href: mark.attrs.href, text: doc.textBetween(from, to) };
}

function rangeOf($pos: ResolvedPos, mark: Mark): [from: number, to: number] {
  const { parent } = $pos;
  const carries = (index: number) => mark.isInSet(parent.maybeChild(index)?.marks ?? []);
  let first = $pos.index();
  if (!carries(first)) first -= 1;
  let last = first;
  while (first > 0 && carries(first - 1)) first -= 1;
  while (last < parent.childCount - 1 && carries(last + 1)) last += 1;
  let from = $pos.start();
  for (let index = 0; index < first; index += 1) from += parent.child(index).nodeSize;
  let to = from;
  for (let index = first; index <= last; index += 1) to += parent.child(index).nodeSize;
  return [from, to];
}

/** Links the selection, or changes the link around it, to `href`. Replaces the linked text if `text` differs. */
export function applyLink(href: string, text: string): Command {
  return (state, dispatch) => {
    const here = linkAt(state);
    const { from, to } = here ?? state.selection;
    const link = marks.link.create({ href });
    const written = state.doc.textBetween(from, to);
    const { tr } = state;
    if (from === to || (text !== '' && text !== written)) {
      const around = (state.storedMarks ?? state.doc.resolve(from).marksAcross(state.doc.resolve(to)) ?? []).filter(
        ({ type }) => type !== marks.link,
      );
      tr.replaceWith(from, to, state.schema.text(text || href, link.addToSet(around)));
    } else {
      tr.addMark(from, to, link);
    }
    dispatch?.(tr.removeStoredMark(marks.link).scrollIntoView());
    return true;
  };
}

/** Links the selected words of one block to a pasted address. Returns false if `pasted` is no address, or if the words are an address. */
export function linkPasted(pasted: string): Command {
  return (state, dispatch) => {
    const { empty, from, to, $from, $to } = state.selection;
    const href = linkAddress(pasted);
    if (empty || !href || !/^(?:https?:|mailto:)/i.test(href) || !(state.selection instanceof TextSelection)) return false;
    if (!$from.sameParent($to) || !$from.parent.type.allowsMarkType(marks.link)) return false;
    const words = state.doc.textBetween(from, to).trim();
    if (words === '' || linkAddress(words)) return false;
    dispatch?.(state.tr.addMark(from, to, marks.link.create({ href })).removeStoredMark(marks.link).scrollIntoView());
    return true;
  };
}

/** Removes the link and keeps its text. */
export const removeLink: Command = (state, dispatch) => {
  const here = linkAt(state);
  if (!here) return false;
  dispatch?.(state.tr.removeMark(here.from, here.to, marks.link));
  return true;
};
