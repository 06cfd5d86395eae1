import type { QuestionKind } from '../../../../shared/rich-text/question-kinds.ts';

/** A text of a question file, in the format that the file says. */
export interface FileText {
  readonly text: string;
  readonly format: 'html' | 'plain' | 'markdown';
  /** Pictures by their name in the text (`@@PLUGINFILE@@/name`). */
  readonly files?: ReadonlyMap<string, Buffer>;
}

interface FileChoice {
  readonly text: FileText;
  readonly right: boolean;
  readonly remark: FileText | null;
}

/** A question of a kind that we have. */
export interface FileQuestion {
  readonly type: 'question';
  readonly kind: QuestionKind;
  readonly points: number;
  /** Whether the choices keep their order. */
  readonly fixed: boolean;
  readonly value: string;
  readonly tolerance: string;
  readonly unit: string;
  readonly accepted: readonly string[];
  readonly statement: readonly FileText[];
  readonly choices: readonly FileChoice[];
  readonly explanation: readonly FileText[];
}

/** Text that is no question: prose, or a question of a kind that we do not have. */
interface FileProse {
  readonly type: 'prose';
  readonly texts: readonly FileText[];
}

interface FileHeading {
  readonly type: 'heading';
  readonly level: number;
  readonly text: string;
}

export type FileEntry = FileQuestion | FileProse | FileHeading;

/** Points of a series for a right, a wrong and a missing answer. */
export interface Marking {
  readonly right: number;
  readonly wrong: number;
  readonly unanswered: number;
}

export interface QuestionFile {
  readonly title: string | null;
  readonly entries: readonly FileEntry[];
  readonly marking: Marking | null;
  /** French sentences about what is not as in the file. */
  readonly remarks: readonly string[];
}

export const plainText = (text: string): FileText => ({ text, format: 'plain' });

const none = { points: 1, fixed: false, value: '', tolerance: '', unit: '', accepted: [], choices: [], explanation: [] };

/** Returns a question with the parts given, and nothing else. */
export const fileQuestion = (parts: Pick<FileQuestion, 'kind' | 'statement'> & Partial<FileQuestion>): FileQuestion => ({
  type: 'question',
  ...none,
  ...parts,
});

/** Returns the part of a category path that a heading shows, with its level; null for Moodle's own categories. */
export function headingOf(path: string): FileHeading | null {
  const names = path
    .split(/(?<!\/)\/(?!\/)/)
    .map((name) => name.replaceAll('//', '/').trim())
    .filter((name) => name !== '' && !/^(?:\$\w+\$|top|Défaut pour .*|Default for .*)$/i.test(name));
  const text = names.at(-1);
  return text === undefined ? null : { type: 'heading', level: Math.min(4, names.length + 1), text };
}

/** Returns a number as a French teacher writes it. */
export const written = (value: number): string => String(value).replace('.', ',');
