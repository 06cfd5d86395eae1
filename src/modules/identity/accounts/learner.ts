import { z } from 'zod';
import type { User } from './user.entity.ts';

/** The signed-in learner as pages know them, and as the API returns them. */
export const learnerAnswer = z.object({ id: z.uuid(), username: z.string(), email: z.string() }).meta({ id: 'Learner' });
export type Learner = z.infer<typeof learnerAnswer>;

/** The learner of a session that is valid until `sessionEnd`, as read by `learnerSession`. The statement may read more columns. */
export interface LearnerRow {
  sessionEnd: Date;
  sessionStart: Date;
  /** The last recorded use of the session. */
  sessionUse: Date;
  learnerId: string;
  learnerName: string;
  learnerEmail: string;
  /** Values for the page header by name, if the statement reads them. */
  header?: Record<string, unknown> | null;
}

export const learnerOfRow = ({ learnerId, learnerName, learnerEmail }: LearnerRow): Learner => ({
  id: learnerId,
  username: learnerName,
  email: learnerEmail,
});

/** Returns the learner without the entity's other fields. */
export const learnerOf = (user: User): Learner => learnerAnswer.parse(user);
