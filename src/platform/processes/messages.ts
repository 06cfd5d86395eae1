/** What a site's processes on one machine say to each other: a process asks the first one, which answers. */

/** From one of several processes to the first. */
export interface Asked {
  prepa: 'asked';
  number: number;
  /** Whose question it is (`Answers`). */
  about: string;
  question: unknown;
}

/** Back to the process that has asked. */
export interface Answered {
  prepa: 'answered';
  number: number;
  answer?: unknown;
  failed?: true;
}

/** To each process, unasked. */
export interface Told {
  prepa: 'told';
  about: string;
  news: unknown;
}

/** What the first process answers, by what it is asked about. */
export type Answers = Readonly<Record<string, (question: never) => unknown>>;

/** Packages speak over the same channel. */
export const isOurs = <Message extends Asked | Answered | Told>(message: unknown, kind: Message['prepa']): message is Message =>
  (message as Partial<Message> | null)?.prepa === kind;
