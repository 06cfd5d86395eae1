import { useSyncExternalStore } from 'react';
import { BusyButton } from '../../ui/BusyButton.tsx';
import type { EditState } from './edit-state.ts';
import { stateLine } from './state-line.ts';

interface SaveBarProps {
  state: EditState;
  faulty: boolean;
}

const watchNetwork = (onChange: () => void): (() => void) => {
  addEventListener('online', onChange);
  addEventListener('offline', onChange);
  return () => {
    removeEventListener('online', onChange);
    removeEventListener('offline', onChange);
  };
};

/** Always in sight below the text: how it stands, and the button that saves it. */
export function SaveBar({ state, faulty }: SaveBarProps) {
  const online = useSyncExternalStore(
    watchNetwork,
    () => navigator.onLine,
    () => true,
  );
  return (
    <div className="authoring__save">
      <p className="authoring__state tabular" role="status">
        {stateLine(state, online, new Date())}
      </p>
      <BusyButton label="Enregistrer" busyLabel="Enregistrement..." busy={state.sending} aria-keyshortcuts="Control+S" disabled={faulty} />
    </div>
  );
}
