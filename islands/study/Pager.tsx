import { ItemLink, type LinkProps } from './ItemLink.tsx';
import { type Place, parentHref } from './outline.ts';

/** Links to the previous and next item of the section, and the position. After the last item, to the next section or the disciplines. */
export function Pager({ place: { page, pages, previous, next, nextLocked, onward }, ...link }: LinkProps & { place: Place }) {
  const last = page === pages;
  return (
    <nav className="pager" aria-label="Page précédente et suivante">
      <ItemLink className="button button--secondary" item={previous} rel="prev" {...link}>
        Précédent
      </ItemLink>
      <progress className="progress" value={page} max={pages} aria-label="Progression">{`Page ${page}`}</progress>
      {!last && (
        <ItemLink className="button" item={nextLocked ? 'locked' : next} rel="next" {...link}>
          Suivant
        </ItemLink>
      )}
      {onward && (
        <ItemLink className="button" item={onward} {...link}>
          {onward.label}
        </ItemLink>
      )}
      {last && !onward && (
        <a className="button" href={parentHref(link.base)}>
          Retour aux disciplines
        </a>
      )}
    </nav>
  );
}
