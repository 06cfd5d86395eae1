/** Returns the offset of the first character from `at` on that is no white space. */
export function afterSpaces(text: string, at: number): number {
  let end = at;
  while (end < text.length && /\s/.test(text[end] as string)) end += 1;
  return end;
}

/**
 * Reads a group in braces or brackets.
 * @returns its content and the offset behind it; null when there is no group at `at`, or it has no end within `longest` characters
 */
export function groupAt(text: string, at: number, [open, close]: '{}' | '[]' | string, longest: number): Found | null {
  if (text[at] !== open) return null;
  let depth = 0;
  for (let end = at + 1; end < text.length && end - at <= longest; end += 1) {
    const sign = text[end];
    if (sign === '\\') end += 1;
    else if (sign === close && depth === 0) return { content: text.slice(at + 1, end), end: end + 1 };
    else if (sign === '{') depth += 1;
    else if (sign === '}') depth -= 1;
    if (depth < 0) return null;
  }
  return null;
}

export interface Found {
  readonly content: string;
  readonly end: number;
}

const COMMAND = /\\(?:[A-Za-z]+|[\s\S])/y;

/** Returns the command at an offset, with its backslash; null when there is none. */
export function commandAt(text: string, at: number): string | null {
  COMMAND.lastIndex = at;
  return COMMAND.exec(text)?.[0] ?? null;
}

/** Reads an argument as TeX does: a group without its braces, a command, or one character. */
export function argumentAt(text: string, from: number, longest: number): Found | null {
  const at = afterSpaces(text, from);
  const group = groupAt(text, at, '{}', longest);
  if (group) return group;
  const command = commandAt(text, at);
  if (command !== null) return { content: command, end: at + command.length };
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return at >= text.length || /[{}]/.test(character) ? null : { content: character, end: at + character.length };
}

/** Appends LaTeX, with a space where a command's name would otherwise absorb the next letter. */
export const appended = (latex: string, more: string): string =>
  /^[A-Za-z]/.test(more) && /\\[A-Za-z]+$/.test(latex.slice(-40)) ? `${latex} ${more}` : latex + more;
