/** Covers with initials under them. Covers of islands are left to React. */
const cover = '.cover__initials + .cover__image';

/** Removes a cover that cannot be loaded, to show the initials under it. Also handles covers that failed before this script ran. */
export function startCovers(): void {
  const drop = (image: EventTarget | null) => {
    if (image instanceof HTMLImageElement && image.matches(cover)) image.remove();
  };
  // The error event does not bubble: capture it.
  document.addEventListener('error', ({ target }) => drop(target), true);
  for (const image of document.querySelectorAll<HTMLImageElement>(cover)) {
    if (image.complete && image.currentSrc && image.naturalWidth === 0) drop(image);
  }
}
