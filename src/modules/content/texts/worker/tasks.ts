import type { DocumentJson } from '../../../../shared/rich-text/document.ts';
import type { OwnPlaces } from '../imported-text.ts';
import type { Pictures } from '../question-files/written-html.ts';
import type { ImportedDocument } from './import-document.ts';

/** The worker's tasks, by name. Input and result are plain data, since they pass between processes. */
export interface Tasks {
  /** @param texts HTML, editor documents, or nothing, by column */
  readTexts: (texts: Readonly<Record<string, unknown>>) => ReadTexts;
  writeTexts: (documents: Readonly<Record<string, DocumentJson>>) => WrittenTexts;
  importFile: (file: FileToImport) => Promise<{ readonly imported: ImportedDocument } | { readonly refusal: Refusal }>;
  /** Returns a file with the questions of some texts. */
  writeQuestions: (file: FileToWrite) => { readonly file: string };
  drawFormula: (formula: { readonly latex: string; readonly display: boolean }) => { readonly mathml: string } | { readonly fault: string };
}

export interface Task<Name extends keyof Tasks> {
  readonly name: Name;
  readonly input: Parameters<Tasks[Name]>[0];
}

interface ReadTexts {
  /** Null for a text without content. */
  readonly documents: Readonly<Record<string, DocumentJson | null>>;
  /** Faults by column, in French. */
  readonly faults: Readonly<Record<string, string>>;
  readonly remarks: readonly string[];
}

interface WrittenTexts {
  /** Canonical HTML by column. */
  readonly html: Readonly<Record<string, string>>;
  readonly remarks: readonly string[];
}

export interface FileToImport {
  readonly bytes: Uint8Array;
  readonly places: OwnPlaces;
  /** Whether a text is Markdown, even if it looks like a question file. */
  readonly isMarkdown?: boolean;
  /** Whether the file's name says that it is TeX. */
  readonly isTex?: boolean;
}

export interface FileToWrite {
  readonly format: 'xml' | 'gift';
  /** Canonical HTML with the keys of its questions. */
  readonly texts: readonly string[];
  /** Pictures that Moodle XML holds, by their address in the texts. */
  readonly pictures: Pictures;
  /** Origin of the site, for the addresses of pictures in GIFT. */
  readonly origin: string;
}

interface Refusal {
  readonly code: string;
  readonly status: number;
  readonly message: string;
}

/** The server's response to a worker that has sent the bytes of a picture. */
export type PictureAnswer = { readonly stored: { src: string; width: number; height: number } } | { readonly refused: string };
