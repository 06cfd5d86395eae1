import { parseHTML } from 'linkedom';
import type { Node } from 'prosemirror-model';
import { MAX_DEPTH } from '../../../../shared/rich-text/bounds.ts';
import { RichTextError } from '../../../../shared/rich-text/document.ts';
import { normaliseForeign } from '../../../../shared/rich-text/foreign/normalise.ts';
import { documentFromDom } from '../../../../shared/rich-text/parse.ts';
import type { Remarks } from '../remarks.ts';
import { htmlWith } from './canonical.ts';
import { closeMarkup } from './unclosed-markup.ts';

/** Longest HTML in characters, without data URLs of images. */
const maxHtmlLength = 1_000_000;
const dataImages = /data:image\/[a-z]{3,4};base64,[A-Za-z0-9+/=]+/g;

/**
 * Converts HTML into a document. Canonical HTML is read exactly as written; other HTML is converted as far as the schema allows.
 * @throws RichTextError
 */
export function readHtml(html: string, remarks: Remarks): Node {
  if (html.length > maxHtmlLength && html.replaceAll(dataImages, '').length > maxHtmlLength)
    throw new RichTextError('Le texte est trop long.');
  const root = parse(closeMarkup(html));
  const own = readOwn(root, html);
  if (own) return own;
  for (const note of normaliseForeign(root).notes) remarks.sayWithCount(note);
  return documentFromDom(root, 'collapse');
}

/** Returns the document of canonical HTML, whichever release drew its formulas; null for any other HTML. */
export const readOwnHtml = (html: string): Node | null => readOwn(parse(closeMarkup(html)), html);

const styled = /<[a-z0-9]+(?: [a-z-]+="[^"<]*")* style=/;

/** Returns the document of canonical HTML; null for any other HTML. */
function readOwn(root: Element, html: string): Node | null {
  // Fast path: canonical HTML starts with a block element and has no style attribute.
  if (!/^<(?:p|h[1-6]|blockquote|pre|hr|ul|ol|div|figure|section)[ >]/.test(html) || styled.test(html) || depthOf(root) > MAX_DEPTH * 2)
    return null;
  const doc = documentFromDom(root, 'exact');
  return htmlWith(doc, () => '') === withoutFormulas(html) ? doc : null;
}

/** Returns the depth of a tree, without recursion. */
function depthOf(root: Element): number {
  let deepest = 0;
  let depth = 0;
  for (let element: Element = root; ; ) {
    const child = element.firstElementChild;
    if (child) {
      element = child;
      depth += 1;
      deepest = Math.max(deepest, depth);
      continue;
    }
    while (element !== root && !element.nextElementSibling) {
      element = element.parentElement as Element;
      depth -= 1;
    }
    if (element === root) return deepest;
    element = element.nextElementSibling as Element;
  }
}

function parse(html: string): Element {
  const root = parseHTML(`<!doctype html><html><body>${html}</body></html>`).document.body;
  // The parser starts a new text node at each entity. Joining thousands of nodes one by one would take half a minute.
  root.normalize();
  return root;
}

/** Returns canonical HTML with empty formulas. The drawings in them come from their LaTeX, so they are never read. */
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
