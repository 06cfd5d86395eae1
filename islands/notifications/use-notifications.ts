import { useCallback, useEffect, useRef, useState } from 'react';
import { countByTab, type NotificationData } from '../../src/shared/notifications.ts';
import type { OpenRequest } from '../runtime/context.tsx';
import { type Answer, call } from '../runtime/post.ts';
import { toast } from '../ui/toast.ts';
import { showUnread } from './badge.ts';

const address = '/api/users/notifications';

export interface Notifications {
  /** Null until they have been read once. */
  list: NotificationData[] | null;
  state: 'loading' | 'ready' | 'failed';
  load(): Promise<void>;
  markRead(id: number): Promise<void>;
  markAllRead(): Promise<void>;
  /** @returns whether it is gone, here or elsewhere */
  remove(id: number): Promise<boolean>;
}

/** The learner's notifications, read anew each time the panel is opened and every five minutes while it is; the bell follows. */
export function useNotifications(opened: OpenRequest): Notifications {
  const [list, setList] = useState<NotificationData[] | null>(null);
  const [state, setState] = useState<Notifications['state']>('loading');
  /** Of the newest question: an older answer that comes later says nothing. */
  const question = useRef(0);

  const load = useCallback(async () => {
    question.current += 1;
    const mine = question.current;
    setState('loading');
    const answer = await call('GET', address);
    if (mine !== question.current || leftBecauseSignedOut(answer)) return;
    const rows: unknown = answer?.ok ? answer.body : null;
    if (Array.isArray(rows)) setList(rows as NotificationData[]);
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

  const drop = (id: number) => setList((rows) => rows?.filter((row) => row.id !== id) ?? null);

  /** @returns whether it was done; what is gone already leaves the list */
  function settled(answer: Answer | null, failure: string, id?: number): boolean {
    if (leftBecauseSignedOut(answer)) return false;
    const gone = answer?.status === 404 && id !== undefined;
    if (gone) drop(id);
    if (answer?.ok || gone) toast(answer.ok ? 'success' : 'info', answer.body.message ?? '');
    else toast('error', failure);
    return answer?.ok ?? false;
  }

  async function markRead(id: number): Promise<void> {
    const answer = await call('PUT', `${address}/${id}/read`);
    if (!settled(answer, 'Erreur lors de la mise à jour de la notification', id)) return;
    setList((rows) => rows?.map((row) => (row.id === id ? { ...row, lu: true } : row)) ?? null);
  }

  async function markAllRead(): Promise<void> {
    const answer = await call<{ marked: number }>('PUT', `${address}/read`);
    if (answer?.ok && answer.body.marked === 0) return toast('info', answer.body.message ?? '');
    if (!settled(answer, 'Erreur lors de la mise à jour des notifications')) return;
    setList((rows) => rows?.map((row) => ({ ...row, lu: true })) ?? null);
  }

  async function remove(id: number): Promise<boolean> {
    const answer = await call('DELETE', `${address}/${id}`);
    const deleted = settled(answer, 'Erreur lors de la suppression de la notification', id);
    if (deleted) drop(id);
    return deleted || answer?.status === 404;
  }

  return { list, state, load, markRead, markAllRead, remove };
}

/** The session has ended: to the sign-in, which says so, and back to this page. */
function leftBecauseSignedOut(answer: Answer | null): boolean {
  if (answer?.status !== 401) return false;
  location.assign(`/login?suite=${encodeURIComponent(location.pathname + location.search)}`);
  return true;
}
