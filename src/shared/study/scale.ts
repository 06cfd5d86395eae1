import { isNumber, pointsIn, withoutPoints } from './written-points.ts';

/** A part of a scale: what it is for, and the most points that it gives. */
export interface ScalePart {
  label: string;
  max: number;
}

/** Limits of a scale. A longer list, or more points, is read as something else. */
const [maxParts, maxTotal] = [30, 200];
/** Longest text that is searched, in characters of HTML. */
const maxLength = 400_000;
const maxLabel = 80;

/** A heading, or a paragraph that begins in bold (level 7). */
interface Heading {
  kind: 'heading';
  level: number;
  label: string;
  /** Null if it names no points. */
  max: number | null;
}

/** A list or a table. */
interface Rows {
  kind: 'rows';
  parts: ScalePart[];
}

type Block = Heading | Rows;

/**
 * Returns the scale of an exercise or past subject; empty if none is written. In this order: the list or table below a heading 'Barème' of
 * the correction; points beside its headings and leading bold words ('Exercice 1 (5 points)'); the same of the statement; lists
 * 'Barème' of single parts of the correction.
 * @param corrige canonical HTML, as stored or as readers get it
 */
export function findScale(corrige: string, contenu: string): ScalePart[] {
  const [correction, statement] = [blocksOf(corrige), blocksOf(contenu)];
  const highest = Math.min(...correction.map((block) => (block.kind === 'heading' ? block.level : 7)));
  const choices = [
    () => listsBelow(correction, highest),
    () => scoredHeadings(correction),
    () => scoredHeadings(statement),
    () => listsBelow(correction, Number.POSITIVE_INFINITY),
  ];
  for (const choice of choices) {
    const parts = choice();
    const total = parts.reduce((sum, { max }) => sum + max, 0);
    if (parts.length > 0 && parts.length <= maxParts && total <= maxTotal) return parts;
  }
  return [];
}

const block = /<h([1-6])\b[^>]*>(.*?)<\/h\1>|<p\b[^>]*><strong>(.*?)<\/strong>([^<]{0,40})|<(ul|ol|table)\b[^>]*>/gs;

/** Returns the headings, lists and tables of an HTML text, in order; none of those within a list or a table. */
function blocksOf(html: string): Block[] {
  const text = html.slice(0, maxLength);
  const blocks: Block[] = [];
  const search = new RegExp(block);
  for (let match = search.exec(text); match; match = search.exec(text)) {
    const [, level, heading, bold = '', after = '', list] = match;
    if (list) {
      const { items, end } = list === 'table' ? tableRows(text, search.lastIndex) : listItems(text, search.lastIndex);
      blocks.push({ kind: 'rows', parts: items.flatMap(partOf) });
      search.lastIndex = end;
    } else {
      // Points behind bold words count only in brackets: what follows is the paragraph's text.
      const said = heading === undefined ? textOf(bold) + (/^\s*\([^)]*\)/.exec(textOf(after))?.[0] ?? '') : textOf(heading);
      const named = isTotal.test(said.trim()) || isScale.test(said.trim()) ? null : pointsIn(said);
      blocks.push({ kind: 'heading', level: Number(level ?? 7), label: labelOf(said), max: named });
    }
  }
  return blocks;
}

const isTotal = /^(total|note)(?![\p{L}])/iu;
const isScale = /^(barème|grille de notation|critères de notation)(?![\p{L}])/iu;

/** Returns the cells of each row of the table that begins at `start`. */
function tableRows(html: string, start: number): { items: string[][]; end: number } {
  const found = html.indexOf('</table>', start);
  const end = found < 0 ? html.length : found;
  const rows = html
    .slice(start, end)
    .split(/<tr\b[^>]*>/)
    .slice(1);
  return {
    items: rows.map((row) =>
      row
        .split(/<t[hd]\b[^>]*>/)
        .slice(1)
        .map(textOf),
    ),
    end,
  };
}

/** Returns the text of each item of the list that begins at `start`, without the lists within it. */
function listItems(html: string, start: number): { items: string[][]; end: number } {
  const items: string[][] = [];
  const tag = /<(\/?)(ul|ol|li)\b[^>]*>/g;
  tag.lastIndex = start;
  let depth = 1;
  for (let match = tag.exec(html); match; match = tag.exec(html)) {
    const [, closes, name] = match;
    if (name !== 'li') depth += closes ? -1 : 1;
    else if (!closes && depth === 1) {
      const text = html.slice(tag.lastIndex);
      items.push([textOf(text.slice(0, Math.max(0, text.search(/<\/li>|<[uo]l\b/))))]);
    }
    if (depth === 0) return { items, end: tag.lastIndex };
  }
  return { items, end: html.length };
}

/** Returns the part of a scale that a list's item or a table's row describes: its name comes first, its points at the end. */
function partOf([first = '', ...cells]: readonly string[]): ScalePart[] {
  const last = cells.at(-1);
  const max = last === undefined ? pointsIn(first, true) : pointsIn(isNumber.test(last) ? `(${last} points)` : `(${last})`);
  return max === null || isTotal.test(first) ? [] : [{ label: labelOf(first), max }];
}

/** Returns the parts of the list or table behind each heading 'Barème' whose level is at most this. */
const listsBelow = (blocks: readonly Block[], level: number): ScalePart[] =>
  blocks.flatMap((block, index) => {
    const next = blocks[index + 1];
    return block.kind === 'heading' && block.level <= level && isScale.test(block.label) && next?.kind === 'rows' ? next.parts : [];
  });

/**
 * Returns the headings that name points. Below such a heading others are its details and are left out, unless it is the only one: the
 * title over all parts.
 */
function scoredHeadings(blocks: readonly Block[]): ScalePart[] {
  const parts: ScalePart[] = [];
  const details: ScalePart[] = [];
  let outer = Number.POSITIVE_INFINITY;
  let section: Heading | null = null;
  for (const heading of blocks) {
    if (heading.kind === 'rows') continue;
    const { level, label, max } = heading;
    if (level <= outer) outer = Number.POSITIVE_INFINITY;
    if (max === null) {
      if (level < 7) section = heading;
      continue;
    }
    // '1' alone would not say which exercise it belongs to.
    const isBare = label.length <= 12 && section !== null && section.level < level;
    const named = { label: isBare ? labelOf(`${section?.label}, ${label}`) : label, max };
    if (level > outer) details.push(named);
    else {
      parts.push(named);
      outer = level;
    }
  }
  return parts.length === 1 && details.length > 1 ? details : parts;
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&nbsp;': ' ' };

/** Returns the visible text of HTML, with single spaces. */
const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&\w+;/g, (entity) => entities[entity] ?? entity)
    .replaceAll(/\s+/g, ' ');

const labelOf = (text: string): string => withoutPoints(text).slice(0, maxLabel) || 'Partie';
