import type { DocumentJson } from '../../../../shared/rich-text/document.ts';
import type { OwnPlaces } from '../imported-text.ts';
import type { ImportedDocument } from './import-document.ts';

/** What the worker does, by name: it is asked plain data and answers plain data, since both cross from one process to another. */
export interface Tasks {
  /** @param texts HTML, editor's documents, or nothing; each by its column */
  readTexts: (texts: Readonly<Record<string, unknown>>) => ReadTexts;
  writeTexts: (documents: Readonly<Record<string, DocumentJson>>) => WrittenTexts;
  importFile: (file: FileToImport) => Promise<{ readonly imported: ImportedDocument } | { readonly refusal: Refusal }>;
  drawFormula: (formula: { readonly latex: string; readonly display: boolean }) => { readonly mathml: string } | { readonly fault: string };
}

/** The name of a task, and what it is given. */
export interface Task<Name extends keyof Tasks> {
  readonly name: Name;
  readonly input: Parameters<Tasks[Name]>[0];
}

interface ReadTexts {
  /** Null: a text without content. */
  readonly documents: Readonly<Record<string, DocumentJson | null>>;
  /** By column, in French. */
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
}

interface Refusal {
  readonly code: string;
  readonly status: number;
  readonly message: string;
}

/** What becomes of a picture, a worker's only question: it sends the bytes. */
export type PictureAnswer = { readonly stored: { src: string; width: number; height: number } } | { readonly refused: string };
