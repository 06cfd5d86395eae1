import { z } from 'zod';
import type { User } from './user.entity.ts';

/** What a page knows of who is signed in, and what the API answers of a learner. */
export const learnerAnswer = z.object({ id: z.uuid(), username: z.string(), email: z.string() }).meta({ id: 'Learner' });
export type Learner = z.infer<typeof learnerAnswer>;

/** The learner of a session that lasts until `sessionEnd`, as `learnerSession` reads them, beside whatever else its statement reads. */
export interface LearnerRow {
  sessionEnd: Date;
  sessionStart: Date;
  /** The last use of it that was written down. */
  sessionUse: Date;
  learnerId: string;
  learnerName: string;
  learnerEmail: string;
  /** What their header shows, by name, where the statement reads it. */
  header?: Record<string, unknown> | null;
}

export const learnerOfRow = ({ learnerId, learnerName, learnerEmail }: LearnerRow): Learner => ({
  id: learnerId,
  username: learnerName,
  email: learnerEmail,
});

/** Without anything else that the row holds. */
export const learnerOf = (user: User): Learner => learnerAnswer.parse(user);
