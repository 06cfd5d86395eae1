import { z } from 'zod';
import type { User } from './user.entity.ts';

/** What a page knows of who is signed in, and what the API answers of a learner. */
export const learnerAnswer = z.object({ id: z.uuid(), username: z.string(), email: z.string() }).meta({ id: 'Learner' });
export type Learner = z.infer<typeof learnerAnswer>;

/** Of app_user, named as the fields are. */
export const learnerColumns = Object.keys(learnerAnswer.shape);

/** Without anything else that the row holds. */
export const learnerOf = (user: User): Learner => learnerAnswer.parse(user);
