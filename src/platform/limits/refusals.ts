/** How often each limit of this process has refused, by its name. */
export const limitRefusals = new Map<string, number>();

export const countRefusal = (limit: string): void => {
  limitRefusals.set(limit, (limitRefusals.get(limit) ?? 0) + 1);
};
