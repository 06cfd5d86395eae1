import { videoOf } from '../../src/shared/rich-text/addresses.ts';

/** Replaces a video's link by its player. */
export function playVideo(link: HTMLAnchorElement): void {
  const card = link.parentElement;
  const video = videoOf(card?.dataset.video ?? '');
  if (!video) {
    location.assign(link.href);
    return;
  }
  const player = video.provider === 'file' ? fileOf(video.embed) : frameOf(video.embed, link.textContent ?? '');
  link.replaceWith(player);
  player.focus();
}

function frameOf(src: string, title: string): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.title = title;
  frame.allow = 'fullscreen; encrypted-media; picture-in-picture';
  frame.allowFullscreen = true;
  // YouTube refuses to play without a referrer.
  frame.referrerPolicy = 'strict-origin-when-cross-origin';
  frame.src = src;
  return frame;
}

function fileOf(src: string): HTMLVideoElement {
  const file = document.createElement('video');
  file.controls = true;
  file.autoplay = true;
  file.src = src;
  return file;
}
