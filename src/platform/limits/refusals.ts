/** Number of refusals of each limit in this process, by the limit's name. */
export const limitRefusals = new Map<string, number>();

export const countRefusal = (limit: string): void => {
  limitRefusals.set(limit, (limitRefusals.get(limit) ?? 0) + 1);
};
