import { Icon } from '../../ui/Icon.tsx';

interface RemarksProps {
  remarks: readonly string[];
  /** The words of the button that dismisses the remarks. */
  dismissal: string;
  onRead: () => void;
}

/** Lists the parts of a document that could not be kept, until the author dismisses it. */
export default function Remarks({ remarks, dismissal, onRead }: RemarksProps) {
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
            {dismissal}
          </button>
        </p>
      </div>
    </div>
  );
}
