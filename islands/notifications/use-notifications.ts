import { useCallback, useEffect, useRef, useState } from 'react';
import { countByTab, type NotificationData } from '../../src/shared/notifications.ts';
import type { OpenRequest } from '../runtime/context.tsx';
import { type Answer, call } from '../runtime/post.ts';
import { toast } from '../ui/toast.ts';
import { showUnread } from './header/badge.ts';

const address = '/api/users/notifications';

/** The learner's notifications, read anew each time the panel is opened and every five minutes while it is; the bell follows. */
export function useNotifications(opened: OpenRequest) {
  /** Null until they have been read once. */
  const [list, setList] = useState<NotificationData[] | null>(null);
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  /** What the server says of a reading that it had no time for. */
  const [busy, setBusy] = useState<string>();
  /** Of the newest question: an older answer that comes later says nothing. */
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: each request opens the panel anew
  useEffect(() => {
    load();
    document.addEventListener('notifications:due', load);
    return () => document.removeEventListener('notifications:due', load);
  }, [load, opened]);

  useEffect(() => {
    if (list) showUnread(countByTab(list)['non-lues']);
  }, [list]);

  /** A list that is on its way may not know of the change: it is asked for anew. */
  function change(next: (rows: NotificationData[]) => NotificationData[]): void {
    setList((rows) => rows && next(rows));
    if (asking.current) load();
  }
  const drop = (id: number) => change((rows) => rows.filter((row) => row.id !== id));

  /** @returns whether it was done; what is gone already leaves the list */
  function settled(answer: Answer | null, failure: string, id?: number): boolean {
    if (leftBecauseSignedOut(answer)) return false;
    const gone = answer?.status === 404 && id !== undefined;
    if (gone) drop(id);
    // A page in place of an answer is somebody else's: the sign-in of a Wi-Fi, say.
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
    // What has come since the list was read has not been seen.
    const seen = list && { newestSeen: Math.max(0, ...list.map(({ id }) => id)) };
    const answer = await call<{ marked: number }>('PUT', `${address}/read`, seen ?? undefined);
    if (answer?.ok && answer.body.marked === 0) return toast('info', answer.body.message ?? '');
    if (!settled(answer, 'Erreur lors de la mise à jour des notifications')) return;
    change((rows) => rows.map((row) => (seen && row.id > seen.newestSeen ? row : { ...row, lu: true })));
  }

  /** @returns whether it is gone, here or elsewhere */
  async function remove(id: number): Promise<boolean> {
    const answer = await call('DELETE', `${address}/${id}`);
    const deleted = settled(answer, 'Erreur lors de la suppression de la notification', id);
    if (deleted) drop(id);
    return deleted || answer?.status === 404;
  }

  return { list, state, busy, load, markRead, markAllRead, remove };
}

/** The session has ended: to the sign-in, which says so, and back to this page. */
function leftBecauseSignedOut(answer: Answer | null): boolean {
  if (answer?.status !== 401) return false;
  location.assign(`/login?suite=${encodeURIComponent(location.pathname + location.search)}`);
  return true;
}
