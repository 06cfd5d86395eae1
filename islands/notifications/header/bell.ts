import { onPageRestored } from '../../behaviours/page-restored.ts';
import { lastUnread, rememberUnread, showUnread } from './badge.ts';

/** Interval between requests, in ms (specification §9). */
const intervalMs = 5 * 60_000;

/**
 * Requests the unread count every five minutes while the page is visible. A hidden page requests it once, when it becomes visible after
 * that time. A page without the count (docs/decisions/001) shows the last count seen in this browser and requests a new count when idle.
 * A page restored by Back requests it at once. While the panel is open, its list is read instead.
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
    // Stop if the session has ended.
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

/** Returns the count written by the server; '99+' counts as 100. */
const countOn = (bell: Element): number => {
  const text = bell.querySelector('.count')?.firstChild?.textContent ?? '0';
  return Number.parseInt(text, 10) + (text.endsWith('+') ? 1 : 0);
};

/** @returns false if the session has ended */
async function readUnread(): Promise<boolean> {
  try {
    const answer = await fetch('/api/users/notifications/unread', { headers: { accept: 'application/json' } });
    if (answer.ok) showUnread(((await answer.json()) as { unread: number }).unread);
    return answer.status !== 401;
  } catch {
    return true;
  }
}
