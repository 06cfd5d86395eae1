import { Icon } from '../../ui/Icon.tsx';

/** Lists the parts of a document that could not be kept, until the author dismisses it. */
export function Remarks({ remarks, onRead }: { remarks: readonly string[]; onRead: () => void }) {
  if (remarks.length === 0) return null;
  return (
    <div className="alert alert--warning">
      <Icon name="warning" />
      <div>
        <p className="alert__title">À vérifier dans ce document</p>
        <ul>
          {remarks.map((remark) => (
            <li key={remark}>{remark}</li>
          ))}
        </ul>
        <p className="actions">
          <button className="button button--quiet" type="button" onClick={onRead}>
            J'ai vérifié
          </button>
        </p>
      </div>
    </div>
  );
}
