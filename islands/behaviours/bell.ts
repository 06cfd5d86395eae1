import { showUnread } from '../notifications/badge.ts';

/** Between two questions (specification §9), in ms. */
const every = 5 * 60_000;

/**
 * Asks every five minutes how many notifications are unread, only while the page is seen: a hidden one stays silent, and asks once when it is looked at
 * again after that time. The panel, when it is open, reads its list instead.
 */
export function startBell(): void {
  if (!document.querySelector('.bell')) return;
  let asked = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function schedule(): void {
    clearTimeout(timer);
    if (!document.hidden) timer = setTimeout(ask, Math.max(0, asked + every - Date.now()));
  }
  async function ask(): Promise<void> {
    asked = Date.now();
    if (document.querySelector('[data-island="notifications"] > dialog[open]')) document.dispatchEvent(new Event('notifications:due'));
    // The session has ended: nothing more to tell.
    else if (!(await readUnread())) return document.removeEventListener('visibilitychange', schedule);
    schedule();
  }
  document.addEventListener('visibilitychange', schedule);
  schedule();
}

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
