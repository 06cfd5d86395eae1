import { useOpenRequest } from '../runtime/context.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import './panel.css';
import { failure, NotificationPanel } from './NotificationPanel.tsx';

/** The panel opened by the bell. Until its script is loaded, the bell's link leads to a page with the same list. */
export default function Notifications() {
  const request = useOpenRequest();
  return (
    <Dialog
      id="notifications-title"
      title="Notifications"
      frame="drawer drawer--end"
      className="notifications"
      dismissible
      closeHref="/user/notifications"
    >
      {request ? (
        <NotificationPanel opened={request} />
      ) : (
        <>
          <p aria-busy="true">Chargement...</p>
          <p className="notifications__failure">{failure}</p>
        </>
      )}
      <p>
        <a className="back" href="/user/notifications">
          Voir toutes les notifications
        </a>
      </p>
    </Dialog>
  );
}
