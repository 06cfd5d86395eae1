import type { NodeSpec } from 'prosemirror-model';
import { videoAddress, videoOf } from './addresses.ts';
import { isWritable, MAX_ALT_LENGTH } from './bounds.ts';
import { only } from './rules.ts';

const isTitle = (value: unknown): boolean => typeof value === 'string' && value.length <= MAX_ALT_LENGTH && isWritable(value);

/** Returns the text of a video's link; the player itself loads only on request. */
export function videoLabel({ src, title }: { src: string; title: string }): string {
  const provider = { youtube: 'YouTube', vimeo: 'Vimeo', file: '' }[videoOf(src)?.provider ?? 'file'];
  return [`Vidéo${provider && ` ${provider}`}`, title].filter(Boolean).join(' : ');
}

/** A video on another site, shown as a card; `src` is a canonical address (see videoAddress). */
export const video: NodeSpec = {
  attrs: {
    src: { validate: only('src', (value) => videoAddress(value) !== null && videoAddress(value) === value) },
    title: { default: '', validate: only('title', isTitle) },
  },
  group: 'block',
  atom: true,
  draggable: true,
  parseDOM: [
    {
      tag: 'div.video[data-video]',
      getAttrs: (element) => {
        const src = videoAddress(element.getAttribute('data-video'));
        const title = element.getAttribute('data-title') ?? '';
        return src !== null && { src, title: isTitle(title) ? title : '' };
      },
    },
  ],
  toDOM: ({ attrs }) => ['div', { class: 'video', 'data-video': attrs.src, ...(attrs.title && { 'data-title': attrs.title }) }],
};
