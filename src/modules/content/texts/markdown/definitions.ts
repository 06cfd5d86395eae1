import type { Token, Tokens } from 'marked';
import { type LinkAddresses, lex, walk } from './dialect.ts';
import { newlinesIn } from './hidden-text.ts';

export interface NoteDefinition {
  readonly tokens: readonly Token[];
  readonly line: number;
}

/** Link addresses and notes of a Markdown file. A definition may stand anywhere in the file; the text and the correction share them. */
export class Definitions {
  readonly notes = new Map<string, NoteDefinition>();
  links: LinkAddresses = {};
  /** Names of the link definitions that a link or an image uses. */
  readonly #asked = new Set<string>();
  /** Ids of notes that the text refers to, directly or from one of its notes. */
  readonly #reached = new Set<string>();

  /** @param source text of the entire file */
  constructor(source: string, firstLine: number) {
    if (!source.includes(']:')) return;
    const tokens = lex(source);
    this.links = tokens.links;
    this.#define(tokens, firstLine);
    const ids = this.#referencesIn(tokens);
    for (const id of ids) {
      if (this.#reached.has(id)) continue;
      this.#reached.add(id);
      ids.push(...this.#referencesIn(this.notes.get(id)?.tokens ?? []));
    }
  }

  /** Returns whether a link definition is unused, or overridden by another definition of the same name. */
  isUnused({ tag, href }: Tokens.Def): boolean {
    return !this.#asked.has(tag) || this.links[tag]?.href !== href;
  }

  /** Returns whether the text refers to the note on this line. Only the first of two notes with the same id counts. */
  isReached(id: string, line: number): boolean {
    return this.#reached.has(id) && this.notes.get(id)?.line === line;
  }

  #define(tokens: readonly Token[], firstLine: number): void {
    let line = firstLine;
    for (const token of tokens) {
      if (token.type === 'note' && !this.notes.has(token.id)) this.notes.set(token.id, { tokens: token.tokens ?? [], line });
      const inner = token.type === 'list' ? (token.items as Token[]) : 'tokens' in token && token.type !== 'paragraph' ? token.tokens : [];
      this.#define(inner ?? [], line);
      line += newlinesIn(token.raw);
    }
  }

  /** Returns the note ids referred to outside notes, and records the names of link definitions in use. */
  #referencesIn(tokens: readonly Token[]): string[] {
    const inNotes = new Set<Token>();
    const ids: string[] = [];
    walk(tokens, (token) => {
      if (token.type === 'note') walk(token.tokens ?? [], (inner) => inNotes.add(inner));
      if (token.type === 'noteReference' && !inNotes.has(token)) ids.push(token.id);
      if (token.type !== 'link' && token.type !== 'image') return;
      const [, name] = /\[((?:\\.|[^[\]\\])*)\](?:\[\])?$/.exec(token.raw) ?? [];
      if (name !== undefined) this.#asked.add(name.toLowerCase().replaceAll(/\s+/g, ' '));
    });
    return ids;
  }
}
