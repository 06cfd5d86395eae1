import type { BlockDifference } from '../../../../shared/rich-text/difference.ts';
import type { DocumentJson } from '../../../../shared/rich-text/document.ts';
import type { Excerpt } from '../../../../shared/rich-text/find/matches.ts';
import type { TextQuery } from '../../../../shared/rich-text/find/query.ts';
import type { OwnPlaces } from '../imported-text.ts';
import type { Pictures } from '../question-files/written-html.ts';
import type { ImportedDocument } from './import-document.ts';

/** The worker's tasks, by name. Input and result are plain data, since they pass between processes. */
export interface Tasks {
  readTexts: (texts: TextsToRead) => ReadTexts;
  writeTexts: (documents: Readonly<Record<string, DocumentJson>>) => WrittenTexts;
  importFile: (file: FileToImport) => Promise<{ readonly imported: ImportedDocument } | { readonly refusal: Refusal }>;
  /** Returns a file with the questions of some texts. */
  writeQuestions: (file: FileToWrite) => { readonly file: string };
  /** Finds a query in stored texts. */
  findInTexts: (search: TextsToSearch) => readonly FoundInText[];
  /** Replaces a query in the texts of one item. Keys of questions are not searched. */
  replaceInTexts: (search: TextsToChange) => { readonly documents: Readonly<Record<string, DocumentJson>>; readonly count: number };
  drawFormula: (formula: { readonly latex: string; readonly display: boolean }) => { readonly mathml: string } | { readonly fault: string };
}

export interface Task<Name extends keyof Tasks> {
  readonly name: Name;
  readonly input: Parameters<Tasks[Name]>[0];
}

/** Texts by column. */
export interface TextsToRead {
  /** HTML, editor documents, or nothing. */
  readonly whole: Readonly<Record<string, unknown>>;
  readonly changes: Readonly<Record<string, TextChange>>;
}

/** A text as its change since the stored text. */
export interface TextChange {
  /** Canonical HTML with the keys of its questions. */
  readonly stored: string;
  readonly difference: BlockDifference;
  /** SHA-256 of the changed document (`fingerprintText`), in hexadecimal. */
  readonly fingerprint: string;
}

interface ReadTexts {
  /** Null for a text without content. */
  readonly documents: Readonly<Record<string, DocumentJson | null>>;
  /** Faults by column, in French. */
  readonly faults: Readonly<Record<string, string>>;
  readonly remarks: readonly string[];
  /** Whether a change does not lead to the document of its fingerprint here. */
  readonly isOtherBase: boolean;
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

export interface TextsToSearch {
  readonly query: TextQuery;
  /** Canonical HTML, the texts of one item together. */
  readonly items: readonly (readonly string[])[];
  /** Most excerpts of one item. */
  readonly mostExcerpts: number;
}

export interface FoundInText {
  /** Number of matches, also of those without an excerpt. */
  readonly count: number;
  readonly excerpts: readonly Excerpt[];
}

export interface TextsToChange {
  readonly query: TextQuery;
  readonly replacement: string;
  /** Canonical HTML with the keys of its questions, by column. Only the changed texts come back. */
  readonly texts: Readonly<Record<string, string>>;
}

interface Refusal {
  readonly code: string;
  readonly status: number;
  readonly message: string;
}

/** The server's response to a worker that has sent the bytes of a picture. */
export type PictureAnswer = { readonly stored: { src: string; width: number; height: number } } | { readonly refused: string };
