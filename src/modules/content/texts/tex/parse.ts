import { tooComplex } from '../refusal.ts';
import { formulaAt } from './formula-source.ts';
import type { TexNode } from './nodes.ts';

/** Deepest nesting of groups and environments, and most parts of a text. */
const maxDepth = 150;
const maxNodes = 600_000;

// An environment's edge; a command with the spaces that TeX ignores behind it; a sign; text.
const SIGNS =
  /\\(begin|end)[ \t]*\{([^{}\n]{1,60})\}|\\(?:([A-Za-z]+)(?:[ \t]*\n(?![ \t]*\n)[ \t]*|[ \t]+)?|([\s\S]))|\$\$?|[{}[\]&]|\n[ \t]*\n\s*|(?:[^\\{}[\]&$\n]|\n(?![ \t]*\n))+|[\s\S]/y;

interface Open {
  readonly name: string | null;
  readonly at: number;
  readonly children: TexNode[];
}

/**
 * Reads a TeX text as a tree of groups, environments and formulas. Braces and environments that are not closed, or not opened, are
 * reported, and what they hold stays.
 * @throws AppError 400 when it is nested too deeply or has too many parts
 */
export function parseTex(text: string, onFault: (at: number, message: string) => void): TexNode[] {
  const root: TexNode[] = [];
  const open: Open[] = [];
  let count = 0;
  const add = (node: TexNode): void => {
    count += 1;
    if (count > maxNodes) throw tooComplex();
    (open.at(-1)?.children ?? root).push(node);
  };
  const begin = (name: string | null, at: number): void => {
    if (open.length >= maxDepth) throw tooComplex();
    open.push({ name, at, children: [] });
  };
  const close = (end: number): void => {
    const last = open.pop();
    if (!last) return;
    const { name, at, children } = last;
    add(name === null ? { kind: 'group', children, at, end } : { kind: 'environment', name, children, at, end });
  };
  const closeUnclosed = (end: number): void => {
    const { name, at } = open.at(-1) as Open;
    onFault(at, name === null ? 'Accolade { jamais fermée' : `\\begin{${name}} jamais fermé`);
    close(end);
  };

  const signs = new RegExp(SIGNS);
  for (let at = 0; at < text.length; at = signs.lastIndex) {
    signs.lastIndex = at;
    const found = signs.exec(text) as RegExpExecArray;
    const [sign, edge, environment, command, character] = found;
    const end = signs.lastIndex;
    const formula = sign.startsWith('$') || sign.startsWith('\\') ? formulaAt(text, at) : null;
    if (formula) {
      add({ kind: 'formula', at, ...formula });
      signs.lastIndex = formula.end;
    } else if (sign.startsWith('$')) {
      onFault(at, 'Formule non fermée : un $ est seul dans son paragraphe (écrivez \\$ pour le signe dollar)');
      add({ kind: 'text', text: sign, at, end });
    } else if (edge === 'begin') begin((environment ?? '').trim(), at);
    else if (edge === 'end') {
      const name = (environment ?? '').trim();
      const isOpen = open.some((one) => one.name === name);
      if (!isOpen) onFault(at, `\\end{${name}} sans \\begin{${name}}`);
      else {
        while (open.at(-1)?.name !== name) closeUnclosed(at);
        close(end);
      }
    } else if (sign === '{') begin(null, at);
    else if (sign === '}') {
      if (open.length > 0 && open.at(-1)?.name === null) close(end);
      else onFault(at, 'Accolade } sans accolade {');
    } else if (command !== undefined) add({ kind: 'command', name: command, at, end });
    else if (character !== undefined) add({ kind: 'command', name: character, at, end });
    else if (sign === '[' || sign === ']' || sign === '&') add({ kind: 'sign', text: sign, at, end });
    else if (/^\n[ \t]*\n/.test(sign)) add({ kind: 'break', at, end });
    else add({ kind: 'text', text: sign, at, end });
  }
  while (open.length > 0) closeUnclosed(text.length);
  return root;
}
