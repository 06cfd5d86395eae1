/** Points per minute. Generous: carriers put thousands of learners, and a provider all its notifications, behind one address. */
export const pointsPerMinute = { notifications: 6_000, returns: 600, learner: 300 } as const;
/** Of one address, an hour and process: notifications, or kilobytes of them, that name no payment of ours and are stored all the same. */
export const unknownPointsPerHour = 300;
/** The same of all addresses together: whoever rents a server has 65,536 networks of IPv6. */
export const allUnknownPointsPerHour = 3_000;
/** Of one payment, an hour and process: those without a signature that name it and are stored; providers send a handful. */
export const unsignedPointsPerHour = 60;
