import { normaliseForeign } from '../../../src/shared/rich-text/foreign/normalise.ts';
import { placeVmlPictures } from '../../../src/shared/rich-text/foreign/readers/vml-pictures.ts';
import { dataAddress } from '../../runtime/data-address.ts';
import { fillPictures } from './word-pictures.ts';

/** Parses untrusted HTML into a separate document, in which no script runs and nothing is loaded. */
const inertDocument = (html: string): Document => new DOMParser().parseFromString(html, 'text/html');

/** Returns whether the HTML comes from a ProseMirror editor, which adds its structure as an attribute. */
export const isOwnCopy = (html: string): boolean => /<[a-z][^<>]{0,1000}\sdata-pm-slice=/i.test(html);

/** Returns whether the HTML has only one picture, as when a picture is copied from a page. */
export function isLonePicture(html: string): boolean {
  if (html.length > 100_000) return false;
  const { body } = inertDocument(html);
  return body.querySelectorAll('img').length === 1 && (body.textContent ?? '').trim() === '';
}

/**
 * Returns canonical HTML for another program's clipboard content, and notes on parts that could not be kept. `rtf` is the same content
 * as RTF: Word gives the pictures only there.
 */
export function canonicalPaste(html: string, rtf: string): { html: string; notes: string[] } {
  const { body } = inertDocument(html);
  if (rtf) {
    placeVmlPictures(body);
    fillPictures(body, rtf);
  }
  // Browsers make copied addresses absolute: make those of the site's own pictures relative again.
  for (const image of body.querySelectorAll(`img[src^="${location.origin}/media/"]`))
    image.setAttribute('src', (image.getAttribute('src') as string).slice(location.origin.length));
  const { notes } = normaliseForeign(body, { fetchesPictures: true });
  return { html: body.innerHTML, notes };
}

/** Returns whether the HTML has pictures with `blob:` addresses, which only this page can read. Safari gives such addresses. */
export const hasBlobs = (html: string): boolean => html.includes(`blob:${location.origin}/`);

/** Replaces `blob:` addresses by the pictures' data. Safari keeps them only during a paste. Unreadable addresses stay unchanged. */
export async function withBlobs(html: string): Promise<string> {
  const document = inertDocument(html);
  await Promise.all(
    [...document.querySelectorAll(`img[src^="blob:${location.origin}/"]`)].map(async (image) => {
      try {
        const answer = await fetch(image.getAttribute('src') as string);
        image.setAttribute('src', await dataAddress(await answer.blob()));
      } catch {
        // The address stays and is reported as unusable.
      }
    }),
  );
  return document.documentElement.outerHTML;
}
