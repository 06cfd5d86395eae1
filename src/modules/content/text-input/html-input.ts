import { parseHTML } from 'linkedom';
import type { Node } from 'prosemirror-model';
import { RichTextError } from '../../../shared/rich-text/document.ts';
import { normaliseForeign } from '../../../shared/rich-text/foreign/normalise.ts';
import { documentFromDom } from '../../../shared/rich-text/parse.ts';
import { htmlWith } from '../canonical-html.ts';
import type { Remarks } from './remarks.ts';
import { closeMarkup } from './unclosed-markup.ts';

/** Characters of HTML, images within it not counted. */
const longestHtml = 2_000_000;
const dataImages = /data:image\/[a-z]{3,4};base64,[A-Za-z0-9+/=]+/g;

/**
 * The document that HTML says. Our own is read exactly as it was written; anybody else's as well as the schema allows.
 * @throws RichTextError
 */
export function readHtml(html: string, remarks: Remarks): Node {
  if (html.length > longestHtml && html.replaceAll(dataImages, '').length > longestHtml) throw new RichTextError('Le texte est trop long.');
  const root = parse(closeMarkup(html));
  const exact = documentFromDom(root, 'exact');
  if (htmlWith(exact, () => '') === withoutFormulas(html)) return exact;
  for (const note of normaliseForeign(root).notes) remarks.add(note);
  return documentFromDom(root, 'collapse');
}

/** As a fragment: the text's own `</body>` closes nothing. */
function parse(html: string): Element {
  const root = parseHTML('<!doctype html><html><head></head><body></body></html>').document.body;
  root.innerHTML = html;
  return root;
}

/**
 * Canonical HTML with its formulas empty: what they hold was drawn from their LaTeX, by this version or by an earlier one, and is never read.
 */
function withoutFormulas(html: string): string {
  const opening = /<(span|div) class="formula(?:-block)?" data-latex="[^"<]*"[^<>]*>/g;
  let kept = '';
  let end = 0;
  for (let match = opening.exec(html); match; match = opening.exec(html)) {
    const close = html.indexOf(`</${match[1]}>`, opening.lastIndex);
    if (close === -1) break;
    kept += html.slice(end, opening.lastIndex);
    end = close;
    opening.lastIndex = close;
  }
  return kept + html.slice(end);
}
