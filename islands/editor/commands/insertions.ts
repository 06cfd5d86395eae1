import type { Attrs, Node, NodeType } from 'prosemirror-model';
import { type Command, type EditorState, NodeSelection, Selection, TextSelection, type Transaction } from 'prosemirror-state';
import type { QuestionKind } from '../../../src/shared/rich-text/question-kinds.ts';
import { richTextSchema } from '../../../src/shared/rich-text/schema.ts';

const { nodes } = richTextSchema;

/** Attributes from the picture dialog. */
export interface ImageAttributes {
  src: string;
  alt: string;
  width: number | null;
  height: number | null;
}

/** Returns the selected node if it has one of these types, or null. */
export function selectedNode({ selection }: EditorState, ...names: string[]): Node | null {
  return selection instanceof NodeSelection && names.includes(selection.node.type.name) ? selection.node : null;
}

/** Inserts a block at the selection and moves the cursor to the text after the block, or to a new paragraph if no text follows. */
export function insertBlock(block: Node): Command {
  return (state, dispatch) => {
    const { $from, $to } = state.selection;
    if (!dispatch) return true;
    const { tr } = state;
    const { parent } = $from;
    // Replace an empty paragraph from outside: replacing its content would leave a second paragraph.
    const alone =
      parent.type === nodes.paragraph &&
      parent.content.size === 0 &&
      $from.node(-1).canReplaceWith($from.index(-1), $from.index(-1) + 1, block.type);
    if (alone) tr.replaceWith($from.before(), $from.after(), block);
    else tr.replaceRangeWith($from.pos, $to.pos, block);
    dispatch(continueBehind(tr, block).scrollIntoView());
    return true;
  };
}

function continueBehind(tr: Transaction, block: Node): Transaction {
  let end: number | null = null;
  tr.mapping.maps.at(-1)?.forEach((_from, _to, start, stop) => {
    tr.doc.nodesBetween(start, Math.min(stop, tr.doc.content.size), (node, pos) => {
      if (node === block || (node.type === block.type && node.eq(block))) end = pos + node.nodeSize;
      return end === null;
    });
  });
  if (end === null) return tr;
  const $end = tr.doc.resolve(end);
  if (!$end.nodeAfter?.isTextblock || $end.nodeAfter.type === nodes.figure) {
    if (!$end.parent.canReplaceWith($end.index(), $end.index(), nodes.paragraph)) return tr;
    tr.insert(end, nodes.paragraph.create());
  }
  return tr.setSelection(TextSelection.create(tr.doc, end + 1));
}

/** Replaces the selection with an inline node. */
function insertInline(node: Node): Command {
  return (state, dispatch) => {
    dispatch?.(state.tr.replaceSelectionWith(node).scrollIntoView());
    return true;
  };
}

/** Changes attributes of the selected node, which stays selected. */
export function updateSelected(attrs: Attrs): Command {
  return (state, dispatch) => {
    const { selection } = state;
    if (!(selection instanceof NodeSelection)) return false;
    const { tr } = state;
    for (const [name, value] of Object.entries(attrs)) {
      if (selection.node.attrs[name] !== value) tr.setNodeAttribute(selection.from, name, value);
    }
    dispatch?.(tr.setSelection(NodeSelection.create(tr.doc, selection.from)));
    return true;
  };
}

/** Replaces the selected node. A block that replaces inline content, or the reverse, is inserted at the nearest valid position. */
function replaceSelected(node: Node): Command {
  return (state, dispatch) => {
    const { selection } = state;
    if (!(selection instanceof NodeSelection)) return false;
    if (!node.isInline && selection.node.isInline) return insertBlock(node)(state, dispatch);
    const inParagraph = node.isInline && !selection.node.isInline;
    const { tr } = state;
    tr.replaceWith(selection.from, selection.to, inParagraph ? nodes.paragraph.create(null, node) : node);
    dispatch?.(tr.setSelection(NodeSelection.create(tr.doc, selection.from + Number(inParagraph))).scrollIntoView());
    return true;
  };
}

export function insertFormula(latex: string, display: boolean): Command {
  const node = (display ? nodes.formula_block : nodes.formula).create({ latex });
  return (state, dispatch) => {
    if (selectedNode(state, 'formula', 'formula_block')) return replaceSelected(node)(state, dispatch);
    return (display ? insertBlock : insertInline)(node)(state, dispatch);
  };
}

export const insertRule: Command = insertBlock(nodes.horizontal_rule.create());

/** Inserts a figure with a caption or, if `inline`, a picture within the line. */
export function insertImage(attrs: ImageAttributes, inline: boolean, caption: string): Command {
  const node = inline ? nodes.image.create(attrs) : nodes.figure.create(attrs, caption ? richTextSchema.text(caption) : null);
  return (state, dispatch) => {
    if (selectedNode(state, 'image', 'figure')) return replaceSelected(node)(state, dispatch);
    return (inline ? insertInline : insertBlock)(node)(state, dispatch);
  };
}

export function insertVideo(src: string, title: string): Command {
  const node = nodes.video.create({ src, title });
  return (state, dispatch) => (selectedNode(state, 'video') ? replaceSelected(node) : insertBlock(node))(state, dispatch);
}

const part = (type: NodeType): Node => type.create(null, nodes.paragraph.create());

/** Inserts a question at the top level, after the block that holds the selection. An empty line is replaced. Choices are empty. */
export const insertQuestionOf =
  (kind: QuestionKind): Command =>
  (state, dispatch) => {
    const { $to } = state.selection;
    const end = $to.depth > 0 ? $to.after(1) : $to.pos;
    const isEmptyLine = $to.depth === 1 && $to.parent.type === nodes.paragraph && $to.parent.content.size === 0;
    const start = isEmptyLine ? $to.before(1) : end;
    if (!dispatch) return true;
    const choices = kind === 'one' || kind === 'several' ? [part(nodes.question_choice), part(nodes.question_choice)] : [];
    const question = nodes.question.create({ kind }, [part(nodes.question_statement), ...choices]);
    const tr = state.tr.replaceWith(start, end, question);
    dispatch(tr.setSelection(Selection.near(tr.doc.resolve(start + 1))).scrollIntoView());
    return true;
  };

export const insertQuestion: Command = insertQuestionOf('one');
