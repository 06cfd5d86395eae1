import type { DocumentJson } from '../../../../shared/rich-text/document.ts';
import type { OwnPlaces } from '../docx/import-docx.ts';
import type { ImportedDocument } from './import-document.ts';

/** What a worker is asked, and what it answers: plain data, since it crosses from one process to another. */

export interface ReadTask {
  readonly kind: 'read';
  /** HTML, editor's documents, or nothing; each by its column. */
  readonly texts: Readonly<Record<string, unknown>>;
}

export interface ReadResult {
  /** Null: a text without content. */
  readonly documents: Readonly<Record<string, DocumentJson | null>>;
  /** By column, in French. */
  readonly faults: Readonly<Record<string, string>>;
  readonly remarks: readonly string[];
}

export interface WriteTask {
  readonly kind: 'write';
  readonly documents: Readonly<Record<string, DocumentJson>>;
}

export interface WriteResult {
  /** Canonical HTML by column. */
  readonly html: Readonly<Record<string, string>>;
  readonly remarks: readonly string[];
}

export interface ImportTask {
  readonly kind: 'import';
  readonly bytes: Uint8Array;
  readonly fileName: string;
  readonly places: OwnPlaces;
}

export type ImportResult =
  | { readonly imported: ImportedDocument }
  | { readonly refusal: { code: string; status: number; message: string } };

export interface FormulaTask {
  readonly kind: 'formula';
  readonly latex: string;
  readonly display: boolean;
}

export type FormulaResult = { readonly mathml: string } | { readonly fault: string };

export type Task = ReadTask | WriteTask | ImportTask | FormulaTask;

/** What becomes of a picture, a worker's only question: it sends the bytes. */
export type PictureAnswer = { readonly stored: { src: string; width: number; height: number } } | { readonly refused: string };
