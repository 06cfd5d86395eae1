/** Proposes the address that was probably meant. The button changes the field's text. */
export function MailSuggestion({ field, meant }: { field: string; meant: string | null }) {
  const accept = () => {
    const input = document.getElementById(field) as HTMLInputElement | null;
    if (!input || meant === null) return;
    input.value = meant;
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.focus();
  };
  return (
    <div role="status">
      {meant !== null && (
        <div className="suggestion">
          <p>
            Vouliez-vous dire <strong>{meant}</strong> ?
          </p>
          <button className="field__toggle" type="button" onClick={accept}>
            Corriger
          </button>
        </div>
      )}
    </div>
  );
}
