import { normaliseForeign } from '../../../src/shared/rich-text/foreign/normalise.ts';
import { placeVmlPictures } from '../../../src/shared/rich-text/foreign/vml-pictures.ts';
import { dataAddress } from '../../runtime/data-address.ts';
import { fillPictures } from './word-pictures.ts';

/** Somebody's HTML in a document of its own, in which nothing runs or loads. */
const inertDocument = (html: string): Document => new DOMParser().parseFromString(html, 'text/html');

/** Whether it comes from an editor like this one, which puts its own structure into it. */
export const isOwnCopy = (html: string): boolean => /<[a-z][^<>]{0,1000}\sdata-pm-slice=/i.test(html);

/** Whether there is nothing in it but one picture, as when a picture is copied from a page. */
export function isLonePicture(html: string): boolean {
  if (html.length > 100_000) return false;
  const { body } = inertDocument(html);
  return body.querySelectorAll('img').length === 1 && (body.textContent ?? '').trim() === '';
}

/**
 * Canonical HTML for what another program has put on the clipboard, and what could not be kept. `rtf` is the same content as Word gives it
 * beside its HTML: the pictures are there.
 */
export function canonicalPaste(html: string, rtf: string): { html: string; notes: string[] } {
  const { body } = inertDocument(html);
  if (rtf) {
    placeVmlPictures(body);
    fillPictures(body, rtf);
  }
  // Browsers complete the addresses of what is copied: the site's own pictures stay its own.
  for (const image of body.querySelectorAll(`img[src^="${location.origin}/media/"]`))
    image.setAttribute('src', (image.getAttribute('src') as string).slice(location.origin.length));
  const { notes } = normaliseForeign(body, { fetchesPictures: true });
  return { html: body.innerHTML, notes };
}

/** Whether there are pictures in it that only this page can read, as Safari gives them. */
export const hasBlobs = (html: string): boolean => html.includes(`blob:${location.origin}/`);

/** Reads pictures behind `blob:` addresses, which Safari gives out for the duration of a paste; those it does not let read stay as they are. */
export async function withBlobs(html: string): Promise<string> {
  const document = inertDocument(html);
  await Promise.all(
    [...document.querySelectorAll(`img[src^="blob:${location.origin}/"]`)].map(async (image) => {
      try {
        const answer = await fetch(image.getAttribute('src') as string);
        image.setAttribute('src', await dataAddress(await answer.blob()));
      } catch {
        // The address stays, and is named as one that cannot be used.
      }
    }),
  );
  return document.documentElement.outerHTML;
}
