import type { Attrs } from 'prosemirror-model';
import { type Command, type EditorState, NodeSelection, TextSelection, type Transaction } from 'prosemirror-state';
import { findWrapping } from 'prosemirror-transform';
import type { Alignment } from '../../../src/shared/rich-text/block-format.ts';
import { MAX_INDENT } from '../../../src/shared/rich-text/bounds.ts';
import { richTextSchema } from '../../../src/shared/rich-text/schema.ts';
import { firstBlock, hasFormat, type SelectedBlock, selectedBlocks, takeOut } from './selected-blocks.ts';

const { nodes, marks } = richTextSchema;

/** The kind of a text block for the toolbar: heading level, paragraph or code; null for other blocks. */
export type BlockKind = 1 | 2 | 3 | 4 | 5 | 6 | 'paragraph' | 'code' | null;

export function blockKind(state: EditorState): BlockKind {
  const block = firstBlock(state);
  if (block?.type === nodes.heading) return block.attrs.level;
  if (block?.type === nodes.paragraph) return 'paragraph';
  return block?.type === nodes.code_block ? 'code' : null;
}

/** Makes the selected blocks paragraphs (level 0) or headings. Keeps alignment, indentation and direction. */
export function setLevel(level: 0 | 1 | 2 | 3 | 4 | 5 | 6): Command {
  return changeBlocks(level === 0 ? nodes.paragraph : nodes.heading, level === 0 ? {} : { level });
}

/** Makes the selected blocks code, or paragraphs if they are code. */
export const toggleCodeBlock: Command = (state, dispatch) =>
  changeBlocks(firstBlock(state)?.type === nodes.code_block ? nodes.paragraph : nodes.code_block, {})(state, dispatch);

/** Changes the selected blocks that match `isMeant`. Returns false if there are none. */
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

/** A figure is a text block too (its caption), but as a heading it would lose its picture. */
const isNoFigure = ({ node }: SelectedBlock): boolean => node.type !== nodes.figure;

function changeBlocks(type: typeof nodes.paragraph, attrs: Attrs): Command {
  return changeEach(isNoFigure, (tr, { node, pos }) => {
    const { align, indent, dir } = node.attrs;
    const kept = type !== nodes.code_block && hasFormat(node) ? { align, indent, dir } : {};
    const from = tr.mapping.map(pos);
    tr.setBlockType(from + 1, from + 1 + node.content.size, type, { ...kept, ...attrs });
  });
}

/** Changes attributes of the selected paragraphs and headings. */
function setFormat(change: (attrs: Attrs) => Attrs, isMeant = ({ node }: SelectedBlock) => hasFormat(node)): Command {
  return changeEach(isMeant, (tr, { node, pos }) => {
    for (const [name, value] of Object.entries(change(node.attrs))) {
      if (node.attrs[name] !== value) tr.setNodeAttribute(pos, name, value);
    }
  });
}

/** Returns the alignment to store: null for the side at which the block's lines start. */
const named = (align: Alignment, { dir }: Attrs): Alignment => (align === (dir === 'rtl' ? 'right' : 'left') ? null : align);

export const setAlignment = (align: Alignment): Command => setFormat((attrs) => ({ align: named(align, attrs) }));

export function isAligned(state: EditorState, align: Alignment): boolean {
  const block = firstBlock(state);
  return block !== null && hasFormat(block) && named(block.attrs.align, block.attrs) === named(align, block.attrs);
}

export const canFormat = (state: EditorState): boolean => selectedBlocks(state).some(({ node }) => hasFormat(node));

/** Indents the selected blocks by one level (1) or back (-1), within 0 to 8 levels (specification §9). */
export function shiftIndent(by: 1 | -1): Command {
  return (state, dispatch) => {
    const next = ({ indent }: Attrs) => Math.max(0, Math.min(MAX_INDENT, indent + by));
    // Blocks in a list are not indented: list items have their own levels.
    const isMoved = ({ node, pos }: SelectedBlock) =>
      hasFormat(node) && next(node.attrs) !== node.attrs.indent && (by < 0 || state.doc.resolve(pos).parent.type !== nodes.list_item);
    return setFormat((attrs) => ({ indent: next(attrs) }), isMoved)(state, dispatch);
  };
}

/** Toggles the selected blocks and their lists between left-to-right and right-to-left. */
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

/** Puts the selection into one quotation, which replaces those within it. If the selection starts in a quotation, removes that one. */
export const toggleBlockquote: Command = (state, dispatch) => {
  const { tr } = state;
  if (dispatch) takeOut(tr, selectedBlocks(state), [nodes.blockquote]);
  if (!isQuoted(state)) {
    const { $from, $to } = tr.selection;
    // Several selected items are quoted together with their list.
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
  // A table cell inside a quotation does not count as quoted, as with lists.
  while (depth > 0 && $from.node(depth).type !== nodes.blockquote) depth = $from.node(depth).type.spec.isolating ? 0 : depth - 1;
  return depth > 0;
}

/** Makes the selection plain paragraphs without formatting. Links stay, because they are content. */
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

/** Moves from a caption, table or code block to an empty paragraph below it. */
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

/** Backspace at the start of a caption selects the whole figure. The next Backspace deletes it. */
export const selectFigure: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  if (!empty || $from.parent.type !== nodes.figure || $from.parentOffset > 0) return false;
  dispatch?.(state.tr.setSelection(NodeSelection.create(state.doc, $from.before())));
  return true;
};

/** A caption has one line: Enter moves the cursor below the figure. */
export const leaveFigure: Command = (state, dispatch) =>
  firstBlock(state)?.type === nodes.figure && state.selection instanceof TextSelection && paragraphBelow(state, dispatch);
