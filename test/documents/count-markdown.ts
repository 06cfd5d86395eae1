import type { Counts } from './counts.ts';

// A count of what a Markdown file says, written without the parser that it measures: patterns, one after the other, each taking what it counts away.

/** Stands for a formula in the text that is left. */
const FORMULA = '\u0001';
const WITHIN = '(?:(?!\\n[ \\t>]*\\n)[\\s\\S])';

/** Letters and digits: what Markdown writes beside them may be its own. */
export const letters = (text: string): number => (text.normalize('NFC').match(/[\p{L}\p{N}]/gu) ?? []).length;

/** What a Markdown text holds: formulas by pandoc's rules for dollars, and between TeX's signs; `text` are its letters and digits. */
export function countMarkdown(source: string): Counts {
  let equations = 0;
  let images = 0;
  let links = 0;
  let code = 0;
  const formula = (): string => {
    equations += 1;
    return FORMULA;
  };
  const kept = (_: string, content: string): string => {
    code += letters(content);
    return '';
  };
  const text = source
    .replaceAll('\r\n', '\n')
    .replace(/^---\n(?:[\p{L}_-]+:.*\n)+---\n/u, '')
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/^[ \t]*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n[ \t]*\1[ \t]*$/gm, (all, _, content: string) => kept(all, content))
    .replaceAll(/(?<=^|\n[ \t]*\n)((?: {4}[^\n]*(?:\n|$))+)(?=\n|$)/g, (all, block: string) =>
      isItemsText(source, block) ? all : kept(all, block),
    )
    .replaceAll(/(?<!`)(`+)(?!`)([\s\S]*?[^`])\1(?!`)/g, (all, _, content: string) => kept(all, content))
    .replaceAll('\\$', '')
    .replaceAll(/\]\([^()\s]+/g, '](#')
    .replaceAll(new RegExp(`\\$\\$${WITHIN}+?\\$\\$`, 'g'), formula)
    .replaceAll(new RegExp(`\\\\begin\\{(equation|align|gather|multline)(\\*?)\\}${WITHIN}+?\\\\end\\{\\1\\2\\}`, 'g'), formula)
    .replaceAll(new RegExp(`\\\\\\[${WITHIN}+?\\\\\\]|\\\\\\(${WITHIN}+?\\\\\\)`, 'g'), formula)
    .replaceAll(/\$(?=[^\s$])(?:(?!\n[ \t>]*\n)[^$])*(?<=\S)\$(?!\d)/g, formula)
    .replaceAll(/!\[([^\]]*)\]\([^)]*\)/g, (_, alt: string) => {
      images += 1;
      return '\u0002'.repeat(alt === '' ? 0 : 1);
    })
    .replaceAll(/(?<!!)\[([^\]^][^\]]*)\]\([^)]*\)/g, (_, shown: string) => {
      links += 1;
      return shown;
    })
    .replaceAll(/^[ \t]*\[[^\]^][^\]]*\]:.*$/gm, '')
    .replaceAll(/\[\^[^\]]+\]:?/g, '')
    .replaceAll(/<[^>\n]*>/g, '');
  return { ...structure(text), images, links, emphasis: 0, equations, text: letters(text) + code - marks(text) };
}

/** Whether an indented block goes on in an item. */
function isItemsText(source: string, block: string): boolean {
  const before =
    source
      .slice(0, source.indexOf(block))
      .trimEnd()
      .split(/\n[ \t]*\n/)
      .slice(-1)[0] ?? '';
  return /^[ \t]*(?:[-*+:]|\(?\w{1,4}[.)]|\[\^)/m.test(before) || /^\s*(?:[-*+]|\(?\w{1,4}[.)])\s/.test(block);
}

/** Digits of the numbers before items, which are no text of theirs. */
const marks = (text: string): number =>
  [...text.matchAll(/^[ \t>]*(\d{1,9})[.)](?=[ \t])/gm)].reduce((sum, [, digits = '']) => sum + digits.length, 0);

function structure(text: string): Pick<Counts, 'headings' | 'listItems' | 'cells'> {
  const counts = { headings: 0, listItems: {} as Record<number, number>, cells: 0 };
  const lines = text.split('\n').map((line) => line.replace(/^(?:[ \t]*>)+ ?/, ''));
  let columns: number[] = [];
  let isTable = false;
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1] ?? '';
    const isDelimiter = (row: string): boolean => /^[ |:-]*-[ |:-]*$/.test(row) && row.includes('|');
    if (line.trim() === '') isTable = false;
    else if (isDelimiter(line)) isTable = true;
    else if (isTable || isDelimiter(next))
      counts.cells += line
        .trim()
        .replaceAll(/^\||(?<!\\)\|$/g, '')
        .split(/(?<!\\)\|/).length;
    if (
      /^ {0,3}#{1,6}[ \t]/.test(line) ||
      (/\S/.test(line) && !isTable && /^ {0,3}(?:=+|-+)[ \t]*$/.test(next) && !/^[ \t]*(?:[-*+=#]|\d+[.)])/.test(line))
    )
      counts.headings += 1;
    const [, indent, mark] = /^([ \t]*)([-*+]|\d{1,9}[.)])[ \t]+\S/.exec(line) ?? [];
    if (indent === undefined || mark === undefined || isTable) {
      if (/^\S/.test(line) && (lines[index - 1] ?? '').trim() === '') columns = [];
      continue;
    }
    columns = [...columns.filter((column) => column < indent.length + 1 && column <= indent.length), indent.length + mark.length];
    counts.listItems[columns.length] = (counts.listItems[columns.length] ?? 0) + 1;
  }
  return counts;
}
