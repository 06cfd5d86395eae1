interface ProgressProps {
  label: string;
  /** Uploaded share, 0 to 1. */
  sent: number;
  /** Text shown after the upload. */
  after: string;
}

/** The progress of an upload. */
export function UploadProgress({ label, sent, after }: ProgressProps) {
  return (
    <div className="workbench__progress" role="status">
      <progress className="progress" value={sent} max={1} aria-label={label} />
      <span className="tabular">{sent < 1 ? `Envoi : ${Math.round(sent * 100)} %` : after}</span>
    </div>
  );
}
