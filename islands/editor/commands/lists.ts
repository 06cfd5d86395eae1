import { autoJoin, chainCommands } from 'prosemirror-commands';
import { type Node, NodeRange, type NodeType } from 'prosemirror-model';
import { liftListItem, sinkListItem, splitListItem, wrapRangeInList } from 'prosemirror-schema-list';
import type { Command, EditorState } from 'prosemirror-state';
import { MAX_LIST_DEPTH } from '../../../src/shared/rich-text/bounds.ts';
import type { ListLabel } from '../../../src/shared/rich-text/list-labels.ts';
import { richTextSchema } from '../../../src/shared/rich-text/schema.ts';
import { shiftIndent } from './blocks.ts';
import { selectedBlocks, takeOut } from './selected-blocks.ts';

const { nodes } = richTextSchema;
const isList = ({ type }: Node): boolean => type === nodes.bullet_list || type === nodes.ordered_list;

/** Returns the innermost list around the selection and its position, or null. A table cell within a list is not in the list. */
export function listAround({ selection: { $from, $to } }: EditorState) {
  for (let depth = $from.sharedDepth($to.pos); depth > 0; depth -= 1) {
    const node = $from.node(depth);
    if (isList(node)) return { node, pos: $from.before(depth) };
    if (node.type.spec.isolating) return null;
  }
  return null;
}

/** Returns the selected blocks that are or can become lists, for a selection not within one list. Excludes pictures and tables. */
function sideBySide({ selection: { $from, $to } }: EditorState): { node: Node; pos: number }[] {
  const range = $from.blockRange($to);
  const found: { node: Node; pos: number }[] = [];
  if (!range) return found;
  let pos = range.start;
  for (let index = range.startIndex; index < range.endIndex; index += 1) {
    const node = range.parent.child(index);
    if (isList(node) || (node.isTextblock && !node.type.spec.isolating)) found.push({ node, pos });
    pos += node.nodeSize;
  }
  return found;
}

export function isInList(state: EditorState, type: NodeType): boolean {
  const list = listAround(state);
  if (list) return list.node.type === type;
  const blocks = sideBySide(state);
  return blocks.length > 0 && blocks.every(({ node }) => node.type === type);
}

/** Makes the selection one list of this type. If the entire selection already is such a list, removes the list. */
export const toggleList =
  (type: NodeType): Command =>
  (state, dispatch) =>
    (isInList(state, type) ? leaveLists : autoJoin(makeList(type), ['bullet_list', 'ordered_list']))(state, dispatch);

const leaveLists: Command = (state, dispatch) => {
  const { $from, $to } = state.selection;
  if ($from.sameParent($to)) return liftItem(state, dispatch);
  const { tr } = state;
  if (dispatch) takeOut(tr, selectedBlocks(state), [nodes.list_item]);
  dispatch?.(tr.scrollIntoView());
  return true;
};

function makeList(type: NodeType): Command {
  return (state, dispatch) => {
    const { from, to } = state.selection;
    const list = listAround(state);
    const blocks = list ? [] : sideBySide(state);
    if (!list && blocks.length === 0) return false;
    if (!dispatch) return true;
    const { tr } = state;
    state.doc.nodesBetween(from, to, (node, pos) => {
      if (isList(node) && pos >= (list?.pos ?? blocks[0]?.pos ?? 0)) tr.setNodeMarkup(pos, type, { dir: node.attrs.dir });
      return !node.type.spec.tableRole;
    });
    // From the end, so that earlier positions stay valid. autoJoin joins adjacent lists.
    for (const { node, pos } of blocks.reverse()) {
      const $inside = tr.doc.resolve(pos + 1);
      if (!isList(node)) wrapRangeInList(tr, new NodeRange($inside, $inside, $inside.depth - 1), type);
    }
    dispatch(tr.scrollIntoView());
    return true;
  };
}

/** Sets the first number and the label of the ordered list around the selection. */
export function setNumbering({ order, label }: { order: number; label: ListLabel }): Command {
  return (state, dispatch) => {
    const list = listAround(state);
    if (list?.node.type !== nodes.ordered_list) return false;
    dispatch?.(state.tr.setNodeMarkup(list.pos, null, { ...list.node.attrs, order, label }));
    return true;
  };
}

/** Indents list items with their nested lists, up to 8 levels (specification §9). */
export const sinkItem: Command = (state, dispatch) => {
  const { $from, $to } = state.selection;
  const items = $from.blockRange($to, isList);
  if (!items) return false;
  // End positions of the lists currently open, outermost first.
  const open: number[] = [];
  let depth = 0;
  state.doc.nodesBetween(items.start, items.end, (node, pos) => {
    if (!isList(node)) return;
    while ((open.at(-1) ?? pos + 1) <= pos) open.pop();
    depth = Math.max(depth, open.push(pos + node.nodeSize));
  });
  return depth < MAX_LIST_DEPTH && sinkListItem(nodes.list_item)(state, dispatch);
};
export const liftItem: Command = liftListItem(nodes.list_item);
export const splitItem: Command = splitListItem(nodes.list_item);

/** Indents a list item, or outside a list the block. */
export const indent: Command = (state, dispatch) => (listAround(state) ? sinkItem(state, dispatch) : shiftIndent(1)(state, dispatch));

export const outdent: Command = (state, dispatch) =>
  listAround(state) ? chainCommands(shiftIndent(-1), liftItem)(state, dispatch) : shiftIndent(-1)(state, dispatch);
