/** Icons of views/partials/icons.eta and of the administration's pages. */
export type IconName =
  | ('arrow' | 'back' | 'bell' | 'close' | 'error' | 'exit' | 'info' | 'lock' | 'search' | 'success' | 'user' | 'warning')
  | ('delete' | 'edit' | 'published' | 'unpublished')
  | ('grip' | 'up' | 'down');

/** One of the page's icons; only decoration. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" aria-hidden="true">
      <use href={`#i-${name}`} />
    </svg>
  );
}
