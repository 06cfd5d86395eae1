/** With the initials under it; what an island shows belongs to React. */
const cover = '.cover__initials + .cover__image';

/** A cover that cannot be loaded makes room for the initials drawn under it; also when it failed before this script ran. */
export function startCovers(): void {
  const drop = (image: EventTarget | null) => {
    if (image instanceof HTMLImageElement && image.matches(cover)) image.remove();
  };
  // The event does not bubble.
  document.addEventListener('error', ({ target }) => drop(target), true);
  for (const image of document.querySelectorAll<HTMLImageElement>(cover)) {
    if (image.complete && image.currentSrc && image.naturalWidth === 0) drop(image);
  }
}
