import { type Change, diffArrays, diffWordsWithSpace } from 'diff';
import type { Node } from 'prosemirror-model';

/** Parts of two texts: common, added or removed. */
type Words = Pick<Change, 'value' | 'added' | 'removed'>[];

/** A difference between two texts, in the order of the texts. */
export type Difference =
  /** Blocks in both texts. */
  | { what: 'same'; blocks: number }
  /** A block in both texts whose words differ; `words` is null if only its format differs. */
  | { what: 'changed'; words: Words | null }
  | { what: 'removed' | 'added'; text: string };

/** Timeout for comparing two paragraphs, in ms. After a timeout both paragraphs are shown in full. */
const timeout = 200;

/** Compares two documents block by block, and changed blocks word by word. */
export function differencesOf(before: Node, after: Node): Difference[] {
  const [old, young] = [blocksOf(before), blocksOf(after)];
  const differences: Difference[] = [];
  let [oldAt, youngAt] = [0, 0];
  const parts = diffArrays(
    old.map(({ key }) => key),
    young.map(({ key }) => key),
  );
  for (const [index, { count, added, removed }] of parts.entries()) {
    if (!added && !removed) {
      differences.push({ what: 'same', blocks: count });
      oldAt += count;
      youngAt += count;
    } else if (removed) {
      const next = parts[index + 1];
      const replacing = next?.added ? next.count : 0;
      differences.push(...replaced(old.slice(oldAt, oldAt + count), young.slice(youngAt, youngAt + replacing)));
      oldAt += count;
      youngAt += replacing;
    } else if (!parts[index - 1]?.removed) {
      differences.push(...replaced([], young.slice(youngAt, youngAt + count)));
      youngAt += count;
    }
  }
  return differences;
}

interface Block {
  /** Comparison key: blocks with equal content have equal keys. */
  key: string;
  text: string;
}

const blocksOf = (doc: Node): Block[] => doc.children.map((node) => ({ key: JSON.stringify(node), text: textOf(node) }));

/** Returns a block's text: formulas as LaTeX, pictures and videos by their names. */
function textOf(node: Node): string {
  const leafText = (leaf: Node): string => {
    if (leaf.type.name === 'formula' || leaf.type.name === 'formula_block') return `$${leaf.attrs.latex}$`;
    if (leaf.type.name === 'hard_break') return '\n';
    return leaf.isText
      ? (leaf.text ?? '')
      : `[${[nameOf[leaf.type.name], leaf.attrs.alt ?? leaf.attrs.title].filter(Boolean).join(' : ')}]`;
  };
  const inside = node.isLeaf ? leafText(node) : node.textBetween(0, node.content.size, '\n', leafText);
  return node.type.name === 'figure' ? `[${['Image', node.attrs.alt].filter(Boolean).join(' : ')}] ${inside}` : inside;
}

const nameOf: Record<string, string> = { image: 'Image', video: 'Vidéo', horizontal_rule: 'Ligne' };

/** Pairs removed and added blocks. Two blocks with words in common count as one changed block. */
function replaced(old: readonly Block[], young: readonly Block[]): Difference[] {
  return Array.from({ length: Math.max(old.length, young.length) }, (_, index) => [old[index], young[index]] as const).flatMap(
    ([before, after]): Difference[] => {
      if (before && after) {
        const words = before.text === after.text ? null : wordsOf(before.text, after.text);
        if (words !== 'others') return [{ what: 'changed', words }];
      }
      return [
        ...(before ? [{ what: 'removed', text: before.text } as const] : []),
        ...(after ? [{ what: 'added', text: after.text } as const] : []),
      ];
    },
  );
}

/** Compares words. Returns 'others' if the texts have less than a third in common, or on a timeout. */
function wordsOf(before: string, after: string): Words | 'others' {
  const words = diffWordsWithSpace(before, after, { timeout });
  if (!words) return 'others';
  const shared = words.reduce((total, { value, added, removed }) => total + (added || removed ? 0 : value.length), 0);
  return shared * 3 < Math.min(before.length, after.length) ? 'others' : words;
}
