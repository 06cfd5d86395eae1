import type { AfterCommit } from '../../../platform/use-cases/transaction.ts';
import type { Actor } from '../../identity/index.ts';

/** A loss caused by a deletion. */
export interface Loss {
  kind: 'learners' | 'payments' | 'contents';
  /** French text with the number, and the consequence. */
  text: string;
  /** Identifies the exact rows: a row added or removed changes the key. */
  key: string;
}

/** Payload of the events that collect the losses of a deletion. Handlers report losses and change nothing. */
interface Losses {
  prepaId: number;
  tell: (loss: Loss) => void;
}

/** The author of a deletion, and the registration of work after the commit. */
interface Deletion {
  nom: string;
  actor: Actor;
  afterCommit: AfterCommit;
}

declare module '../../../platform/use-cases/events.ts' {
  interface DomainEventMap {
    /** Emitted before a prepa is deleted, with its row locked. Each handler reports its losses, so that all are shown at once. */
    'prepa.losses': Losses;
    /** Emitted before a discipline is deleted, with its row locked. */
    'discipline.losses': Losses & { disciplineId: number };
    /** Emitted when a prepa is being deleted and its losses are confirmed. Each handler records and removes its own data. */
    'prepa.deleting': Deletion & { prepaId: number };
    /** Emitted when a discipline is being deleted; not for disciplines deleted with their prepa. */
    'discipline.deleting': Deletion & { disciplineId: number; prepaId: number };
  }
}
