import { z } from 'zod';
import { messageAnswer } from '../../../platform/http/answers.ts';
import { learnerAnswer } from '../accounts/learner.ts';

/** What the learners' calls answer (specification §7). Forms are checked by the use cases, with the schemas that the pages use too. */

export const accountAnswer = messageAnswer.extend({ user: learnerAnswer });
export const registrationAnswer = accountAnswer.extend({ token: z.string().optional() });
export const signInAnswer = accountAnswer.extend({ token: z.string() });
