import type { ItemRef } from '../../src/shared/study-order.ts';

/** Below a correction: how one has done. The page that follows says what that makes, and what comes next. */
export function MarkForm({ base, item: { type, id } }: { base: string; item: ItemRef }) {
  return (
    <form className="practice__mark" method="post" action={`${base}/entrainement`}>
      <p>
        <strong>Alors, réussi ou à revoir ?</strong>
      </p>
      <input type="hidden" name="type" value={type} />
      <input type="hidden" name="item" value={id} />
      <p className="actions">
        <button className="button" type="submit" name="verdict" value="reussi">
          Réussi
        </button>
        <button className="button button--secondary" type="submit" name="verdict" value="a_revoir">
          À revoir
        </button>
      </p>
    </form>
  );
}
