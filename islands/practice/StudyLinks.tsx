/** Link from an item with a correction to its practice page. */
export function PracticeLink({ base, type, id }: { base: string; type: string; id: number }) {
  return (
    <a className="button button--secondary" href={`${base}/entrainement?type=${type}&item=${id}`}>
      S'entraîner
    </a>
  );
}

/** Link below the contents. */
export function ToReviewLink() {
  return (
    <a className="marks__link" href="/user/a-revoir">
      À revoir
    </a>
  );
}
