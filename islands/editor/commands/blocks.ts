import type { Attrs } from 'prosemirror-model';
import { type Command, type EditorState, NodeSelection, TextSelection, type Transaction } from 'prosemirror-state';
import { findWrapping } from 'prosemirror-transform';
import type { Alignment } from '../../../src/shared/rich-text/block-format.ts';
import { MAX_INDENT } from '../../../src/shared/rich-text/bounds.ts';
import { richTextSchema } from '../../../src/shared/rich-text/schema.ts';
import { firstBlock, hasFormat, type SelectedBlock, selectedBlocks, takeOut } from './selected-blocks.ts';

const { nodes, marks } = richTextSchema;

/** What a block of text is, for the toolbar: a level, a paragraph, code; null for the rest. */
export type BlockKind = 1 | 2 | 3 | 4 | 5 | 6 | 'paragraph' | 'code' | null;

export function blockKind(state: EditorState): BlockKind {
  const block = firstBlock(state);
  if (block?.type === nodes.heading) return block.attrs.level;
  if (block?.type === nodes.paragraph) return 'paragraph';
  return block?.type === nodes.code_block ? 'code' : null;
}

/** Makes the selected blocks paragraphs (level 0) or headings; their alignment, indentation and direction stay. */
export function setLevel(level: 0 | 1 | 2 | 3 | 4 | 5 | 6): Command {
  return changeBlocks(level === 0 ? nodes.paragraph : nodes.heading, level === 0 ? {} : { level });
}

/** Makes the selected blocks code, or paragraphs again when they are code. */
export const toggleCodeBlock: Command = (state, dispatch) =>
  changeBlocks(firstBlock(state)?.type === nodes.code_block ? nodes.paragraph : nodes.code_block, {})(state, dispatch);

/** Changes those blocks of the selection that are meant, if there are any. */
function changeEach(isMeant: (block: SelectedBlock) => boolean, change: (tr: Transaction, block: SelectedBlock) => void): Command {
  return (state, dispatch) => {
    const blocks = selectedBlocks(state).filter(isMeant);
    if (blocks.length === 0) return false;
    if (!dispatch) return true;
    const { tr } = state;
    for (const block of blocks) change(tr, block);
    dispatch(tr.scrollIntoView());
    return true;
  };
}

/** A figure is a block of text too, its caption; as a heading it would lose its picture. */
const isNoFigure = ({ node }: SelectedBlock): boolean => node.type !== nodes.figure;

function changeBlocks(type: typeof nodes.paragraph, attrs: Attrs): Command {
  return changeEach(isNoFigure, (tr, { node, pos }) => {
    const { align, indent, dir } = node.attrs;
    const kept = type !== nodes.code_block && hasFormat(node) ? { align, indent, dir } : {};
    const from = tr.mapping.map(pos);
    tr.setBlockType(from + 1, from + 1 + node.content.size, type, { ...kept, ...attrs });
  });
}

/** The paragraphs and headings of the selection, with other attributes. */
function setFormat(change: (attrs: Attrs) => Attrs, isMeant = ({ node }: SelectedBlock) => hasFormat(node)): Command {
  return changeEach(isMeant, (tr, { node, pos }) => {
    for (const [name, value] of Object.entries(change(node.attrs))) {
      if (node.attrs[name] !== value) tr.setNodeAttribute(pos, name, value);
    }
  });
}

/** What an alignment is called in a block: where its lines start anyway it has no name. */
const named = (align: Alignment, { dir }: Attrs): Alignment => (align === (dir === 'rtl' ? 'right' : 'left') ? null : align);

export const setAlignment = (align: Alignment): Command => setFormat((attrs) => ({ align: named(align, attrs) }));

export function isAligned(state: EditorState, align: Alignment): boolean {
  const block = firstBlock(state);
  return block !== null && hasFormat(block) && named(block.attrs.align, block.attrs) === named(align, block.attrs);
}

export const canFormat = (state: EditorState): boolean => selectedBlocks(state).some(({ node }) => hasFormat(node));

/** One level of indentation more (1) or less (-1), of 8 at most (specification §9). */
export function shiftIndent(by: 1 | -1): Command {
  return (state, dispatch) => {
    const next = ({ indent }: Attrs) => Math.max(0, Math.min(MAX_INDENT, indent + by));
    // Blocks beside a list sink by themselves: its items have the list's levels.
    const isMoved = ({ node, pos }: SelectedBlock) =>
      hasFormat(node) && next(node.attrs) !== node.attrs.indent && (by < 0 || state.doc.resolve(pos).parent.type !== nodes.list_item);
    return setFormat((attrs) => ({ indent: next(attrs) }), isMoved)(state, dispatch);
  };
}

