import type { ItemRef } from '../../src/shared/study-order.ts';

/** The form for the learner's own mark, below a correction. The next page shows the result and the next step. */
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
