import { autoJoin, chainCommands } from 'prosemirror-commands';
import { type Node, NodeRange, type NodeType } from 'prosemirror-model';
import { liftListItem, sinkListItem, splitListItem, wrapRangeInList } from 'prosemirror-schema-list';
import type { Command, EditorState } from 'prosemirror-state';
import { MAX_LIST_DEPTH } from '../../../src/shared/rich-text/bounds.ts';
import { richTextSchema } from '../../../src/shared/rich-text/schema.ts';
import { shiftIndent } from './blocks.ts';
import { selectedBlocks, takeOut } from './selected-blocks.ts';

const { nodes } = richTextSchema;
const isList = ({ type }: Node): boolean => type === nodes.bullet_list || type === nodes.ordered_list;

/** The innermost list around the selection and where it begins, or null. A table within a list is out of it. */
export function listAround({ selection: { $from, $to } }: EditorState) {
  for (let depth = $from.sharedDepth($to.pos); depth > 0; depth -= 1) {
    const node = $from.node(depth);
    if (isList(node)) return { node, pos: $from.before(depth) };
    if (node.type.spec.isolating) return null;
  }
  return null;
}

/** What in a selection that no list is around is in lists, or can be: lists and blocks of text side by side. Pictures and tables are not. */
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

/** One list of this type out of the selection, whatever lists are in it; no list, when all of it is one. */
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
    // From the end: what comes before stays where it is. Lists side by side are joined.
    for (const { node, pos } of blocks.reverse()) {
      const $inside = tr.doc.resolve(pos + 1);
      if (!isList(node)) wrapRangeInList(tr, new NodeRange($inside, $inside, $inside.depth - 1), type);
    }
    dispatch(tr.scrollIntoView());
    return true;
  };
}

/** The number that the ordered list around the selection starts with. */
export function setListStart(order: number): Command {
  return (state, dispatch) => {
    const list = listAround(state);
    if (list?.node.type !== nodes.ordered_list) return false;
    dispatch?.(state.tr.setNodeAttribute(list.pos, 'order', order));
    return true;
  };
}

/** One level deeper, of 8 at most (specification §9): what hangs on the items sinks too. */
export const sinkItem: Command = (state, dispatch) => {
  const { $from, $to } = state.selection;
  const items = $from.blockRange($to, isList);
  if (!items) return false;
  // Where the lists end that stand open, from the outermost to the innermost.
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

/** In a list one level deeper, elsewhere one step to the right. */
export const indent: Command = (state, dispatch) => (listAround(state) ? sinkItem(state, dispatch) : shiftIndent(1)(state, dispatch));

export const outdent: Command = (state, dispatch) =>
  listAround(state) ? chainCommands(shiftIndent(-1), liftItem)(state, dispatch) : shiftIndent(-1)(state, dispatch);
