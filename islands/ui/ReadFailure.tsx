import { Alert } from './Alert.tsx';

/** A list that could not be read, and the way to ask again. `role` as an alert has it. */
export function ReadFailure({ message, role, onRetry }: { message: string; role?: 'alert'; onRetry: () => void }) {
  return (
    <Alert notice={{ kind: 'error', message }} role={role}>
      <p className="actions">
        <button className="button button--secondary" type="button" onClick={onRetry}>
          Réessayer
        </button>
      </p>
    </Alert>
  );
}
