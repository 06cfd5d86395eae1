import type { Node } from 'prosemirror-model';
import { isProse, textOf } from '../../../../shared/rich-text/block-text.ts';
import type { Candidate } from './candidate.ts';
import { answerWords, isKeyTitle, lettersIn } from './labels.ts';
import { cutOf, linesOf } from './lines.ts';

/** What a key at the end of a document says about one question. */
export interface KeyEntry {
  readonly indexes: readonly number[];
  readonly explanation: readonly Node[];
}

interface Written extends KeyEntry {
  readonly number: number;
}

export interface Key {
  /** Entries by index of the candidate. */
  readonly entries: ReadonlyMap<number, KeyEntry>;
  /** Returns the blocks that hold the key of accepted candidates only, and whether a part of the key must stay. */
  readonly remove: (accepted: readonly number[]) => { blocks: Node[]; isKept: boolean };
}

/** Largest number of choices that a key may name. */
const mostChoices = 20;

/**
 * Reads the key at the end of a document, or in its correction: tables, lists or lines of numbers and letters.
 * @param last block of the document with the last choices
 */
export function readKey(contenu: Node, corrige: Node | null, candidates: readonly Candidate[], last: Node | null): Key {
  const isNumbers = candidates.some(({ form }) => form === 'numbers');
  const zone = [...blocksBehind(contenu, last), ...(corrige ? childrenOf(corrige) : [])];
  const numbered = new Map<number, number[]>();
  let ordinal = 0;
  for (const [index, { start, form }] of candidates.entries()) {
    if (form === 'numbers' || form === 'bullets') continue;
    ordinal += 1;
    const number = start?.number ?? ordinal;
    numbered.set(number, [...(numbered.get(number) ?? []), index]);
  }
  const entries = new Map<number, KeyEntry>();
  const parts: { block: Node; before: Node | undefined; found: (number | null)[] }[] = [];
  for (const [at, block] of zone.entries()) {
    const written = writtenIn(block, isNumbers);
    if (written.length === 0) continue;
    const found = written.map(({ number, indexes, explanation }) => {
      const own = numbered.get(number) ?? [];
      const index = own.length === 1 ? own[0] : own.find((one) => !entries.has(one));
      const candidate = index === undefined ? undefined : candidates[index];
      if (index === undefined || !candidate) return null;
      // 'F' is the sixth choice, or 'Faux' where there are two.
      const named = candidate.form === 'true-false' && indexes.join() === '5' ? [1] : indexes;
      if (Math.max(...named) >= candidate.choices.length) return null;
      // A second list may give the reasons for the answers in the first one.
      const known = entries.get(index);
      if (known && known.indexes.join() !== named.join()) return null;
      entries.set(index, { indexes: named, explanation: [...(known?.explanation ?? []), ...explanation] });
      return index;
    });
    if (found.some((index) => index !== null)) parts.push({ block, before: zone[at - 1], found });
  }
  const remove = (accepted: readonly number[]) => {
    const whole = parts.filter(({ found }) => found.every((index) => index !== null && accepted.includes(index)));
    const titles = whole.flatMap(({ before }) => (before && isTitle(before) ? [before] : []));
    return { blocks: [...whole.map(({ block }) => block), ...titles], isKept: whole.length < parts.length };
  };
  return { entries, remove };
}

const isTitle = (block: Node): boolean => isProse(block) && isKeyTitle(textOf(block));

function childrenOf(parent: Node): Node[] {
  const children: Node[] = [];
  parent.forEach((child) => {
    children.push(child);
  });
  return children;
}

/** Returns the blocks behind the title of a key; without a title, a table at the end. */
function blocksBehind(doc: Node, last: Node | null): Node[] {
  const blocks = childrenOf(doc);
  const behind = blocks.slice(last ? blocks.indexOf(last) + 1 : 0);
  const at = behind.findIndex(isTitle);
  if (at !== -1) return behind.slice(at);
  const end = behind.at(-1);
  return end?.type.name === 'table' && /réponse/iu.test(end.textContent) ? [end] : [];
}

function writtenIn(block: Node, isNumbers: boolean): Written[] {
  switch (block.type.name) {
    case 'table':
      return inTable(block, isNumbers);
    case 'ordered_list':
    case 'bullet_list':
      return inList(block);
    case 'paragraph':
      return inLines(block);
    default:
      return [];
  }
}

/** Returns the choices of a text that names nothing else; `vrai` and `faux` are the first and second choice. */
function onlyLetters(text: string): number[] | null {
  const word = /^\s*(?:(vrai|v)|(faux|f))\s*\.?\s*$/iu.exec(text);
  if (word?.[1]) return [0];
  if (word?.[2] && word[2].length > 1) return [1];
  const letters = lettersIn(text, mostChoices);
  return letters && text.slice(letters.length).trim() === '' ? letters.indexes : null;
}

