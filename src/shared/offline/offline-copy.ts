import type { ItemKind } from '../item-kinds.ts';
import type { Given } from '../questions/grade.ts';
import type { QuestionKey } from '../questions/question-keys.ts';
import type { PlannedQuestion } from '../recall/plan.ts';
import type { PackedAnswers } from '../revision/packed-answers.ts';

/**
 * Types of a kept prepa, as the calls under `/api/hors-ligne` send it and the browser's store holds it (docs/offline.md).
 * Times are in ms since 1970 by the server's clock, unless noted otherwise. Sizes are in bytes.
 */

/** Version of the format of kept data. Increase it when the format changes: copies of another format are then fetched again. */
export const offlineFormat = 1;

/** Maximum number of devices on which a learner keeps a prepa at the same time. */
export const maxDevicesPerPrepa = 3;

/** Maximum length of a device's name, in characters. */
export const maxDeviceName = 60;

/** A picture in texts. `name` is the last part of `/media/content/<name>` (`3f….webp`), made from its content. */
interface KeptPicture {
  name: string;
  octets: number;
}

interface KeptDocument {
  id: number;
  nom: string;
  octets: number;
  /** Path from the site's root. */
  url: string;
}

/** An item with its texts as the study page shows them (`asRead`). Picture URLs have no signature. */
export interface KeptItem {
  id: number;
  kind: ItemKind;
  titre: string;
  annee: number | null;
  /** Advised time, in minutes. */
  duree: number | null;
  version: number;
  contenu: string;
  corrige: string | null;
  pictures: KeptPicture[];
  documents: KeptDocument[];
  /** Keys of the questions of `contenu`, which the device judges answers by; absent without questions. */
  keys?: QuestionKey[];
}

/** A change of a text: everything after the first `debut` characters and before the last `fin` characters is replaced by `texte`. */
export interface TextChange {
  debut: number;
  fin: number;
  texte: string;
  /** Checksum of the new text. If the result does not match, the device fetches the complete text. */
  somme: number;
}

/** A changed item: its texts are sent as changes of the version on the device. */
export type ItemChange = Omit<KeptItem, 'contenu' | 'corrige'> & { contenu: TextChange; corrige: TextChange | null };

export interface KeptDiscipline {
  id: number;
  nom: string;
  description: string;
  /** URL of the cover picture; null when the card shows initials. */
  image: string | null;
  /** All items, also unchanged ones, in the order of the contents list. */
  items: { id: number; version: number }[];
}

/** Response with texts: of all items, or of those that the device does not hold in the listed version. Items in no list were deleted. */
export interface TextsAnswer {
  format: typeof offlineFormat;
  prepa: { id: number; nom: string };
  /** Hash of the versions of the requested content. Changes whenever that content changes. */
  tag: string;
  disciplines: KeptDiscipline[];
  items: KeptItem[];
  /** Only in a difference requested with `changements`: items whose previous text is on the device. See `wholeItems`. */
  changes?: ItemChange[];
}

/** Until when a learner may read a prepa on a device. `said`: JSON of a `SignedEnd`. `signature`: ECDSA P-256 with SHA-256, base64url (r and s, 64 bytes). */
export interface EndOfCopy {
  said: string;
  signature: string;
}

export interface SignedEnd {
  /** The learner's tag (`learnerTag`). */
  learner: string;
  /** The device's id on the server. */
  device: number;
  prepa: number;
  /** The last readable time. */
  end: number;
  /** Time of the signature, by the server's clock. */
  signedAt: number;
}

/** A learner's reading and practice of an item. */
export interface KeptMark {
  item: number;
  readAt: number;
  finished: boolean;
  verdict: 'reussi' | 'a_revoir' | null;
  /** Time of the verdict. */
  markedAt: number | null;
  /** Number of practices. */
  times: number;
}

/** The marks of the signed-in learner. */
export interface MarksAnswer {
  learner: string;
  marques: KeptMark[];
  /** Null when the prepa asks no questions. */
  revision: KeptRevision | null;
}

