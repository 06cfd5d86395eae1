const place = 'unread';

/** What stands on the bell (specification §9); the server counts no further than 100. */
export const badgeText = (unread: number): string => (unread > 99 ? '99+' : String(unread));

/** Writes the count of unread notifications on the header's bell, as views/notification/bell.eta does. */
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

/** For pages that come without the count: each question costs as much as the page looked at again. */
export function rememberUnread(unread: number, at = Date.now()): void {
  try {
    localStorage.setItem(place, JSON.stringify([who(), unread, at]));
  } catch {
    // Nothing is kept here: it is asked for.
  }
}

/** What this browser has last seen of this learner, and when; null when it has seen nothing. */
export function lastUnread(): { unread: number; at: number } | null {
  try {
    const [whose, unread, at] = JSON.parse(localStorage.getItem(place) ?? '[]');
    return whose === who() ? { unread: Number(unread), at: Number(at) } : null;
  } catch {
    return null;
  }
}

/** Several learners may share a telephone. */
const who = (): string => document.querySelector('.menu__welcome')?.textContent ?? '';
