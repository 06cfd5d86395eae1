import { counted, type Remarks } from '../remarks.ts';
import type { SourceLine } from './inputs.ts';

/** Most lines that one remark names. */
const maxLines = 10;
const maxExcerpt = 120;

/** Collects remarks with the lines that they are about. */
export class TexReport {
  readonly #lines: readonly SourceLine[];
  readonly #said: { line: number; message: string }[] = [];
  /** Lines by what is said of all of them. */
  readonly #repeated = new Map<string, { say: (lines: string) => string; lines: number[] }>();

  /** @param lines where each line of the joined text comes from */
  constructor(lines: readonly SourceLine[]) {
    this.#lines = lines;
  }

  /** @param line a line of the joined text */
  say(line: number, message: string): void {
    this.#said.push({ line, message });
  }

  /** Says the same of several lines at once. @param say returns the sentence for the lines, such as 'lignes 3 et 8' */
  repeat(line: number, key: string, say: (lines: string) => string): void {
    const known = this.#repeated.get(key);
    if (known) known.lines.push(line);
    else this.#repeated.set(key, { say, lines: [line] });
  }

  /** Adds all remarks in the order of the lines. */
  into(remarks: Remarks): void {
    const said = [
      ...this.#said.map(({ line, message }) => ({ line, text: `${this.#place(line)} : ${message}` })),
      ...[...this.#repeated.values()].map(({ say, lines }) => ({ line: lines[0] ?? 0, text: say(this.#places(lines)) })),
    ];
    for (const { text } of said.toSorted((one, other) => one.line - other.line)) remarks.say(text);
  }

  #place(line: number): string {
    const { file, line: number } = this.#lines[line - 1] ?? { file: '', line };
    return file === '' ? `Ligne ${number}` : `${file}, ligne ${number}`;
  }

  #places(lines: readonly number[]): string {
    const all = [...new Set(lines.map((line) => this.#place(line).replace(/^L/, 'l')))];
    const isPlain = all.every((place) => place.startsWith('ligne '));
    if (all.length > maxLines) return `${counted(all.length, 'fois', 'fois')}, d'abord ${all[0]}`;
    if (!isPlain || all.length === 1) return all.join(' ; ');
    const numbers = all.map((place) => place.slice('ligne '.length));
    return `lignes ${numbers.slice(0, -1).join(', ')} et ${numbers.at(-1)}`;
  }
}

/** Returns the beginning of a source on one line, for a remark. */
export function quoted(source: string): string {
  const line = source.replaceAll(/\s+/g, ' ').trim();
  return line.length > maxExcerpt ? `${line.slice(0, maxExcerpt).trimEnd()}...` : line;
}
