import { autoJoin, chainCommands } from 'prosemirror-commands';
import type { NodeType } from 'prosemirror-model';
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list';
import type { Command, EditorState } from 'prosemirror-state';
import { richTextSchema } from '../../../src/shared/rich-text/schema.ts';
import { shiftIndent } from './blocks.ts';

const { nodes } = richTextSchema;
const isList = (type: NodeType): boolean => type === nodes.bullet_list || type === nodes.ordered_list;

/** The innermost list around the selection and where it begins, or null. A table within a list is out of it. */
export function listAround({ selection: { $from, $to } }: EditorState) {
  for (let depth = $from.sharedDepth($to.pos); depth > 0; depth -= 1) {
    const node = $from.node(depth);
    if (isList(node.type)) return { node, pos: $from.before(depth) };
    if (node.type.spec.isolating) return null;
  }
  return null;
}

/** A list of this type out of the selection; of another type, when it is a list; no list, when it is this one. */
export function toggleList(type: NodeType): Command {
  return (state, dispatch) => {
    const list = listAround(state);
    if (list?.node.type === type) return liftListItem(nodes.list_item)(state, dispatch);
    if (!list) return autoJoin(wrapInList(type), ['bullet_list', 'ordered_list'])(state, dispatch);
    dispatch?.(state.tr.setNodeMarkup(list.pos, type, { dir: list.node.attrs.dir }));
    return true;
  };
}

export const isInList = (state: EditorState, type: NodeType): boolean => listAround(state)?.node.type === type;

/** The number that the ordered list around the selection starts with. */
export function setListStart(order: number): Command {
  return (state, dispatch) => {
    const list = listAround(state);
    if (list?.node.type !== nodes.ordered_list) return false;
    dispatch?.(state.tr.setNodeAttribute(list.pos, 'order', order));
    return true;
  };
}

export const sinkItem: Command = sinkListItem(nodes.list_item);
export const liftItem: Command = liftListItem(nodes.list_item);
export const splitItem: Command = splitListItem(nodes.list_item);

/** In a list one level deeper, elsewhere one step to the right. */
export const indent: Command = (state, dispatch) => (listAround(state) ? sinkItem(state, dispatch) : shiftIndent(1)(state, dispatch));

export const outdent: Command = (state, dispatch) =>
  listAround(state) ? chainCommands(shiftIndent(-1), liftItem)(state, dispatch) : shiftIndent(-1)(state, dispatch);
