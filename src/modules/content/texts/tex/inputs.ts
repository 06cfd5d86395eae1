import { tooComplex } from '../refusal.ts';
import type { HiddenParts } from './hidden.ts';
import type { TexFiles } from './tex-files.ts';

/** Most files that a document may read, and longest text of all together, in characters. */
const maxInputs = 100;
const maxDepth = 10;
const maxCharacters = 1_000_000;

const INPUT = /\\(?:input|include|subfile)(?![A-Za-z])[ \t]*(?:\{([^{}\n]{1,200})\}|([\w./-]{1,200}))/g;

/** A line of the joined text: the file that it comes from, '' for the main one, and its number there. */
export interface SourceLine {
  readonly file: string;
  readonly line: number;
}

export interface JoinedText {
  readonly text: string;
  /** Where each line comes from. */
  readonly lines: readonly SourceLine[];
  /** Files that are read and not there. */
  readonly missing: readonly { readonly name: string; readonly line: number }[];
}

/** Joins the main file with those that it reads by `\input` and the like. @throws AppError 400 when they are too many or too long */
export function joinInputs(main: string, files: TexFiles, hidden: HiddenParts): JoinedText {
  let text = '';
  const lines: SourceLine[] = [];
  const missing: { name: string; line: number }[] = [];
  let count = 0;
  const add = (part: string, file: string, from: number): number => {
    if (text.length + part.length > maxCharacters) throw tooComplex();
    text += part;
    const newlines = part.split('\n').length - 1;
    if (lines.length === 0) lines.push({ file, line: from });
    for (let index = 1; index <= newlines; index += 1) lines.push({ file, line: from + index });
    return from + newlines;
  };
  const read = (source: string, file: string, depth: number): void => {
    let line = 1;
    let done = 0;
    for (const found of source.matchAll(INPUT)) {
      const name = (found[1] ?? found[2] ?? '').trim();
      const input = depth < maxDepth && count < maxInputs ? files.text(name) : null;
      line = add(source.slice(done, found.index), file, line);
      done = found.index;
      if (input === null) {
        if (file === '') missing.push({ name, line: lines.length || 1 });
        continue;
      }
      count += 1;
      read(hidden.hide(bodyOf(input)), name, depth + 1);
      done = found.index + found[0].length;
    }
    add(source.slice(done), file, line);
  };
  read(hidden.hide(main), '', 0);
  return { text, lines, missing };
}

/** Returns the part of a file that another one shows: a subfile has a preamble of its own. */
function bodyOf(source: string): string {
  const start = source.search(/\\begin\s*\{document\}/);
  if (start === -1) return source;
  const end = source.indexOf('\\end{document}', start);
  const before = source.slice(0, start).replaceAll(/[^\n]/g, '');
  return before + source.slice(start, end === -1 ? undefined : end).replace(/^\\begin\s*\{document\}/, '');
}
