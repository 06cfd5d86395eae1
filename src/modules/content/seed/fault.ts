import type { Report } from '../texts/markdown/source-lines.ts';

/** A fault of the content folder: a French message, and the line that its author must correct. */
export interface Fault {
  /** The path as given to the reader of the folder, with `/` as separator. */
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** Returns a fault as `demo/x/lecons/01-a.md:12: …`. */
export function formatFault({ file, line, message }: Fault): string {
  return `${file}:${line}: ${message}`;
}

/** Collects the faults of all files and returns them sorted by file and line. */
export class FaultList {
  readonly #faults: Fault[] = [];

  /** Returns a `Report` function for one file. */
  in(file: string): Report {
    return (line, message) => {
      this.#faults.push({ file, line, message });
    };
  }

  sorted(): Fault[] {
    return this.#faults.toSorted((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
  }
}
