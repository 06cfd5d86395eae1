import { Alert } from './Alert.tsx';

interface ReadFailureProps {
  message: string;
  /** More details, if known. */
  detail?: string | undefined;
  /** See `Alert`. */
  role?: 'alert';
  onRetry: () => void;
}

/** Shown instead of a list that could not be read, with a retry button. */
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
