import type { Report } from '../texts/markdown/source-lines.ts';

/** One thing wrong with the content folder, in French, at the line where its author finds it. */
export interface Fault {
  /** The path as the reader was given it, with `/` between its parts. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
}

/** `demo/x/lecons/01-a.md:12: …` */
export function formatFault({ file, line, message }: Fault): string {
  return `${file}:${line}: ${message}`;
}

/** Faults of all files as they are found, in the order in which an author reads them in the end. */
export class FaultList {
  readonly #faults: Fault[] = [];

  /** A `Report` for one file. */
  in(file: string): Report {
    return (line, message) => {
      this.#faults.push({ file, line, message });
    };
  }

  sorted(): Fault[] {
    return this.#faults.toSorted((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
  }
}
