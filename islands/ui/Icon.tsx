/** Of the set in views/partials/icons.eta, and of the administration screens' own. */
export type IconName =
  | ('arrow' | 'back' | 'bell' | 'close' | 'error' | 'exit' | 'info' | 'lock' | 'search' | 'success' | 'user' | 'warning')
  | ('delete' | 'edit' | 'published' | 'unpublished')
  | ('grip' | 'up' | 'down');

/** One of the page's icons; it only decorates what words say. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" aria-hidden="true">
      <use href={`#i-${name}`} />
    </svg>
  );
}
