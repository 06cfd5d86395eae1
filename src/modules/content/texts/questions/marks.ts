import { Fragment, type Node } from 'prosemirror-model';
import type { Choice } from './choices.ts';

/** How an author shows the right choices in the choices themselves, the clearest way first. */
export const ways = ['box', 'sign', 'background_color', 'strong', 'underline', 'text_color'] as const;
export type Way = (typeof ways)[number];

/** Ways that an author also uses for other reasons. */
export const isWeak = (way: Way): boolean => way === 'strong' || way === 'underline' || way === 'text_color';

/** Returns the indexes of the choices that are shown as right in a way. */
export const shownRight = (choices: readonly Choice[], way: Way): number[] =>
  choices.flatMap((choice, index) => (isShown(choice, way) ? [index] : []));

function isShown({ blocks, box, isSigned }: Choice, way: Way): boolean {
  if (way === 'box') return box === true;
  if (way === 'sign') return isSigned;
  return isMarked(blocks, way);
}

/** Returns whether all words have a mark. Formulas decide when there are no words: not every program marks them. */
function isMarked(blocks: readonly Node[], mark: string): boolean {
  const words = { all: 0, marked: 0 };
  const formulas = { all: 0, marked: 0 };
  for (const block of blocks) {
    block.descendants((node) => {
      const counts = node.isText
        ? /[\p{L}\p{N}]/u.test(node.text ?? '')
          ? words
          : null
        : /^formula/.test(node.type.name)
          ? formulas
          : null;
      if (!counts) return;
      counts.all += 1;
      if (node.marks.some(({ type }) => type.name === mark)) counts.marked += 1;
    });
    if (block.type.name === 'formula_block') formulas.all += 1;
  }
  const decisive = words.all > 0 ? words : formulas;
  return decisive.all > 0 && decisive.marked === decisive.all;
}

/** Returns blocks without some marks. */
export const unmarked = (blocks: readonly Node[], marks: readonly string[]): Node[] => blocks.map((block) => without(block, marks));

function without(node: Node, marks: readonly string[]): Node {
  if (node.isInline) return node.mark(node.marks.filter(({ type }) => !marks.includes(type.name)));
  if (node.isLeaf) return node;
  const children: Node[] = [];
  node.forEach((child) => {
    children.push(without(child, marks));
  });
  return node.copy(Fragment.fromArray(children));
}
