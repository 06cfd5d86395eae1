/** An enrolment and its end, as events name them. */
export interface EnrolmentEnd {
  enrolmentId: number;
  userId: string;
  /** Null once the prepa is gone. */
  prepaId: number | null;
  prepaNom: string;
  dateExpiration: Date;
}

/** An end that is announced now. */
export interface AnnouncedEnd extends EnrolmentEnd {
  /** The nearest of 7, 3 and 1 days that has been reached; 0: it has ended. */
  days: number;
}

declare module '../../../platform/use-cases/events.ts' {
  interface DomainEventMap {
    /** Days have been added. `renewed`: the learner already had access, and the days were added to its end. */
    'enrolment.extended': EnrolmentEnd & { prepaId: number; renewed: boolean; source: 'payment' | 'grant'; at: Date };
    /** Days have been taken back. `ended`: nothing is left, and access has ended with it. */
    'enrolment.shortened': EnrolmentEnd & { ended: boolean; source: 'withdrawal' | 'refund'; reason: string; at: Date };
    /** Ends that come near or have come: each once for each enrolment, end and number of days, in the transaction that remembers it. */
    'enrolments.announced': { ends: AnnouncedEnd[]; at: Date };
    /** Access that had been ended too early goes on; only the enrolments whose learners were notified of that end. */
    'enrolments.restored': { ends: EnrolmentEnd[]; at: Date };
  }
}
