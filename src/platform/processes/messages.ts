/** Messages between the processes of one machine: a process asks the first one, which answers. */

/** A question from a process to the first process. */
export interface Asked {
  prepa: 'asked';
  number: number;
  /** Topic of the question: a key of `Answers`. */
  about: string;
  question: unknown;
}

/** The answer of the first process to the process that asked. */
export interface Answered {
  prepa: 'answered';
  number: number;
  answer?: unknown;
  failed?: true;
}

/** An announcement of the first process to each process. */
export interface Told {
  prepa: 'told';
  about: string;
  news: unknown;
}

/** The first process's answers, by topic. */
export type Answers = Readonly<Record<string, (question: never) => unknown>>;

/** Returns whether a message is ours: packages use the same channel. */
export const isOurs = <Message extends Asked | Answered | Told>(message: unknown, kind: Message['prepa']): message is Message =>
  (message as Partial<Message> | null)?.prepa === kind;
