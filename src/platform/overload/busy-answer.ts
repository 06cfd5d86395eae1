import { preparedAnswer } from '../http/prepared-answer.ts';

const crowdMessage = 'Beaucoup de candidats sont là en ce moment. Réessayez dans quelques secondes.';

/** Seconds after which to come back, drawn for each: those who are refused together do not come back together. */
const retryAfter = { from: 3, to: 10 };

/** The answer to what is refused. @param page of one's own, in HTML */
export const busyAnswer = (page: string, message = crowdMessage) =>
  preparedAnswer({
    page,
    message,
    retryAfter: () => retryAfter.from + Math.floor(Math.random() * (retryAfter.to - retryAfter.from + 1)),
  });
