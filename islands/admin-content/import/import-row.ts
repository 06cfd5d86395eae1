import type { ImportedDocument } from '../items/calls.ts';

/** A file to import, as the dialog shows it. */
export interface ImportRow {
  file: File;
  state: 'waiting' | 'reading' | 'split' | 'created' | 'failed' | 'same' | 'skipped';
  /** What was created, or why nothing was, in French. */
  said: string;
  remarks: readonly string[];
  /** What the server has read, while the author chooses how it is split. */
  read?: ImportedDocument;
  /** The drafts that were made of the file. */
  made?: readonly number[];
  /** Whether the file could not even be taken out of its archive. */
  isLost?: boolean;
  /** Whether the response to the creation of its draft was lost, so that the draft may exist. */
  isUnanswered?: boolean;
  /** Whether drafts of the same file are replaced. */
  replaces?: boolean;
}

/** Returns the beginning of the source of an exercise that was one of several in a file; its number follows. */
export const partOf = (file: string): string => `${file} · `;

export const nextOf = (rows: readonly ImportRow[]): ImportRow | undefined => rows.find(({ state }) => state === 'waiting');

/** Returns the year in a file's name, such as 'ENS 2019.docx'; '' if there is none. */
export const yearOf = (name: string): string => /(?<!\d)(?:19|20)\d\d(?!\d)/.exec(name)?.[0] ?? '';
