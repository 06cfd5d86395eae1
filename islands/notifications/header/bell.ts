import { onPageRestored } from '../../behaviours/page-restored.ts';
import { lastUnread, rememberUnread, showUnread } from './badge.ts';

/** Between two questions (specification §9). */
const intervalMs = 5 * 60_000;

/**
 * Asks every five minutes how many notifications are unread, only while the page is seen: a hidden one stays silent, and asks once when it is looked at
 * again after that time. A page that came without the count (docs/decisions/001) shows the one that this browser has last seen, and asks as soon as it has
 * nothing else to do when that is older; one that Back shows as it was asks at once. The panel, when it is open, reads its list instead.
 */
export function start(bell: HTMLElement): void {
  const uncounted = bell.hasAttribute('data-uncounted');
  const last = uncounted ? lastUnread() : { unread: countOn(bell), at: Date.now() };
  let asked = last?.at ?? Number.NEGATIVE_INFINITY;
  if (last && uncounted) showUnread(last.unread, last.at);
  else if (last) rememberUnread(last.unread);
  let timer: ReturnType<typeof setTimeout> | undefined;

  function schedule(): void {
    clearTimeout(timer);
    if (!document.hidden) timer = setTimeout(ask, Math.max(0, asked + intervalMs - Date.now()));
  }
  async function ask(): Promise<void> {
    asked = Date.now();
    if (document.querySelector('[data-island="notifications"] > dialog[open]')) document.dispatchEvent(new Event('notifications:due'));
    // The session has ended: nothing more to ask.
    else if (!(await readUnread())) return document.removeEventListener('visibilitychange', schedule);
    schedule();
  }
  document.addEventListener('visibilitychange', schedule);
  onPageRestored(() => {
    asked = Number.NEGATIVE_INFINITY;
    schedule();
  });
  if (uncounted && 'requestIdleCallback' in window) requestIdleCallback(schedule);
  else schedule();
}

/** What the server has written: digits, or 99+, which stands for any larger number. */
const countOn = (bell: Element): number => {
  const text = bell.querySelector('.count')?.firstChild?.textContent ?? '0';
  return Number.parseInt(text, 10) + (text.endsWith('+') ? 1 : 0);
};

/** @returns false when nobody is signed in any more */
async function readUnread(): Promise<boolean> {
  try {
    const answer = await fetch('/api/users/notifications/unread', { headers: { accept: 'application/json' } });
    if (answer.ok) showUnread(((await answer.json()) as { unread: number }).unread);
    return answer.status !== 401;
  } catch {
    return true;
  }
}
