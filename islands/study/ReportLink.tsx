/** Below an item's text: where a learner says what is wrong with it. */
export function ReportLink({ id }: { id: number }) {
  return (
    <p className="study__report">
      <a href={`/user/contenus/${id}/signaler`}>Signaler une erreur</a>
    </p>
  );
}
