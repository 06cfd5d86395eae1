import { Alert } from './Alert.tsx';

interface ReadFailureProps {
  message: string;
  /** What is known beyond it. */
  detail?: string | undefined;
  /** As an alert has it. */
  role?: 'alert';
  onRetry: () => void;
}

/** A list that could not be read, and the way to ask again. */
export function ReadFailure({ message, detail, role, onRetry }: ReadFailureProps) {
  return (
    <Alert notice={{ kind: 'error', message, detail }} role={role}>
      <p className="actions">
        <button className="button button--secondary" type="button" onClick={onRetry}>
          Réessayer
        </button>
      </p>
    </Alert>
  );
}
