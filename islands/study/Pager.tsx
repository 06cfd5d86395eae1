import { ItemLink, type LinkProps } from './ItemLink.tsx';
import type { Place } from './outline.ts';

/** Previous and next within the section, and how far one is. */
export function Pager({ place: { page, pages, previous, next }, ...link }: LinkProps & { place: Place }) {
  return (
    <nav className="pager" aria-label="Page précédente et suivante">
      <ItemLink className="button button--secondary" item={previous} rel="prev" {...link}>
        Précédent
      </ItemLink>
      <progress className="progress" value={page} max={pages} aria-label="Progression">{`Page ${page}`}</progress>
      <ItemLink className="button" item={next} rel="next" {...link}>
        Suivant
      </ItemLink>
    </nav>
  );
}