/** What sessions of the day on a device are made from. Days are calendar days in Africa/Douala, `2026-12-21`. */
export interface KeptRevision {
  /** Day of the concours; null without a date. */
  day: string | null;
  /** Minutes a day. */
  minutes: number;
  /** Days since Monday on which the learner studied. */
  week: string[];
  /** The latest session of today; null without one. */
  session: KeptSession | null;
  /** All answers and verdicts of the learner, or with `suite` those after the latest that the device holds. */
  reponses: PackedAnswers;
  suite: boolean;
  /** `tagOfAnswers` of all answers: a device with another result fetches all of them. */
  tag: string;
}

/** A session of the day. Times are in ms since 1970. */
export interface KeptSession {
  id: string;
  day: string;
  /** 1 for the day's session, then one for each 'Encore 5 minutes'. */
  part: number;
  startedAt: number;
  finishedAt: number | null;
  asked: PlannedQuestion[];
  /** Answers in this session by question id. */
  answers: Record<string, { given: Given; isRight: boolean }>;
}

/** `rouvert`: an item finished by reading is unfinished again. */
export const outboxKinds = ['lu', 'termine', 'rouvert', 'reussi', 'a_revoir'] as const;

/** An action on a device that the server has not confirmed. */
export interface OutboxEntry {
  /** UUID made by the device. The server counts each key once, from any device. */
  cle: string;
  type: (typeof outboxKinds)[number];
  item: number;
  /** Time of the action, by the device's clock. The server replaces a time in the future by its own. */
  le: number;
  /** With 'lu': an answer to a question of the item, which counts once by the same key. */
  reponse?: KeptAnswer;
  /** With 'lu': the session of the day to which the entry belongs. */
  seance?: EntrySession;
}

/** A session of the day in which a learner did something on a device. */
export interface EntrySession {
  /** UUID, made by the device or the server. */
  id: string;
  partie: number;
  /** When it began, by the device's clock, in ms. */
  debut: number;
  /** With the entry that begins a session on a device: its questions. */
  prevues?: PlannedQuestion[];
  /** The learner passes over the exercise, or ends the session. */
  passe?: true;
  fin?: true;
}

/** An answer that the device has judged; the server judges it again. One of the last three fields is set, as in a form's call. */
export interface KeptAnswer {
  /** The question's id. */
  question: string;
  /** Ids of the chosen choices. */
  choix?: string[];
  /** What was typed. */
  texte?: string;
  /** 'Je ne sais pas'. */
  passe?: true;
  /** Time of the answer in seconds, in a session. */
  secondes?: number;
}

/** Maximum number of entries per call. */
export const maxEntriesPerCall = 200;

/** The server's decision about a kept prepa. With 'sign-in' the copy stays until its signed end, which a sign-in renews. */
export type CopyState = 'keep' | 'remove' | 'sign-in';

/** Why a copy is to be removed. */
export type RemovalReason = 'ended' | 'device-removed' | 'session-ended' | 'other-account' | 'prepa-gone';

export interface ContactAnswer {
  now: number;
  /** The signed-in learner's tag; null without a session. */
  learner: string | null;
  prepas: {
    id: number;
    state: CopyState;
    /** Set with `remove`. */
    reason: RemovalReason | null;
    /** Set with `keep`: the newly signed end. */
    end: EndOfCopy | null;
    /** Set with `keep`: the current tag of the device's choice. If it differs from the copy's tag, there are changes to fetch. */
    tag: string | null;
  }[];
}

/** Download size of a prepa. Texts count compressed (partly estimated); each picture counts once. */
export interface SizesAnswer {
  prepa: { id: number; nom: string };
  /** End of the enrolment. */
  end: number;
  textes: number;
  images: { nombre: number; octets: number };
  /** Number of pictures from other sites, which are not kept. */
  distantes: number;
  documents: { nombre: number; octets: number };
  disciplines: { id: number; nom: string; contenus: number; textes: number; images: number; documents: number }[];
  /** The learner's devices that keep the prepa, including this one: at most `maxDevicesPerPrepa`. */
  appareils: { id: number; nom: string; depuis: number; vu: number }[];
}
