/** An enrolment and its end, as used in events. */
export interface EnrolmentEnd {
  enrolmentId: number;
  userId: string;
  /** Null once the prepa is deleted. */
  prepaId: number | null;
  prepaNom: string;
  dateExpiration: Date;
}

/** An end that is now announced. */
export interface AnnouncedEnd extends EnrolmentEnd {
  /** The lowest of 7, 3 and 1 days that has been reached; 0: the access has ended. */
  days: number;
}

declare module '../../../platform/use-cases/events.ts' {
  interface DomainEventMap {
    /** Emitted when days were added. `renewed`: the learner already had access, so the days were added to its end. */
    'enrolment.extended': EnrolmentEnd & { prepaId: number; renewed: boolean; source: 'payment' | 'grant'; at: Date };
    /** Emitted when days were removed. `ended`: no days are left, so the access has ended. */
    'enrolment.shortened': EnrolmentEnd & { ended: boolean; source: 'withdrawal' | 'refund'; reason: string; at: Date };
    /**
     * Emitted for ends that are near or reached: once per enrolment, end and number of days, in the transaction that records the
     * announcement.
     */
    'enrolments.announced': { ends: AnnouncedEnd[]; at: Date };
    /** Emitted when access that was ended too early is restored; only for enrolments whose learners were notified of that end. */
    'enrolments.restored': { ends: EnrolmentEnd[]; at: Date };
  }
}
