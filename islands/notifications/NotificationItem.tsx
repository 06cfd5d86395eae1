import { useEffect, useRef, useState } from 'react';
import type { NotificationData } from '../../src/shared/notifications.ts';
import { relativeTime } from '../../src/shared/relative-time.ts';
import { BusyButton } from '../ui/BusyButton.tsx';

interface NotificationItemProps {
  notification: NotificationData;
  now: Date;
  onRead: () => Promise<void>;
  onRemove: () => Promise<void>;
}

/** A message with its actions. The confirmation of a deletion replaces its buttons. */
export function NotificationItem({ notification: { id, message, lu, date_creation }, now, onRead, onRemove }: NotificationItemProps) {
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const question = useRef<HTMLParagraphElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const asked = useRef(false);

  useEffect(() => {
    if (asking) question.current?.focus();
    else if (asked.current) opener.current?.focus();
    asked.current = asking;
  }, [asking]);

  async function during(work: () => Promise<void>): Promise<void> {
    if (busy) return;
    setBusy(true);
    await work();
    setBusy(false);
  }

  return (
    <li className="notification" data-lu={lu}>
      <p className="notification__message" id={`notification-${id}`}>
        {!lu && <span className="visually-hidden">Non lue : </span>}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: HTML from our server, which escapes every value */}
        <span dangerouslySetInnerHTML={{ __html: message }} />
      </p>
      <p className="notification__when">
        <time dateTime={date_creation}>{relativeTime(new Date(date_creation), now)}</time>
      </p>
      {asking ? (
        <fieldset className="notification__question" aria-labelledby={`notification-${id}-question`}>
          <p id={`notification-${id}-question`} ref={question} tabIndex={-1}>
            Êtes-vous sûr de vouloir supprimer cette notification ?
          </p>
          <div className="notification__tools">
            <button className="button button--quiet" type="button" onClick={() => setAsking(false)}>
              Annuler
            </button>
            <BusyButton
              className="button button--danger"
              type="button"
              label="Supprimer"
              busyLabel="Suppression..."
              busy={busy}
              onClick={() => during(onRemove)}
            />
          </div>
        </fieldset>
      ) : (
        <div className="notification__tools">
          {!lu && (
            <BusyButton
              className="button button--quiet"
              type="button"
              label="Marquer comme lue"
              busyLabel="En cours..."
              busy={busy}
              aria-describedby={`notification-${id}`}
              onClick={() => during(onRead)}
            />
          )}
          <button
            ref={opener}
            className="button button--quiet"
            type="button"
            aria-describedby={`notification-${id}`}
            onClick={() => setAsking(true)}
          >
            Supprimer
          </button>
        </div>
      )}
    </li>
  );
}
