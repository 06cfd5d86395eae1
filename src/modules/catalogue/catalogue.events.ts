import type { AfterCommit } from '../../platform/transaction.ts';
import type { Actor } from '../identity/index.ts';

/** Who deletes, what they confirmed, and what waits for the commit. */
interface Deletion {
  nom: string;
  actor: Actor;
  /** What the administrator typed to say that learners' access may be taken. */
  confirmation: string | null;
  afterCommit: AfterCommit;
}

declare module '../../platform/events.ts' {
  interface DomainEventMap {
    /** A prepa is about to be deleted, its row locked. A handler may refuse, and records what goes with it. */
    'prepa.deleting': Deletion & { prepaId: number };
    /** The same for one discipline; not emitted for those that go with their prepa. */
    'discipline.deleting': Deletion & { disciplineId: number; prepaId: number };
  }
}
