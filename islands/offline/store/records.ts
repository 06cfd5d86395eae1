import type { EndOfCopy, KeptDiscipline, KeptItem, KeptMark, OutboxEntry } from '../../../src/shared/offline/offline-copy.ts';

/** A prepa as this device keeps it. */
export interface Copy {
  id: number;
  nom: string;
  /** The shape of what is kept (`offlineFormat`): of another one nothing is shown. */
  format: number;
  /** Whose it is, as the server names them. */
  learner: string;
  /** This device, as the server names it. */
  device: number;
  end: EndOfCopy;
  /** The instant that `end` says. */
  endAt: number;
  /** What ends are signed with. */
  publicKey: JsonWebKey;
  /** Those that were chosen; null: all, also later ones. */
  disciplines: number[] | null;
  /** Whether they were chosen too. */
  pictures: boolean;
  documents: boolean;
  /** Of the texts that are held. */
  tag: string;
  /** False until everything that was chosen is here. */
  complete: boolean;
  keptAt: number;
  /** When the server last said that nothing is newer. */
  updatedAt: number;
  /** Of texts, pictures and documents. */
  bytes: number;
}

/** @property place of the disciplines' order */
export type StoredDiscipline = KeptDiscipline & { prepa: number; place: number };
export type StoredItem = KeptItem & { prepa: number; discipline: number };
export type StoredMark = KeptMark & { prepa: number };
/** @property learner whose it is: it goes to nobody else's account */
export type StoredEntry = OutboxEntry & { prepa: number; learner: string };
