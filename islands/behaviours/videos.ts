import { closest } from './closest.ts';

/** Plays a text's video in place of its link. The browser follows the link if the player cannot be loaded or the click opens a new tab. */
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
