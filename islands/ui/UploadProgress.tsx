interface ProgressProps {
  label: string;
  /** Uploaded share, 0 to 1, or that pictures are reduced before the upload. */
  sent: number | 'reducing';
  /** Text shown after the upload. */
  after: string;
}

/** The progress of an upload. */
export function UploadProgress({ label, sent, after }: ProgressProps) {
  if (sent === 'reducing')
    return (
      <div className="workbench__progress" role="status">
        <progress className="progress" aria-label={label} />
        <span>Réduction des images...</span>
      </div>
    );
  return (
    <div className="workbench__progress" role="status">
      <progress className="progress" value={sent} max={1} aria-label={label} />
      <span className="tabular">{sent < 1 ? `Envoi : ${Math.round(sent * 100)} %` : after}</span>
    </div>
  );
}