/** Turns the direction of the selected blocks, and of the lists they stand in, to right-to-left and back. */
export const toggleDirection: Command = (state, dispatch) => {
  const dir = isRightToLeft(state) ? null : 'rtl';
  const { from, to } = state.selection;
  return setFormat(({ align }) => ({ dir, align: dir === null && align === 'left' ? null : align }))(
    state,
    dispatch &&
      ((tr) => {
        state.doc.nodesBetween(from, to, ({ type }, pos) => {
          if (type === nodes.bullet_list || type === nodes.ordered_list) tr.setNodeAttribute(pos, 'dir', dir);
        });
        dispatch(tr);
      }),
  );
};

export const isRightToLeft = (state: EditorState): boolean => firstBlock(state)?.attrs.dir === 'rtl';

/** Makes the selection one quotation, whatever quotations are in it, or takes it out of the one that it begins in. */
export const toggleBlockquote: Command = (state, dispatch) => {
  const { tr } = state;
  if (dispatch) takeOut(tr, selectedBlocks(state), [nodes.blockquote]);
  if (!isQuoted(state)) {
    const { $from, $to } = tr.selection;
    // Several items are quoted with their list.
    const range = $from.blockRange($to, ({ type }) => type !== nodes.bullet_list && type !== nodes.ordered_list);
    const wrapping = range && findWrapping(range, nodes.blockquote);
    if (!range || !wrapping) return false;
    tr.wrap(range, wrapping);
  }
  dispatch?.(tr.scrollIntoView());
  return true;
};

export function isQuoted({ selection: { $from } }: EditorState): boolean {
  let depth = $from.depth;
  // A table within a quotation is out of it, as it is out of a list.
  while (depth > 0 && $from.node(depth).type !== nodes.blockquote) depth = $from.node(depth).type.spec.isolating ? 0 : depth - 1;
  return depth > 0;
}

/** Plain paragraphs of plain text again; links stay, since they are content. */
export const clearFormatting: Command = (state, dispatch) => {
  if (!dispatch) return true;
  const { tr } = state;
  const formats = Object.values(marks).filter((type) => type !== marks.link);
  for (const { $from, $to } of state.selection.ranges) for (const type of formats) tr.removeMark($from.pos, $to.pos, type);
  const blocks = selectedBlocks(state).filter(isNoFigure);
  for (const { node, pos } of blocks) {
    if (hasFormat(node)) tr.setNodeMarkup(pos, nodes.paragraph, null);
    else tr.setBlockType(pos + 1, pos + 1, nodes.paragraph);
  }
  takeOut(tr, blocks, [nodes.list_item, nodes.blockquote]);
  dispatch(tr.setStoredMarks([]).scrollIntoView());
  return true;
};

/** From a caption, a table or the like to an empty paragraph below. */
export const paragraphBelow: Command = (state, dispatch) => {
  const { $to } = state.selection;
  for (let depth = $to.depth; depth > 0; depth -= 1) {
    const { type } = $to.node(depth);
    if (type !== nodes.figure && type !== nodes.table && type !== nodes.code_block) continue;
    const after = $to.after(depth);
    const { tr } = state;
    const next = tr.doc.resolve(after).nodeAfter;
    if (next?.type !== nodes.paragraph || next.content.size > 0) tr.insert(after, nodes.paragraph.create());
    dispatch?.(tr.setSelection(TextSelection.create(tr.doc, after + 1)).scrollIntoView());
    return true;
  }
  return false;
};

/** From the beginning of a caption Backspace reaches the whole figure; the next one takes it away. */
export const selectFigure: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  if (!empty || $from.parent.type !== nodes.figure || $from.parentOffset > 0) return false;
  dispatch?.(state.tr.setSelection(NodeSelection.create(state.doc, $from.before())));
  return true;
};

/** A caption is one line: Enter goes on below the figure. */
export const leaveFigure: Command = (state, dispatch) =>
  firstBlock(state)?.type === nodes.figure && state.selection instanceof TextSelection && paragraphBelow(state, dispatch);
