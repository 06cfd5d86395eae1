/** Points per minute. Generous: carriers put thousands of learners, and a provider all its notifications, behind one address. */
export const pointsPerMinute = { notifications: 6_000, returns: 600, learner: 300 } as const;
