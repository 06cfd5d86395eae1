import { useSyncExternalStore } from 'react';
import { BusyButton } from '../../ui/BusyButton.tsx';
import type { EditState } from './edit-state.ts';
import type { ItemTask } from './ItemDialogs.tsx';
import type { Opened } from './saving.ts';
import { stateLine } from './state-line.ts';

interface SaveBarProps {
  state: EditState;
  opened: Opened;
  faulty: boolean;
  onTask: (task: ItemTask) => void;
}

const watchNetwork = (onChange: () => void): (() => void) => {
  addEventListener('online', onChange);
  addEventListener('offline', onChange);
  return () => {
    removeEventListener('online', onChange);
    removeEventListener('offline', onChange);
  };
};

/** State of the text and actions on the item. Always visible: in the toolbar, or at the bottom of a phone's screen. */
export function SaveBar({ state, opened, faulty, onTask }: SaveBarProps) {
  const online = useSyncExternalStore(
    watchNetwork,
    () => navigator.onLine,
    () => true,
  );
  return (
    <div className="authoring__whole">
      <button className="button button--quiet" type="button" onClick={() => onTask({ what: 'preview' })}>
        Aperçu
      </button>
      {opened === 'item' && (
        <button className="button button--quiet" type="button" onClick={() => onTask({ what: 'versions' })}>
          Versions
        </button>
      )}
      <button className="button button--quiet" type="button" onClick={() => onTask({ what: 'publish' })}>
        {opened === 'draft' ? 'Publier' : 'Brouillon'}
      </button>
      <div className="authoring__save">
        <p className="authoring__state tabular" role="status">
          {stateLine(state, online, new Date())}
        </p>
        <BusyButton
          label="Enregistrer"
          busyLabel="Enregistrement..."
          busy={state.sending}
          aria-keyshortcuts="Control+S"
          disabled={faulty && opened === 'item'}
        />
      </div>
    </div>
  );
}
