/** Link below an item's text to report an error in it. */
export function ReportLink({ id }: { id: number }) {
  return (
    <p className="study__report">
      <a href={`/user/contenus/${id}/signaler`}>Signaler une erreur</a>
    </p>
  );
}
