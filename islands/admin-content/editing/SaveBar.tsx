import { useSyncExternalStore } from 'react';
import type { EditState } from './edit-state.ts';
import { stateLine } from './state-line.ts';

interface SaveBarProps {
  state: EditState;
  /** Something typed is wrong. */
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
      <button className="button" type="submit" aria-busy={state.sending} aria-keyshortcuts="Control+S" disabled={faulty}>
        <span className="button__label">Enregistrer</span>
        <span className="button__busy">Enregistrement...</span>
      </button>
    </div>
  );
}
