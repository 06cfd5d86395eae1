declare module '../../../platform/use-cases/events.ts' {
  interface DomainEventMap {
    /**
     * Emitted when an administrator answers a learner's report, or closes it without an answer (null).
     * `href`: address of the item's page.
     */
    'content.report-closed': { userId: string; titre: string; href: string; answer: string | null; at: Date };
  }
}

export {};
