// Makes this file a module: what it declares below is merged into the platform's interface.
import type {} from '../../../platform/use-cases/events.ts';
import type { Redaction } from './redaction.ts';

declare module '../../../platform/use-cases/events.ts' {
  interface DomainEventMap {
    /**
     * All that says who a learner was is about to go, for good: each module takes it out of what is its own, and throws where that has to wait. What is
     * append-only lets its words change in this transaction (`allowErasing`).
     */
    'learner.erasing': { userId: string; email: string; redact: Redaction; at: Date };
    /** Each module adds all rows of its own that are about a learner, by the name of their table: without secrets, their fields named as the columns are. */
    'learner.exporting': { userId: string; add: (table: string, rows: object[]) => void };
  }
}
