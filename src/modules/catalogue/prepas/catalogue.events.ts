import type { AfterCommit } from '../../../platform/use-cases/transaction.ts';
import type { Actor } from '../../identity/index.ts';

/** Something that a deletion would take from somebody. */
export interface Loss {
  kind: 'learners' | 'payments' | 'contents';
  /** French: how many, and what becomes of them. */
  text: string;
  /** Which ones exactly: whatever is added or goes makes another key. */
  key: string;
}

/** What a deletion would take, told by whoever knows; nothing is changed yet. */
interface Losses {
  prepaId: number;
  tell: (loss: Loss) => void;
}

/** Who deletes, and what waits for the commit. */
interface Deletion {
  nom: string;
  actor: Actor;
  afterCommit: AfterCommit;
}

declare module '../../../platform/use-cases/events.ts' {
  interface DomainEventMap {
    /** Somebody wants to delete a prepa, its row locked: each handler tells what would be lost, so that all of it is shown at once. */
    'prepa.losses': Losses;
    /** The same for one discipline. */
    'discipline.losses': Losses & { disciplineId: number };
    /** A prepa is about to be deleted, what would be lost confirmed: each handler records and releases what is its own. */
    'prepa.deleting': Deletion & { prepaId: number };
    /** The same for one discipline; not emitted for those that go with their prepa. */
    'discipline.deleting': Deletion & { disciplineId: number; prepaId: number };
  }
}