function inTable(table: Node, isNumbers: boolean): Written[] {
  const rows = childrenOf(table).map((row) => childrenOf(row));
  const text = (row: number, column: number): string => rows[row]?.[column]?.textContent.trim() ?? '';
  const number = (row: number, column: number): number | null => {
    const [, digits] = /^(?:question|q|n°)?\s*\.?\s*(\d{1,3})\s*[.):]?$/iu.exec(text(row, column)) ?? [];
    return digits === undefined ? null : Number(digits);
  };
  const letters = (row: number, column: number): number[] | null =>
    !isNumbers && /\d/.test(text(row, column)) ? null : onlyLetters(text(row, column));
  const isExplained = (column: number): boolean => /explication|justification|commentaire/iu.test(text(0, column));
  const beside: Written[] = [];
  const below: Written[] = [];
  for (const [row, cells] of rows.entries()) {
    for (let column = 0; column < cells.length; column += 1) {
      const own = number(row, column);
      if (own === null) continue;
      const right = letters(row, column + 1);
      const under = letters(row + 1, column);
      const explanation = isExplained(column + 2) ? childrenOf(cells[column + 2] as Node).filter(hasContent) : [];
      if (right) beside.push({ number: own, indexes: right, explanation });
      if (under) below.push({ number: own, indexes: under, explanation: [] });
      if (right) column += 1;
    }
  }
  return beside.length >= below.length ? beside : below;
}

const hasContent = (block: Node): boolean => block.type.name !== 'paragraph' || block.content.size > 0;

function inList(list: Node): Written[] {
  const written: Written[] = [];
  for (const [index, item] of childrenOf(list).entries()) {
    const [first, ...others] = childrenOf(item);
    if (!first || !isProse(first)) return [];
    const number = list.type.name === 'ordered_list' ? list.attrs.order + index : null;
    const entry = number === null ? inLines(first)[0] : entryOf(first, 0, first.content.size, number);
    if (!entry) return [];
    written.push({ ...entry, explanation: [...entry.explanation, ...others] });
  }
  return written;
}

const NUMBER = /^\s*(?:[;,|•·/–-]\s*)?(?:question|q)?\s*(?:n\s*°\s*)?(\d{1,3})\s*(?:[.):=→➔]|[–—-])*\s*/iu;

/** Returns the entries of a paragraph: `1. c ; 2. b, d`, or one entry on a line with its explanation; none when there is other text. */
function inLines(block: Node): Written[] {
  const written: Written[] = [];
  for (const line of linesOf(block)) {
    let at = 0;
    const own: Written[] = [];
    while (line.text.slice(at).trim() !== '') {
      const [words, digits] = NUMBER.exec(line.text.slice(at)) ?? [];
      if (words === undefined) break;
      const start = at + words.length;
      const text = line.text.slice(start);
      const skipped = answerWords(text) ?? /^\s*réponses?\s+/iu.exec(text)?.[0].length ?? 0;
      const letters = lettersIn(text.slice(skipped), mostChoices) ?? trueFalseIn(text.slice(skipped));
      if (!letters) break;
      own.push({ number: Number(digits), indexes: letters.indexes, explanation: [] });
      at = start + skipped + letters.length;
      at += /^[\s.;,|]*/.exec(line.text.slice(at))?.[0].length ?? 0;
    }
    const rest = line.text.slice(at).trim() !== '';
    if (own.length === 0 || (rest && own.length > 1)) return [];
    const explanation = rest ? explanationIn(block, line.from + at, line.to) : [];
    if (explanation === null) return [];
    written.push(...own.map((entry) => ({ ...entry, explanation: rest ? explanation : [] })));
  }
  return written;
}

function trueFalseIn(text: string): { indexes: number[]; length: number } | null {
  const word = /^\s*(vrai|faux)(?!\p{L})/iu.exec(text);
  return word ? { indexes: [/vrai/iu.test(word[0]) ? 0 : 1], length: word[0].length } : null;
}

function entryOf(block: Node, from: number, to: number, number: number): Written | null {
  const text = textOf(block).slice(from, to);
  const skipped = answerWords(text) ?? 0;
  const letters = lettersIn(text.slice(skipped), mostChoices) ?? trueFalseIn(text.slice(skipped));
  if (!letters) return null;
  const at = from + skipped + letters.length;
  const explanation = text.slice(at - from).trim() === '' ? [] : explanationIn(block, at, to);
  return explanation && { number, indexes: letters.indexes, explanation };
}

/** Returns the text behind an entry; null when it is not set apart from the letters, so that they are words of a sentence. */
function explanationIn(block: Node, from: number, to: number): Node[] | null {
  const before = textOf(block).slice(0, from);
  const text = textOf(block).slice(from, to);
  const sign = /^\s*(?:[.:;,–—-]|\(|car\b|parce\b)/iu.test(text) || /[.:;,)\]–—-]\s*$/.test(before);
  if (!sign) return null;
  const dash = /^[\s.:;,–—-]*/.exec(text)?.[0].length ?? 0;
  const rest = cutOf(block, from + dash, to);
  return rest ? [rest] : [];
}
