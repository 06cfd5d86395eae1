import { closest } from './closest.ts';

/** A text's video plays in its place once it is asked for; without its player, or in a new tab, its link leads to it. */
export function startVideos(): void {
  document.addEventListener('click', async (event) => {
    const link = closest<HTMLAnchorElement>(event, '.video > a');
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    try {
      const { playVideo } = await import('./play-video.ts');
      playVideo(link);
    } catch {
      location.assign(link.href);
    }
  });
}
