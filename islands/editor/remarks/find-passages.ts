import type { Node } from 'prosemirror-model';
import { questionFaults } from '../../../src/shared/questions/question-fault.ts';
import {
  excerpt,
  type Passage,
  passagesOf,
  quotedBefore,
  unreadableFormula,
  unsettled,
} from '../../../src/shared/rich-text/remark-forms.ts';

/** A passage of a remark. */
export interface Wanted {
  /** The same for a passage while others of its remark are settled. */
  key: string;
  remark: string;
  /** Index among the remark's passages. */
  index: number;
  passage: Passage;
}

/** The block that holds a passage. */
export interface Block {
  /** Index of the document. */
  doc: number;
  /** Position before the block. */
  pos: number;
  node: Node;
}

/** Returns the passages that are still to be settled. */
export const wantedPassages = (remarks: readonly string[]): Wanted[] =>
  remarks.flatMap((remark) =>
    passagesOf(remark).flatMap((passage, index) =>
      passage.kind === 'after' && passage.settled ? [] : [{ key: `${unsettled(remark)} ${index}`, remark, index, passage }],
    ),
  );

/**
 * Returns the block of each passage that is found. Passages with the same text get its occurrences one after the other, in order.
 * @param known blocks of passages that are already shown; they are kept
 * @param lost the last known blocks of passages that are no longer shown: such a block is looked for first
 */
export function findPassages(
  docs: readonly Node[],
  wanted: readonly Wanted[],
  known: ReadonlyMap<string, Block> = new Map(),
  lost: ReadonlyMap<string, Node> = new Map(),
): Map<string, Block> {
  const texts = docs.map(readText);
  const found = new Map<string, Block>();
  const taken = new Set<string>();
  const take = ({ key }: Wanted, { block, match }: Candidate) => {
    found.set(key, block);
    taken.add(match);
  };
  for (const one of wanted) {
    const block = known.get(one.key);
    if (!block) continue;
    const own = candidatesOf(one, docs, texts).find(
      ({ block: { doc, pos }, match }) => doc === block.doc && pos === block.pos && !taken.has(match),
    );
    take(one, { block, match: own?.match ?? '' });
  }
  for (const one of wanted) {
    if (found.has(one.key)) continue;
    const last = lost.get(one.key);
    const again = last && last.content.size > 0 ? texts.flatMap((text) => text.blocks).find(({ block }) => block.node.eq(last)) : undefined;
    const candidate = again ? { block: again.block, match: '' } : candidatesOf(one, docs, texts).find(({ match }) => !taken.has(match));
    if (candidate) take(one, candidate);
  }
  return found;
}

/** A block that may hold a passage, and the name of the passage in it: a passage is the one of one remark only. */
interface Candidate {
  block: Block;
  match: string;
}

/** The blocks of a document, with their text, and its formulas. */
interface Text {
  blocks: { block: Block; text: string }[];
  formulas: (Candidate & { latex: string })[];
}

/** Text as it is compared: spaces differ between a file and a document, and a formula has no text. */
const squeezed = (text: string): string => text.replaceAll(/[\s\ufffc]+/g, '').normalize('NFC');

function readText(doc: Node, index: number): Text {
  const text: Text = { blocks: [], formulas: [] };
  doc.descendants((node, pos) => {
    if (typeof node.attrs.latex === 'string') {
      const place = doc.resolve(pos);
      const block = node.isInline ? { doc: index, pos: place.before(), node: place.parent } : { doc: index, pos, node };
      text.formulas.push({ block, latex: node.attrs.latex, match: `${index} ${pos}` });
      if (!node.isInline) text.blocks.push({ block, text: '' });
      return false;
    }
    if (node.isTextblock)
      text.blocks.push({ block: { doc: index, pos, node }, text: squeezed(node.textBetween(0, node.content.size, undefined, '\ufffc')) });
    return !node.isText;
  });
  return text;
}

function candidatesOf({ passage, remark }: Wanted, docs: readonly Node[], texts: readonly Text[]): Candidate[] {
  const formulas = texts.flatMap((text) => text.formulas);
  switch (passage.kind) {
    case 'after': {
      const occurrences = occurrencesOf(passage.text, texts);
      // A shorter text is all that is before the place in its paragraph.
      const first = passage.text.length < quotedBefore - 2 ? occurrences.filter(({ at }) => at === 0) : [];
      return first.length > 0 ? first : occurrences;
    }
    case 'written':
      for (const written of passage.texts) {
        const sought = squeezed(written);
        const found = [
          ...occurrencesOf(written, texts),
          ...formulas.filter(({ latex }) => sought !== '' && squeezed(latex).startsWith(sought)),
        ];
        if (found.length > 0) return found;
      }
      return [];
    case 'formula':
      return formulas.filter(({ latex }) => remark.startsWith(`${unreadableFormula}${excerpt(latex)} (`));
    case 'question': {
      const block = docs.flatMap(questionsOf)[passage.number - 1];
      return block && docs.flatMap(questionFaults)[passage.number - 1] ? [{ block, match: `question ${passage.number}` }] : [];
    }
  }
}

function questionsOf(doc: Node, index: number): Block[] {
  const questions: Block[] = [];
  doc.forEach((node, pos) => {
    if (node.type.name === 'question') questions.push({ doc: index, pos, node });
  });
  return questions;
}

/** Returns the blocks that hold a text, once for each time, without overlaps. */
function occurrencesOf(written: string, texts: readonly Text[]): (Candidate & { at: number })[] {
  const sought = squeezed(written);
  if (sought === '') return [];
  return texts
    .flatMap(({ blocks }) => blocks)
    .flatMap(({ block, text }) => {
      const all: (Candidate & { at: number })[] = [];
      for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + sought.length))
        all.push({ block, at, match: `${block.doc} ${block.pos} ${at} ${sought}` });
      return all;
    });
}
