interface ProgressProps {
  label: string;
  /** How much has left, 0 to 1. */
  sent: number;
  /** What is said once all of it has left. */
  after: string;
}

/** A file on its way to the server. */
export function UploadProgress({ label, sent, after }: ProgressProps) {
  return (
    <div className="workbench__progress" role="status">
      <progress className="progress" value={sent} max={1} aria-label={label} />
      <span className="tabular">{sent < 1 ? `Envoi : ${Math.round(sent * 100)} %` : after}</span>
    </div>
  );
}
