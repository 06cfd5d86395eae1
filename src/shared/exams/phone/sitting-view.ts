import type { Given } from '../../questions/grade.ts';
import type { SittingRecord } from './sitting-record.ts';

/** What the page shows of a sitting. */
export interface SittingState {
  record: SittingRecord;
  /** Time left, in ms; null before the start. */
  left: number | null;
  /** End of the candidate's time, in ms; null before the start. */
  end: number | null;
  /** Answers can be given: the candidate has begun, the time is not over, and nothing is handed in. */
  isOpen: boolean;
  /** Every answer is on the phone or on the server. */
  isKept: boolean;
  /** False: the browser refuses storage, and an answer is safe only on the server. */
  isStored: boolean;
  /** Questions whose answer is not on the server. */
  unsent: number;
  /** Another device has sent answers. */
  others: boolean;
  trouble: Trouble;
}

/** Why the last request failed: no response, an ended session, or the server's message. */
export type Trouble = null | 'network' | 'signed-out' | { message: string };

/** What a sitting needs of the browser. Times and pauses are in ms. */
export interface Browser {
  wall(): number;
  mono(): number;
  /** Whether the page is in the background. */
  isHidden(): boolean;
  random(): number;
  newId(): string;
  /** Runs `work` later. @returns a function that cancels it */
  after(ms: number, work: () => void): () => void;
  /** Returns the stored record of a candidate; with null, that of the last one. @throws when storage is refused */
  load(candidat: string | null): Promise<SittingRecord | null>;
  /** Resolves when the record is on the disk. @throws when storage is refused or full */
  save(record: SittingRecord): Promise<void>;
  /** Removes the stored record of a candidate, and one of the time before the candidate was known. @throws when storage is refused */
  remove(candidat: string | null): Promise<void>;
  /** Sends a call of the exam: POST with a body, else GET. It goes on when the page is closed. Returns null without a response. */
  call(what: 'participation' | 'reponses' | 'remise', body: object | null): Promise<Reply | null>;
  show(state: SittingState): void;
}

export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the body depends on call and status.
  body: any;
}

/** Times of an exam. In ms, `duree` in minutes. */
export interface RoomTimes {
  ouvre: number;
  ferme: number;
  duree: number;
  /** The server's time when it made the page. */
  maintenant: number;
}

/** A sitting that runs on a page. */
export interface Sitting {
  state(): SittingState;
  /** The site's time, in ms. */
  now(): number;
  /** Begins the candidate's time. */
  begin(): Promise<void>;
  /** Keeps an answer. Resolves when it is on the phone. Ignored outside of the candidate's time. */
  answer(q: string, g: Given | null): Promise<void>;
  handIn(): Promise<void>;
  /** Fetches the answers of the candidate's other devices: the candidate is about to hand in. */
  refresh(): void;
  /** To be called every second, and when the page is shown again. */
  tick(): void;
  /** The page is hidden or closed: sends what is unsent at once. */
  leave(): void;
  /** The network is back, or the page is shown again. */
  retry(): void;
  /** Another tab goes on with the sitting. */
  stop(): void;
}
