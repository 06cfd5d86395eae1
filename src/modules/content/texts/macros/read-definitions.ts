import type { Macro } from './macro.ts';
import { Macros } from './macros.ts';
import { afterSpaces, argumentAt, commandAt, type Found, groupAt } from './scan.ts';

/** Maximum number of definitions of a file, and longest definition, in characters. */
const maxDefinitions = 500;
const maxLength = 2_000;

const DEFINES = /\\(?:(?:re|provide)?newcommand|renewcommand|providecommand|[gex]?def|DeclareMathOperator|let)(?![A-Za-z])/;
const OPENINGS = ['$$', '$', '\\[', '\\('];
/** A block of code with its end. */
const CODE = /(^|\n)[ \t]*(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:\n[ \t]*\2[`~]*[ \t]*(?=\n|$)|$)/g;

interface Definitions {
  readonly macros: Macros;
  /** The text without definitions; its lines keep their numbers. */
  readonly text: string;
  /** Lines of definitions that are not understood and stay in the text. */
  readonly faults: readonly { line: number; message: string }[];
}

/**
 * Takes the definitions of commands out of a Markdown or TeX text: `\newcommand`, `\def`, `\DeclareMathOperator` and the like at the
 * beginning of a line or of a formula, outside of code. A definition holds for the entire file.
 */
export function readDefinitions(source: string): Definitions {
  const own = new Map<string, Macro>();
  const faults: { line: number; message: string }[] = [];
  if (source.search(DEFINES) === -1) return { macros: new Macros(), text: source, faults };
  const lineAt = lineCounter(source);
  const isCode = codeIn(source);
  const commands = new RegExp(DEFINES, 'g');
  let text = '';
  let done = 0;
  for (let found = commands.exec(source); found; found = commands.exec(source)) {
    const start = found.index;
    const opening = openingBefore(source, start, done);
    if (!opening || isCode(start)) continue;
    const end = definitionsAt(source, start, own, (at, message) => faults.push({ line: lineAt(at), message }));
    if (end === start) continue;
    const closed = closeAt(source, end, opening.sign);
    if (closed === null) {
      text += source.slice(done, start);
      // Markdown would take a dollar followed by a space for money.
      done = opening.sign ? afterSpaces(source, end) : end;
      text += newlinesOf(source.slice(start, done));
    } else {
      // The formula held nothing but definitions.
      text += source.slice(done, opening.at) + newlinesOf(source.slice(opening.at, closed));
      done = closed;
    }
    commands.lastIndex = done;
  }
  return { macros: new Macros(own), text: text + source.slice(done), faults };
}

interface Opening {
  /** Offset of the indentation before the sign. */
  readonly at: number;
  /** Sign that opens the formula; empty outside of formulas. */
  readonly sign: string;
}

/**
 * Returns what precedes a command at the beginning of a line or formula; null when the command stands elsewhere. Reads backwards, and never
 * beyond `from`, so that white space is read once.
 */
function openingBefore(source: string, command: number, from: number): Opening | null {
  let at = command;
  let isLineStart = false;
  while (at > from && /\s/.test(source[at - 1] as string)) {
    at -= 1;
    isLineStart ||= source[at] === '\n';
  }
  const atLine = isLineStart || at === 0 ? { at, sign: '' } : null;
  const sign = OPENINGS.find((one) => at - one.length >= from && source.startsWith(one, at - one.length));
  if (sign === undefined) return atLine;
  at -= sign.length;
  while (at > from && /[ \t]/.test(source[at - 1] as string)) at -= 1;
  return at === 0 || (at > from && source[at - 1] === '\n') ? { at, sign } : atLine;
}

/** Returns a function that gives the line of an offset, for offsets that never decrease. */
function lineCounter(source: string): (offset: number) => number {
  let line = 1;
  let newline = source.indexOf('\n');
  return (offset) => {
    for (; newline !== -1 && newline < offset; newline = source.indexOf('\n', newline + 1)) line += 1;
    return line;
  };
}

const newlinesOf = (text: string): string => text.replaceAll(/[^\n]/g, '');

/** Returns a function that tells whether an offset lies in a block of code, for offsets that never decrease. */
function codeIn(source: string): (offset: number) => boolean {
  const blocks = source.matchAll(CODE);
  let block = blocks.next().value;
  return (offset) => {
    while (block && block.index + block[0].length <= offset) block = blocks.next().value;
    return block !== undefined && offset >= block.index;
  };
}

/** Returns the offset behind the sign that closes a formula, if nothing else stands before it. */
function closeAt(source: string, from: number, sign: string): number | null {
  if (sign === '') return null;
  const close = sign === '\\[' ? '\\]' : sign === '\\(' ? '\\)' : sign;
  const at = afterSpaces(source, from);
  return source.startsWith(close, at) ? at + close.length : null;
}

/** Reads definitions that follow each other, with comments between them. @returns the offset behind the last one */
function definitionsAt(source: string, from: number, own: Map<string, Macro>, onFault: (at: number, message: string) => void): number {
  let end = from;
  for (let at = from; ; ) {
    const comment = /^(?:%[^\n]*\n?|\s)*/.exec(source.slice(at, at + maxLength))?.[0] ?? '';
    // Only white space behind the last definition stays in the text.
    const start = at + comment.length;
    const command = commandAt(source, start);
    if (command === null || command.search(DEFINES) !== 0) return end;
    const found = definitionAt(source, start, command);
    if (!found || own.size >= maxDefinitions) {
      onFault(start, `Définition non reprise : ${source.slice(start, start + 80).split('\n', 1)[0]}`);
      return end;
    }
    const isKept = /^\\providecommand$/.test(command) && own.has(found.name);
    if (!isKept) own.set(found.name, found.macro);
    end = found.end;
    at = end;
  }
}

interface Definition {
  readonly name: string;
  readonly macro: Macro;
  readonly end: number;
}

function definitionAt(source: string, at: number, command: string): Definition | null {
  const behind = at + command.length;
  if (/def$/.test(command)) return ofDef(source, behind);
  const star = source[behind] === '*' ? 1 : 0;
  if (command === '\\let') return ofLet(source, behind);
  const named = nameAt(source, behind + star);
  if (!named) return null;
  if (command === '\\DeclareMathOperator') {
    const text = groupAt(source, afterSpaces(source, named.end), '{}', maxLength);
    const body = text && `\\operatorname${star ? '*' : ''}{${text.content}}`;
    return text && body ? { name: named.content, macro: { count: 0, initial: null, body }, end: text.end } : null;
  }
  const count = groupAt(source, afterSpaces(source, named.end), '[]', 20);
  const initial = count && groupAt(source, afterSpaces(source, count.end), '[]', maxLength);
  const body = groupAt(source, afterSpaces(source, (initial ?? count ?? named).end), '{}', maxLength);
  if (!body || (count && !/^\s*[0-9]\s*$/.test(count.content))) return null;
  return definition(named.content, Number(count?.content ?? 0), initial?.content ?? null, body);
}

function definition(name: string, count: number, initial: string | null, { content, end }: Found): Definition | null {
  // A definition within a definition is beyond what a course needs.
  return content.search(DEFINES) === -1 ? { name, macro: { count, initial, body: content.trim() }, end } : null;
}

/** Reads the name that is defined, in braces or not. */
function nameAt(source: string, from: number): Found | null {
  const found = argumentAt(source, from, 100);
  const name = found?.content.trim() ?? '';
  return found && /^\\(?:[A-Za-z]+|[^A-Za-z\s])$/.test(name) ? { content: name, end: found.end } : null;
}

function ofDef(source: string, from: number): Definition | null {
  const named = nameAt(source, from);
  if (!named) return null;
  const [parameters = ''] = /^(?:\s*#[1-9])*\s*/.exec(source.slice(named.end, named.end + 100)) ?? [];
  const body = groupAt(source, named.end + parameters.length, '{}', maxLength);
  return body && definition(named.content, parameters.match(/#/g)?.length ?? 0, null, body);
}

function ofLet(source: string, from: number): Definition | null {
  const named = nameAt(source, from);
  if (!named) return null;
  const at = afterSpaces(source, named.end);
  const value = argumentAt(source, source[at] === '=' ? at + 1 : at, 100);
  return value && definition(named.content, 0, null, value);
}
