import { badgeText } from '../../src/shared/badge.ts';

/** Writes the count of unread notifications on the header's bell, as views/partials/personal.eta does. */
export function showUnread(unread: number): void {
  const bell = document.querySelector('.bell');
  bell?.querySelector('.count')?.remove();
  if (!bell || unread === 0) return;
  const words = document.createElement('span');
  words.className = 'visually-hidden';
  words.textContent = ` non ${unread > 1 ? 'lues' : 'lue'}`;
  const count = document.createElement('span');
  count.className = 'count';
  count.append(badgeText(unread), words);
  bell.append(' ', count);
}
