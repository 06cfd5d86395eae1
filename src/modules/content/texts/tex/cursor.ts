import type { CommandNode, TexNode } from './nodes.ts';

/** Most parts of an optional argument: an unclosed bracket must not cause a search to the end. */
const maxOption = 500;

/** Reads parts that follow each other, and the arguments of commands. */
export class Cursor {
  readonly #text: string;
  readonly #nodes: readonly TexNode[];
  #at = 0;
  /** What remains of a text of which an argument took the beginning. */
  #rest: TexNode | null = null;

  constructor(nodes: readonly TexNode[], text: string) {
    this.#nodes = nodes;
    this.#text = text;
  }

  next(): TexNode | undefined {
    const node = this.peek();
    this.#rest = null;
    this.#at += 1;
    return node;
  }

  peek(): TexNode | undefined {
    return this.#rest ?? this.#nodes[this.#at];
  }

  /** Takes text at the current place that an expression finds. Returns what it found. */
  takeText(pattern: RegExp): RegExpExecArray | null {
    const node = this.peek();
    const found = node?.kind === 'text' ? pattern.exec(node.text) : null;
    if (node?.kind !== 'text' || !found || found.index > 0) return null;
    this.next();
    const rest = node.text.slice(found[0].length);
    if (rest !== '') {
      this.#at -= 1;
      this.#rest = { kind: 'text', text: rest, at: node.at + found[0].length, end: node.end };
    }
    return found;
  }

  takeStar(): boolean {
    return this.takeText(/^\*/) !== null;
  }

  /** Takes an optional argument; null when there is none. */
  option(): readonly TexNode[] | null {
    const saved = [this.#at, this.#rest] as const;
    this.takeText(/^\s+/);
    const first = this.peek();
    if (first?.kind === 'sign' && first.text === '[') {
      this.next();
      const taken: TexNode[] = [];
      let depth = 0;
      for (let node = this.next(); node && taken.length < maxOption; node = this.next()) {
        if (node.kind === 'break') break;
        if (node.kind === 'sign' && node.text === '[') depth += 1;
        if (node.kind === 'sign' && node.text === ']') {
          if (depth === 0) return taken;
          depth -= 1;
        }
        taken.push(node);
      }
    }
    [this.#at, this.#rest] = saved;
    return null;
  }

  /** Takes an optional argument as written. */
  rawOption(): string | null {
    const nodes = this.option();
    return nodes && this.raw(nodes);
  }

  /** Takes an optional argument that is a length, as behind a line break. */
  dimension(): void {
    const saved = [this.#at, this.#rest] as const;
    const option = this.rawOption();
    if (option === null || !/^\s*-?[\d.,]*\s*\\?[A-Za-z]{1,20}\s*$/.test(option)) [this.#at, this.#rest] = saved;
  }

  /** Takes an argument: a group, a command, a formula or one character. Null when there is none. */
  argument(): readonly TexNode[] | null {
    this.takeText(/^\s+/);
    const node = this.peek();
    if (!node || node.kind === 'break' || node.kind === 'environment' || node.kind === 'sign') return null;
    if (node.kind === 'text') {
      const found = this.takeText(/^[\s\S](?:(?<=[\ud800-\udbff])[\udc00-\udfff])?\p{M}*/u);
      return found ? [{ kind: 'text', text: found[0], at: node.at, end: node.at + found[0].length }] : null;
    }
    this.next();
    return node.kind === 'group' ? node.children : [node];
  }

  /** Takes a group, if the next part is one. */
  group(): readonly TexNode[] | null {
    const saved = [this.#at, this.#rest] as const;
    this.takeText(/^\s+/);
    const node = this.peek();
    if (node?.kind === 'group') {
      this.next();
      return node.children;
    }
    [this.#at, this.#rest] = saved;
    return null;
  }

  /** Takes a group as written; '' when there is none. */
  rawGroup(): string {
    return this.raw(this.group() ?? []);
  }

  /** Returns parts that follow each other as written. */
  raw(nodes: readonly TexNode[]): string {
    const [first, last] = [nodes[0], nodes.at(-1)];
    return first && last ? this.#text.slice(first.at, last.end) : '';
  }

  /** Takes all parts up to one that ends them. */
  until(isEnd: (node: TexNode) => boolean): TexNode[] {
    const taken: TexNode[] = [];
    for (let node = this.peek(); node && !isEnd(node); node = this.peek()) {
      taken.push(node);
      this.next();
    }
    return taken;
  }
}

/** Returns the name of a command; '' for other parts. */
export const nameOf = (node: TexNode): string => (node.kind === 'command' ? node.name : '');

export const isCommand = (node: TexNode | undefined, ...names: string[]): node is CommandNode =>
  node?.kind === 'command' && names.includes(node.name);
