import { z } from 'zod';
import { messageAnswer } from '../../../platform/http/answers.ts';
import { learnerAnswer } from '../accounts/learner.ts';

/** Response schemas of the learners' calls (specification §7). The use cases check forms, with the same schemas as the pages. */

export const accountAnswer = messageAnswer.extend({ user: learnerAnswer });
export const registrationAnswer = accountAnswer.extend({ token: z.string().optional() });
export const signInAnswer = accountAnswer.extend({ token: z.string() });
