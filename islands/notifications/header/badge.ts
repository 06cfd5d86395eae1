const place = 'unread';

/** Returns the text on the bell (specification §9). The server counts to 100 at most. */
export const badgeText = (unread: number): string => (unread > 99 ? '99+' : String(unread));

/** Writes the unread count on the header's bell, with the same markup as views/notification/bell.eta. */
export function showUnread(unread: number, at = Date.now()): void {
  const bell = document.querySelector('.bell');
  bell?.querySelector('.count')?.remove();
  rememberUnread(unread, at);
  if (!bell || unread === 0) return;
  const words = document.createElement('span');
  words.className = 'visually-hidden';
  words.textContent = ` non ${unread > 1 ? 'lues' : 'lue'}`;
  const count = document.createElement('span');
  count.className = 'count';
  count.append(badgeText(unread), words);
  bell.append(' ', count);
}

/** Stores the count for pages whose HTML does not contain it, so that they need no request. */
export function rememberUnread(unread: number, at = Date.now()): void {
  try {
    localStorage.setItem(place, JSON.stringify([who(), unread, at]));
  } catch {
    // If the storage is unavailable, the next page requests the count.
  }
}

/** Returns the count last seen in this browser by this learner, and its time; null if there is none. */
export function lastUnread(): { unread: number; at: number } | null {
  try {
    const [whose, unread, at] = JSON.parse(localStorage.getItem(place) ?? '[]');
    return whose === who() ? { unread: Number(unread), at: Number(at) } : null;
  } catch {
    return null;
  }
}

/** Identifies the learner by name: several learners may share a phone. */
const who = (): string => document.querySelector('.menu__welcome')?.textContent ?? '';
