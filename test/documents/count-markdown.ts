import type { Counts } from './counts.ts';

// Counts the content of a Markdown file independently of the parser: each pattern removes what it has counted.

/** Replaces a formula in the remaining text. */
const FORMULA = '\u0001';
const WITHIN = '(?:(?!\\n[ \\t>]*\\n)[\\s\\S])';

/** Counts letters and digits only, because punctuation may be Markdown syntax. */
export const letters = (text: string): number => (text.normalize('NFC').match(/[\p{L}\p{N}]/gu) ?? []).length;

/**
 * Counts the content of a Markdown text: formulas by pandoc's rules for dollar signs, and between \( \) and \[ \]; `text` is the number of
 * letters and digits.
 */
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

/** Returns whether an indented block belongs to a list item. */
function isItemsText(source: string, block: string): boolean {
  const before =
    source
      .slice(0, source.indexOf(block))
      .trimEnd()
      .split(/\n[ \t]*\n/)
      .slice(-1)[0] ?? '';
  return /^[ \t]*(?:[-*+:]|\(?\w{1,4}[.)]|\[\^)/m.test(before) || /^\s*(?:[-*+]|\(?\w{1,4}[.)])\s/.test(block);
}

/** Returns the number of digits in item numbers, which are not text. */
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
