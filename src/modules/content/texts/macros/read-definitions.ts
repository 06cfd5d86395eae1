import type { Macro } from './macro.ts';
import { Macros } from './macros.ts';
import { afterSpaces, argumentAt, commandAt, type Found, groupAt } from './scan.ts';

/** Maximum number of definitions of a file, and longest definition, in characters. */
const maxDefinitions = 500;
const maxLength = 2_000;

const DEFINES = /\\(?:(?:re|provide)?newcommand|renewcommand|providecommand|[gex]?def|DeclareMathOperator|let)(?![A-Za-z])/;
/** A definition at the beginning of a line or formula. What stands before it on its line is kept. */
const START = new RegExp(`(^|\\n)([ \\t]*(?:\\$\\$?|\\\\\\[|\\\\\\()?\\s*)(?=${DEFINES.source})`, 'g');
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
  const code = codeIn(source);
  let text = '';
  let done = 0;
  for (let found = next(source, 0); found; found = next(source, Math.max(done, found.index + found[0].length, found.index + 1))) {
    const start = found.index + found[0].length;
    if (found.index < done || code.some(([from, to]) => start >= from && start < to)) continue;
    const end = definitionsAt(source, start, own, (at, message) => faults.push({ line: source.slice(0, at).split('\n').length, message }));
    if (end === start) continue;
    text += source.slice(done, start) + newlinesOf(source.slice(start, end));
    done = end;
    const closed = closeAt(source, done, found[2] ?? '');
    if (closed === null) {
      // Markdown would take a dollar followed by a space for money.
      const more = found[2]?.trim() ? afterSpaces(source, done) : done;
      text += newlinesOf(source.slice(done, more));
      done = more;
      continue;
    }
    // The formula held nothing but definitions.
    text = text.slice(0, text.length - newlinesOf(source.slice(start, end)).length).replace(/[ \t]*(?:\$\$?|\\\[|\\\()\s*$/, newlinesOf);
    text += newlinesOf(source.slice(start, closed));
    done = closed;
  }
  return { macros: new Macros(own), text: text + source.slice(done), faults };
}

function next(source: string, from: number): RegExpExecArray | null {
  const start = new RegExp(START);
  start.lastIndex = from;
  return start.exec(source);
}

const newlinesOf = (text: string): string => text.replaceAll(/[^\n]/g, '');

function codeIn(source: string): [from: number, to: number][] {
  return [...source.matchAll(CODE)].map((found) => [found.index, found.index + found[0].length]);
}

/** Returns the offset behind the sign that closes a formula, if nothing else stands before it. */
function closeAt(source: string, from: number, opened: string): number | null {
  const sign = opened.trim();
  if (sign === '') return null;
  const close = sign === '\\[' ? '\\]' : sign === '\\(' ? '\\)' : sign;
  const at = afterSpaces(source, from);
  return source.startsWith(close, at) ? at + close.length : null;
}

/** Reads definitions that follow each other, with comments between them. @returns the offset behind the last one */
function definitionsAt(source: string, from: number, own: Map<string, Macro>, onFault: (at: number, message: string) => void): number {
  let end = from;
  for (let at = from; ; ) {
    const comment = /^(?:[ \t]*%[^\n]*\n?|\s)*/.exec(source.slice(at, at + maxLength))?.[0] ?? '';
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
