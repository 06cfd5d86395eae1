import { imageAddress, linkAddress, videoAddress } from '../../addresses.ts';
import { isWritable, MAX_ALT_LENGTH, MAX_IMAGE_SIDE } from '../../bounds.ts';
import { writtenAddress } from '../../written-address.ts';
import { type Declarations, points } from '../support/css.ts';
import { elementAfter } from '../support/walk.ts';

/** Attributes in which lazy-loading pages put an image's real address. */
const LATE_SOURCES = ['data-src', 'data-original', 'data-lazy-src', 'data-lazy', 'data-actualsrc', 'data-full-src'];

/** Returns a canonical `img`; null if it has no usable address. */
export function canonicalImage(document: Document, source: Element, css: Declarations): Element | null {
  const src = imageSource(source);
  if (src === null) return null;
  const image = document.createElement('img');
  image.setAttribute('src', src);
  image.setAttribute('alt', writableText(source.getAttribute('alt')));
  for (const name of ['width', 'height'] as const) {
    const size = pixels(source.getAttribute(name)) ?? pixels(css[name]);
    if (size) image.setAttribute(name, String(size));
  }
  return image;
}

function imageSource(image: Element): string | null {
  const src = image.getAttribute('src') ?? '';
  const late = [
    ...LATE_SOURCES.map((name) => image.getAttribute(name)),
    firstOfSet(image.getAttribute('srcset') ?? image.getAttribute('data-srcset')),
  ];
  // Lazy-loading pages put a tiny placeholder into `src`; the other attributes are then tried first.
  const candidates = /^data:image\//.test(src) && src.length < 400 ? [...late, src] : [src, ...late];
  for (const candidate of candidates) {
    const address = candidate?.startsWith('//') ? `https:${candidate}` : candidate;
    const usable = imageAddress(address && writtenAddress(address));
    if (usable !== null) return usable;
  }
  return null;
}

function firstOfSet(set: string | null): string | null {
  return set && set.length < 20_000 ? (set.trim().split(/[\s,]+/, 1)[0] ?? null) : null;
}

function pixels(text: string | null | undefined): number | null {
  if (!text) return null;
  const size = /^\s{0,5}\d{1,5}(?:\.\d{1,6})?\s{0,5}$/.test(text) ? Number(text) : (points(text) ?? 0) / 0.75;
  const whole = Math.round(size);
  return whole >= 1 && whole <= MAX_IMAGE_SIDE ? whole : null;
}

/** Returns whether an image is an invisible tracking pixel. */
export function isTracker(image: Element): boolean {
  return pixels(image.getAttribute('width')) === 1 && pixels(image.getAttribute('height')) === 1;
}

// Maximum number of elements of a figure: a picture, a caption, and a few wrappers.
const FIGURE_ELEMENTS = 100;
const NO_FIGURE = new Set(['table', 'pre', 'iframe', 'video', 'ul', 'ol', 'math', 'figure', 'blockquote']);

/** Returns the only picture of a figure; null if there are several, or other content. */
export function lonePicture(figure: Element): Element | null {
  let picture: Element | null = null;
  let element = figure.firstElementChild;
  for (let count = 0; element; count += 1) {
    if (count > FIGURE_ELEMENTS || NO_FIGURE.has(element.localName)) return null;
    if (element.localName === 'img') {
      if (picture) return null;
      picture = element;
    }
    element = elementAfter(element, figure);
  }
  return picture;
}

/** Returns the character that an image replaces: an emoji of pages that draw their own. Null for other images. */
export function pictogram(image: Element, classes: readonly string[]): string | null {
  const alt = image.getAttribute('alt') ?? '';
  const drawn =
    classes.some((name) => /emoji/i.test(name)) || image.getAttribute('data-emoji') !== null || image.getAttribute('goomoji') !== null;
  return drawn && alt !== '' && alt.length <= 20 ? alt : null;
}

/** Returns whether an image's address will expire, as those of Google Docs do. */
export function isFleeting(image: Element): boolean {
  return /^https:\/\/[a-z0-9-]{1,40}\.googleusercontent\.com\//i.test(image.getAttribute('src') ?? '');
}

/** Returns a canonical video card for the first address that is a video's; null if none is. */
export function canonicalVideo(document: Document, addresses: readonly (string | null)[], title: string | null): Element | null {
  const src = addresses
    .map((address) => videoAddress(address?.startsWith('//') ? `https:${address}` : address))
    .find((found) => found !== null);
  if (!src) return null;
  const video = document.createElement('div');
  video.setAttribute('class', 'video');
  video.setAttribute('data-video', src);
  const text = writableText(title);
  if (text) video.setAttribute('data-title', text);
  const link = document.createElement('a');
  link.setAttribute('href', src);
  link.appendChild(document.createTextNode(text || src));
  video.appendChild(link);
  return video;
}

/** Returns the addresses of the content of a frame, a player or an object. */
export function frameAddresses(element: Element): (string | null)[] {
  const names = ['src', 'data-src', 'data', 'data-video', 'href'];
  const own = names.map((name) => element.getAttribute(name));
  const id = element.getAttribute('videoid');
  if (id && element.localName.startsWith('lite-'))
    own.push(`https://${element.localName === 'lite-vimeo' ? 'vimeo.com/' : 'youtu.be/'}${id}`);
  for (let child = element.firstElementChild, count = 0; child && count < 20; child = child.nextElementSibling, count += 1) {
    if (child.localName === 'source' || child.localName === 'embed') own.push(child.getAttribute('src'));
    if (child.localName === 'param' && child.getAttribute('name') === 'movie') own.push(child.getAttribute('value'));
  }
  return own;
}

/** Returns the first of `addresses` that a link may have; null if none. */
export function linkable(addresses: readonly (string | null)[]): string | null {
  for (const address of addresses) {
    const href = linkAddress(writtenAddress(address?.startsWith('//') ? `https:${address}` : (address ?? '')));
    if (href !== null) return href;
  }
  return null;
}

function writableText(text: string | null): string {
  const clean = (text ?? '')
    .replace(/[ \t\r\n\f]+/g, ' ')
    .replace(/^ | $/g, '')
    .slice(0, MAX_ALT_LENGTH)
    .toWellFormed();
  return isWritable(clean) ? clean : '';
}
