import { useId, useRef, useState } from 'react';
import {
  listedNote,
  type NotificationTab,
  nothingFound,
  notificationTabs,
  selectNotifications,
  tabLabels,
} from '../../src/shared/notifications.ts';
import type { OpenRequest } from '../runtime/context.tsx';
import { isOffline, withoutNetwork } from '../runtime/without-network.ts';
import { BusyButton } from '../ui/BusyButton.tsx';
import { ReadFailure } from '../ui/ReadFailure.tsx';
import { Tabs, tabPanel } from '../ui/tabs/Tabs.tsx';
import { NotificationItem } from './NotificationItem.tsx';
import { useNotifications } from './use-notifications.ts';

const quiet = { className: 'button button--quiet', type: 'button' } as const;
export const failure = 'Erreur lors du chargement des notifications';

/** Tabs, search and list (specification §2). Mounted when the panel is first opened. */
export function NotificationPanel({ opened }: { opened: OpenRequest }) {
  const { list, state, busy: tooBusy, load, markRead, markAllRead, remove } = useNotifications(opened);
  const [tab, setTab] = useState<NotificationTab>('toutes');
  const [search, setSearch] = useState('');
  const [busy, setBusy] = useState(false);
  const panel = useRef<HTMLDivElement>(null);
  const searchId = useId();
  const now = new Date();
  const found = selectNotifications(list ?? [], tab, search);
  const note = list && listedNote(list);

  async function readAll(): Promise<void> {
    if (busy) return;
    setBusy(true);
    await markAllRead();
    setBusy(false);
  }

  /** Focuses the list when the focused message is deleted or leaves the tab. */
  const focusList = () => panel.current?.querySelector<HTMLElement>('[role="tabpanel"]:not([hidden])')?.focus();

  function empty(): string {
    if (search.trim() !== '') return nothingFound;
    return notificationTabs.find(({ name }) => name === tab)?.empty ?? '';
  }

  return (
    <div className="notifications__panel" ref={panel}>
      <div className="notifications__actions">
        <BusyButton {...quiet} label="Actualiser" busyLabel="Chargement..." busy={state === 'loading'} onClick={load} />
        <BusyButton {...quiet} label="Tout marquer comme lu" busyLabel="En cours..." busy={busy} onClick={readAll} />
      </div>
      <Tabs id="notifications" label="Notifications" tabs={tabLabels(list)} selected={tab} onSelect={setTab} />
      <div className="field">
        <label className="visually-hidden" htmlFor={searchId}>
          Rechercher dans les messages
        </label>
        <input
          className="input"
          id={searchId}
          type="search"
          maxLength={100}
          placeholder="Rechercher..."
          autoComplete="off"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      </div>
      <div aria-live="polite">
        {state === 'failed' && (
          <ReadFailure message={failure} detail={isOffline() ? `${withoutNetwork} Cette page reste lisible.` : tooBusy} onRetry={load} />
        )}
      </div>
      {notificationTabs.map(({ name }) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be focusable
        <div key={name} className="notifications__scroll" {...tabPanel('notifications', name)} tabIndex={0} hidden={name !== tab}>
          {name === tab && found.length > 0 && (
            <ul className="notifications__list plain">
              {found.map((notification) => (
                <NotificationItem
                  key={notification.id}
                  notification={notification}
                  now={now}
                  onRead={async () => {
                    await markRead(notification.id);
                    focusList();
                  }}
                  onRemove={async () => {
                    const gone = await remove(notification.id);
                    if (gone) focusList();
                  }}
                />
              ))}
            </ul>
          )}
          {name === tab && note && <p className="notifications__empty">{note}</p>}
          {name === tab &&
            found.length === 0 &&
            (list ? <p className="notifications__empty">{empty()}</p> : state === 'loading' && <p>Chargement...</p>)}
        </div>
      ))}
    </div>
  );
}
