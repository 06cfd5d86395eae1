// Makes this file a module: what it declares below is merged into the platform's interface.
import type {} from '../../../platform/use-cases/events.ts';
import type { Redaction } from './redaction.ts';

declare module '../../../platform/use-cases/events.ts' {
  interface DomainEventMap {
    /**
     * Emitted when a learner's personal data are erased for good. Each module removes them from its own tables, and throws when the
     * erasure must wait.
     * Append-only tables accept changes of their texts in this transaction (`allowErasing`).
     */
    'learner.erasing': { userId: string; email: string; redact: Redaction; at: Date };
    /**
     * Emitted when a learner's data are exported. Each module adds its rows about the learner, by table and with the columns' names,
     * but without secrets.
     */
    'learner.exporting': { userId: string; add: (table: string, rows: object[]) => void };
  }
}
