import { preparedAnswer } from '../http/prepared-answer.ts';

const crowdMessage = 'Beaucoup de candidats sont là en ce moment. Réessayez dans quelques secondes.';

/** Range of Retry-After, in seconds. Drawn at random for each response, so that refused clients do not all return at once. */
const retryAfter = { from: 3, to: 10 };

/** Returns the handler that answers refused requests with 503. @param page the complete HTML page */
export const busyAnswer = (page: string, message = crowdMessage) =>
  preparedAnswer({
    page,
    message,
    retryAfter: () => retryAfter.from + Math.floor(Math.random() * (retryAfter.to - retryAfter.from + 1)),
  });
