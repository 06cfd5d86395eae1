import { isWritable, MAX_DATA_IMAGE_LENGTH, MAX_URL_LENGTH } from './bounds.ts';

// Browsers remove tabs and newlines from an address before they read the scheme, so `java\nscript:` would run.
// An address therefore must not contain white space or control characters.
const LINK = /^(?:https?:\/\/|mailto:|tel:)[^\s\p{Cc}]+$/iu;
const REMOTE_IMAGE = /^https?:\/\/[^\s\p{Cc}]+$/iu;
/**
 * A stored picture's signed address, as on readers' pages, which expires. It includes the host if it was copied on another host than the
 * editor's (ADMIN_URL).
 */
const SHOWN_IMAGE = /^(?:https?:\/\/[^/\s]{1,260})?\/media\/(?:content|libre)\/([0-9a-f]{32}\.webp)\?acces=[\w.-]+$/;
const LOCAL_IMAGE = /^\/media\/[A-Za-z0-9_-][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*$/;

/** Returns `href` if a link may have it (specification §5: http, https, mailto, tel), else null. */
export function linkAddress(href: unknown): string | null {
  return accept(href, (address) => LINK.test(address) && URL.canParse(address));
}

const DATA_IMAGE = /^data:image\/(?:png|jpe?g|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/i;

/**
 * Returns the `src` that an image may have (specification §5: http, https, data; or a stored image under /media/), else null. A data: image
 * is not stored yet; stored texts contain none. The signed address of a stored image, copied from a reader's page, becomes its permanent
 * address.
 */
export function imageAddress(src: unknown): string | null {
  if (isDataImage(src)) return src;
  const shown = typeof src === 'string' && src.length < 400 && SHOWN_IMAGE.exec(src.trim())?.[1];
  if (shown) return `/media/content/${shown}`;
  return accept(src, (address) => LOCAL_IMAGE.test(address) || (REMOTE_IMAGE.test(address) && URL.canParse(address)));
}

/** Returns whether `src` is a data: address of an image. */
export function isDataImage(src: unknown): src is string {
  return typeof src === 'string' && /^data:/i.test(src) && src.length <= MAX_DATA_IMAGE_LENGTH && DATA_IMAGE.test(src);
}

export interface Video {
  readonly provider: 'youtube' | 'vimeo' | 'file';
  /** Address of the player's frame, or of the file itself. */
  readonly embed: string;
}

/** Returns a video's canonical address: a YouTube or Vimeo video from any form of its link, or a file at https; else null. */
export function videoAddress(src: unknown): string | null {
  const address = accept(src, (text) => /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) && URL.canParse(text));
  if (address === null) return null;
  const url = new URL(address);
  const host = url.hostname.replace(/^(?:www|m|music|player)\./, '');
  const parts = url.pathname.split('/').filter(Boolean);
  if (host === 'youtu.be') return youtube(parts[0], url);
  if (host === 'youtube.com' || host === 'youtube-nocookie.com') {
    return youtube(/^(?:embed|shorts|live|v)$/.test(parts[0] ?? '') ? parts[1] : url.searchParams.get('v'), url);
  }
  if (host === 'vimeo.com') {
    const id = parts.find((part) => /^\d{4,12}$/.test(part));
    const key = parts.at(-1) !== id && /^[0-9a-f]{6,20}$/.test(parts.at(-1) ?? '') ? parts.at(-1) : url.searchParams.get('h');
    return id ? `https://vimeo.com/${id}${key && /^[0-9a-f]{6,20}$/.test(key) ? `/${key}` : ''}` : null;
  }
  return url.protocol === 'https:' && /\.(?:mp4|webm|ogv)$/i.test(url.pathname) ? url.href : null;
}

/** Returns the video at a canonical address; null for any other text. */
export function videoOf(src: string): Video | null {
  if (videoAddress(src) !== src) return null;
  const [, id, start] = /^https:\/\/www\.youtube\.com\/watch\?v=([\w-]{11})(?:&t=(\d+))?$/.exec(src) ?? [];
  if (id) return { provider: 'youtube', embed: `https://www.youtube-nocookie.com/embed/${id}${start ? `?start=${start}` : ''}` };
  const [, number, key] = /^https:\/\/vimeo\.com\/(\d+)(?:\/([0-9a-f]+))?$/.exec(src) ?? [];
  if (number) return { provider: 'vimeo', embed: `https://player.vimeo.com/video/${number}?dnt=1${key ? `&h=${key}` : ''}` };
  return { provider: 'file', embed: src };
}

function youtube(id: string | null | undefined, { searchParams }: URL): string | null {
  if (!id || !/^[\w-]{11}$/.test(id)) return null;
  const start = /^(\d{1,6})s?$/.exec(searchParams.get('t') ?? searchParams.get('start') ?? '')?.[1];
  return `https://www.youtube.com/watch?v=${id}${start ? `&t=${Number(start)}` : ''}`;
}

function accept(value: unknown, rule: (address: string) => boolean): string | null {
  if (typeof value !== 'string') return null;
  const address = value.trim();
  return address.length <= MAX_URL_LENGTH && isWritable(address) && rule(address) ? address : null;
}
