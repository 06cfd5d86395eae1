import { requestLimit } from '../../../platform/limits/request-limit.ts';

/** Answers that one learner, or one visitor's network, may give per minute. */
const answersPerMinute = 90;

export const answerLimit = requestLimit('questions.answer', answersPerMinute);
