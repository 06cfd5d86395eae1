import { Icon } from '../ui/Icon.tsx';

/** A list that could not be read, and the way to ask again. `role` only where it is not inside a live region already. */
export function ReadFailure({ message, role, onRetry }: { message: string; role?: 'alert'; onRetry: () => void }) {
  return (
    <div className="alert alert--error" role={role}>
      <Icon name="error" />
      <div>
        <p>{message}</p>
        <p className="actions">
          <button className="button button--secondary" type="button" onClick={onRetry}>
            Réessayer
          </button>
        </p>
      </div>
    </div>
  );
}
