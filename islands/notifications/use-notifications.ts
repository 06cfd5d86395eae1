import { useCallback, useEffect, useRef, useState } from 'react';
import { countByTab, type NotificationData } from '../../src/shared/notifications.ts';
import type { OpenRequest } from '../runtime/context.tsx';
import { type Answer, call } from '../runtime/post.ts';
import { toast } from '../ui/toast.ts';
import { showUnread } from './header/badge.ts';

const address = '/api/users/notifications';

/** Reads the learner's notifications when the panel is opened, and every five minutes while it is open. Updates the bell. */
export function useNotifications(opened: OpenRequest) {
  /** Null until the first response. */
  const [list, setList] = useState<NotificationData[] | null>(null);
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  /** The server's message if it was too busy to read the list. */
  const [busy, setBusy] = useState<string>();
  /** Number of the last request: responses to earlier requests are ignored. */
  const question = useRef(0);
  const asking = useRef(false);

  const load = useCallback(async () => {
    question.current += 1;
    const mine = question.current;
    asking.current = true;
    setState('loading');
    const answer = await call('GET', address);
    if (mine !== question.current || leftBecauseSignedOut(answer)) return;
    asking.current = false;
    const rows: unknown = answer?.ok ? answer.body : null;
    if (Array.isArray(rows)) setList(rows as NotificationData[]);
    setBusy(answer?.status === 503 ? answer.body.message : undefined);
    setState(Array.isArray(rows) ? 'ready' : 'failed');
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each `opened` request loads the list again
  useEffect(() => {
    load();
    document.addEventListener('notifications:due', load);
    return () => document.removeEventListener('notifications:due', load);
  }, [load, opened]);

  useEffect(() => {
    if (list) showUnread(countByTab(list)['non-lues']);
  }, [list]);

  /** Changes the list. Reads it again if a request is in progress, whose response may not have the change. */
  function change(next: (rows: NotificationData[]) => NotificationData[]): void {
    setList((rows) => rows && next(rows));
    if (asking.current) load();
  }
  const drop = (id: number) => change((rows) => rows.filter((row) => row.id !== id));

  /** Shows the result of a request. A notification that no longer exists is removed. @returns whether the request succeeded */
  function settled(answer: Answer | null, failure: string, id?: number): boolean {
    if (leftBecauseSignedOut(answer)) return false;
    const gone = answer?.status === 404 && id !== undefined;
    if (gone) drop(id);
    // A 200 without our message comes from another server, such as the sign-in page of a Wi-Fi network.
    const message = answer?.ok || gone ? answer.body.message : undefined;
    if (message === undefined) toast('error', failure);
    else toast(gone ? 'info' : 'success', message);
    return message !== undefined && !gone;
  }

  async function markRead(id: number): Promise<void> {
    const answer = await call('PUT', `${address}/${id}/read`);
    if (!settled(answer, 'Erreur lors de la mise à jour de la notification', id)) return;
    change((rows) => rows.map((row) => (row.id === id ? { ...row, lu: true } : row)));
  }

  async function markAllRead(): Promise<void> {
    // Notifications that have arrived since the list was read stay unread.
    const seen = list && { newestSeen: Math.max(0, ...list.map(({ id }) => id)) };
    const answer = await call<{ marked: number }>('PUT', `${address}/read`, seen ?? undefined);
    if (answer?.ok && answer.body.marked === 0) return toast('info', answer.body.message ?? '');
    if (!settled(answer, 'Erreur lors de la mise à jour des notifications')) return;
    change((rows) => rows.map((row) => (seen && row.id > seen.newestSeen ? row : { ...row, lu: true })));
  }

  /** @returns whether the notification no longer exists */
  async function remove(id: number): Promise<boolean> {
    const answer = await call('DELETE', `${address}/${id}`);
    const deleted = settled(answer, 'Erreur lors de la suppression de la notification', id);
    if (deleted) drop(id);
    return deleted || answer?.status === 404;
  }

  return { list, state, busy, load, markRead, markAllRead, remove };
}

/** If the session has ended, opens the sign-in page, which leads back here. Returns whether the sign-in page was opened. */
function leftBecauseSignedOut(answer: Answer | null): boolean {
  if (answer?.status !== 401) return false;
  location.assign(`/login?suite=${encodeURIComponent(location.pathname + location.search)}`);
  return true;
}
