import type {
  EndOfCopy,
  KeptDiscipline,
  KeptItem,
  KeptMark,
  KeptRevision,
  KeptSession,
  OutboxEntry,
} from '../../../../src/shared/offline/offline-copy.ts';

/** A prepa kept on this device. */
export interface Copy {
  id: number;
  nom: string;
  /** Format of the stored data (`offlineFormat`). A copy of another format is not shown. */
  format: number;
  /** The learner's tag, given by the server. */
  learner: string;
  /** This device's id on the server. */
  device: number;
  end: EndOfCopy;
  /** The last readable time in `end`, in ms. */
  endAt: number;
  /** Public key that verifies signed ends. */
  publicKey: JsonWebKey;
  /** Ids of the chosen disciplines; null: all, including those added later. */
  disciplines: number[] | null;
  /** Whether the learner chose to keep pictures, and documents. */
  pictures: boolean;
  documents: boolean;
  /** Tag of the stored texts. */
  tag: string;
  /** False until the whole choice is downloaded. */
  complete: boolean;
  keptAt: number;
  /** When the copy was last known to be up to date, in ms. */
  updatedAt: number;
  /** Stored bytes of texts, pictures and documents. */
  bytes: number;
  /** Download size of the choice in bytes, which pages show; copies of earlier releases have none. */
  download?: number;
  /** What sessions of the day are made from, as the server sent it; absent before, and without questions. `latest`: of its answers, in ms. */
  revision?: Omit<KeptRevision, 'suite'> & { latest: number };
  /** Sessions of this device that the server's do not replace yet. */
  sessions?: DeviceSession[];
}

/** A session of the day with answers of this device. */
export interface DeviceSession extends Omit<KeptSession, 'answers'> {
  /** `at`: when this device stored the answer, in ms; absent from answers that the server sent. */
  answers: Record<string, KeptSession['answers'][string] & { at?: number; seconds?: number | null }>;
}

/** @property place position in the server's order of disciplines */
export type StoredDiscipline = KeptDiscipline & { prepa: number; place: number };
export type StoredItem = KeptItem & { prepa: number; discipline: number };
export type StoredMark = KeptMark & { prepa: number };
/** @property learner tag of the learner; the entry is only sent to this account */
export type StoredEntry = OutboxEntry & { prepa: number; learner: string };
