/** What stands on the bell (specification §9); the server counts no further than 100. */
export const badgeText = (unread: number): string => (unread > 99 ? '99+' : String(unread));
