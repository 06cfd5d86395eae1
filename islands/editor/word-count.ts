import type { Node } from 'prosemirror-model';

const counted = new WeakMap<Node, number>();

/** Returns the words of a part of a text; a formula is one word. Nodes do not change, so a counted one is not read again. */
export function wordsIn(node: Node): number {
  const known = counted.get(node);
  if (known !== undefined) return known;
  let words = 0;
  if (node.isTextblock) {
    const text = node.textBetween(0, node.content.size, ' ', ({ type }) => (type.name === 'formula' ? 'x' : ' '));
    for (const word of text.split(/\s+/)) if (/[\p{L}\p{N}]/u.test(word)) words += 1;
  } else if (node.type.name === 'formula_block') words = 1;
  else for (let index = 0; index < node.childCount; index += 1) words += wordsIn(node.child(index));
  counted.set(node, words);
  return words;
}

/** Words that are read in a minute, in a text that is studied. */
const WORDS_PER_MINUTE = 200;

/** Returns 'N mots, M min de lecture'. */
export function figuresOf(words: number): string {
  const minutes = Math.max(1, Math.round(words / WORDS_PER_MINUTE));
  return `${words.toLocaleString('fr-FR')} mot${words > 1 ? 's' : ''}${words === 0 ? '' : `, ${minutes} min de lecture`}`;
}
