import { parseHTML } from 'linkedom';
import { RichTextError } from '../../../../shared/rich-text/document.ts';
import { FormulaReader } from '../../../../shared/rich-text/foreign/formulas/formulas.ts';
import { normaliseForeign } from '../../../../shared/rich-text/foreign/normalise.ts';
import { isTracker, pictogram } from '../../../../shared/rich-text/foreign/readers/media.ts';
import { decodePage } from '../../../../shared/saved-pages/decode-page.ts';
import { EARLIER_PICTURE } from '../../../../shared/saved-pages/embed-pictures.ts';
import { splitCorrection } from '../correction.ts';
import { closeMarkup } from '../html/unclosed-markup.ts';
import { ImageIntake, type KeptImage, type StoreImage } from '../image-intake.ts';
import { asDocument, type ImportedText, type OwnPlaces } from '../imported-text.ts';
import { whatIsLost } from '../markdown/completeness.ts';
import { liftDisplayedFormulas } from '../markdown/formulas-in-text.ts';
import { takeOnlyHeading } from '../only-heading.ts';
import { formulasInHtml } from '../question-files/formulas-in-html.ts';
import { refused, tooComplex } from '../refusal.ts';
import type { Remarks } from '../remarks.ts';
import { adaptedTitles, allowedTitle } from '../title.ts';

/** Longest page in characters, without the pictures and scripts in it. */
const maxCharacters = 3_000_000;
const DATA_IMAGE = /data:image\/[a-z0-9.+-]{1,20}(?:;name=(\d{1,6}))?;base64,([A-Za-z0-9+/=\s]+)/gi;
const EMBEDDED = 'embedded-image:';
const TITLE = /<title\b[^<>]*>([\s\S]{0,1000}?)<\/title\s*>/i;
/** Signs that a page has formulas in its text, for a program that draws them. */
const HAS_TEX = /mathjax|katex|\\[([]|\$\$|\\begin\{/i;
const SAVED_FROM = /<!-- saved from url=\(\d{4}\)(https?:\/\/[^\s]{1,2000}) -->/;

/**
 * Converts a page that a browser or a word processor has saved into texts of the schema. Parts that cannot be kept are added to `remarks`.
 * Its scripts are never run, and nothing is fetched: pictures of other sites keep their address.
 * @throws AppError 400 when the page is too long or too deeply nested
 */
export async function importHtml(bytes: Buffer, store: StoreImage, remarks: Remarks, places: OwnPlaces): Promise<ImportedText> {
  const { text, isGuess } = decodePage(bytes);
  if (isGuess) remarks.say("La page n'est pas en UTF-8 : vérifiez les lettres accentuées.");
  try {
    return await read(text, new ImageIntake(store, remarks), remarks, places);
  } catch (error) {
    if (error instanceof RichTextError) throw refused(error.message, error);
    // Parsers recurse once per level.
    throw error instanceof RangeError ? tooComplex() : error;
  }
}

async function read(page: string, intake: ImageIntake, remarks: Remarks, places: OwnPlaces): Promise<ImportedText> {
  const pictures: Buffer[] = [];
  const named = new Map<string, string>();
  const source = page
    .normalize('NFC')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: no document holds them
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')
    .replaceAll(DATA_IMAGE, (_, name: string | undefined, base64: string) => {
      const address = `${EMBEDDED}${pictures.push(Buffer.from(base64, 'base64')) - 1}`;
      if (name !== undefined) named.set(EARLIER_PICTURE + name, address);
      return address;
    });
  const hasTex = HAS_TEX.test(source);
  const html = withoutScripts(source);
  if (html.length > maxCharacters) throw tooComplex();
  const pageTitle = plainText(TITLE.exec(html)?.[1] ?? '');
  const typed = hasTex ? formulasInHtml(html, (message) => remarks.sayWithCount(message)).html : html;
  const root = parseHTML(`<!doctype html><html><body>${closeMarkup(typed)}</body></html>`).document.body;
  root.normalize();
  resolveAddresses(root, page);
  for (const image of root.querySelectorAll(`img[src^="${EARLIER_PICTURE}"]`)) {
    const src = image.getAttribute('src') ?? '';
    image.setAttribute('src', named.get(src) ?? src);
  }
  await placePictures(root, pictures, intake, remarks);
  const title = googleTitle(root, places);
  liftDisplayedFormulas(root);
  for (const note of normaliseForeign(root).notes) remarks.sayWithCount(note);
  dropEmptyEdges(root);
  const found = title ?? (places.hasTitle ? (takeOnlyHeading(root, remarks) ?? pageTitle) : null);
  const correction = places.hasCorrection ? splitCorrection(root, remarks) : null;
  const titles = adaptedTitles(found || null, remarks);
  return { ...titles, contenu: wholeDocument(root, remarks), corrige: correction && wholeDocument(correction, remarks) };
}

/** Returns HTML without its scripts, except the formulas that MathJax 2 keeps in some. Takes linear time. */
function withoutScripts(html: string): string {
  const lower = html.toLowerCase();
  let kept = '';
  let done = 0;
  for (let at = lower.indexOf('<script'); at !== -1; at = lower.indexOf('<script', at + 7)) {
    const end = lower.indexOf('</script', at);
    if (end === -1) break;
    if (at < done || lower.slice(at, at + 200).includes('math/tex')) continue;
    const close = lower.indexOf('>', end);
    kept += html.slice(done, at);
    done = close === -1 ? html.length : close + 1;
  }
  return kept + html.slice(done);
}

const plainText = (html: string): string => {
  const text = parseHTML(`<!doctype html><html><body>${html.replaceAll('<', '&lt;')}</body></html>`).document.body.textContent ?? '';
  return text.replaceAll(/\s+/g, ' ').trim();
};

/** Completes addresses relative to the site that the page comes from, if the page says which. */
function resolveAddresses(root: Element, page: string): void {
  const base = root.querySelector('base[href]')?.getAttribute('href') ?? SAVED_FROM.exec(page)?.[1] ?? '';
  if (!/^https?:/i.test(base) || !URL.canParse(base)) return;
  const complete = (element: Element, name: string): void => {
    const address = element.getAttribute(name)?.trim() ?? '';
    if (address !== '' && !/^(?:#|[a-z][a-z0-9+.-]*:)/i.test(address) && URL.canParse(address, base))
      element.setAttribute(name, new URL(address, base).href);
  };
  for (const link of root.querySelectorAll('a[href]')) complete(link, 'href');
  // Browsers save pictures in a folder beside the page: those addresses are of no site.
  for (const image of root.querySelectorAll('img[src]'))
    if (!/^\.?\/?[^/]*_(?:files|fichiers)\//.test(image.getAttribute('src') ?? '')) complete(image, 'src');
}

/** Stores the pictures in the page. Pictures that are neither in the page nor on another site are named and removed. */
async function placePictures(root: Element, pictures: readonly Buffer[], intake: ImageIntake, remarks: Remarks): Promise<void> {
  const formulas = new FormulaReader();
  for (const image of [...root.querySelectorAll('img')]) {
    const classes = (image.getAttribute('class') ?? '').split(/\s+/);
    if (formulas.read(image, 'img', classes) || isTracker(image) || pictogram(image, classes)) continue;
    const src = image.getAttribute('src')?.trim() ?? '';
    if (src.startsWith(EMBEDDED)) {
      const bytes = pictures[Number(src.slice(EMBEDDED.length))];
      const stored = bytes ? await intake.keep(src, () => bytes) : null;
      if (stored) show(image, stored);
      else image.remove();
    } else if (!/^(?:https?:)?\/\//i.test(src) && !image.getAttribute('srcset') && !image.getAttribute('data-src')) {
      const alt = image.getAttribute('alt') ?? '';
      remarks.sayWithCount(`Image à ajouter, elle n'est pas dans le fichier : ${src.slice(0, 80)}${alt && ` (${alt.slice(0, 80)})`}`);
      image.remove();
    }
  }
}

/** Removes the empty paragraphs that a parser leaves before and after a displayed formula of a paragraph. */
function dropEmptyEdges(root: Element): void {
  for (const formula of root.querySelectorAll('div.formula-block'))
    for (const edge of [formula.previousElementSibling, formula.nextElementSibling])
      if (edge?.localName === 'p' && !edge.firstChild) edge.remove();
}

/** Sets the address of a stored picture, and its size where the page gives none. */
function show(image: Element, { src, width, height, shownWidth = width }: KeptImage): void {
  image.setAttribute('src', src);
  if (image.getAttribute('width') || /\b(?:width|height)\s*:/i.test(image.getAttribute('style') ?? '')) return;
  const scale = Math.min(1, shownWidth / width);
  image.setAttribute('width', String(Math.max(1, Math.round(width * scale))));
  image.setAttribute('height', String(Math.max(1, Math.round(height * scale))));
}

/** Takes the title that Google Docs marks by a class; without a place of its own, it becomes a heading. */
function googleTitle(root: Element, { hasTitle }: OwnPlaces): string | null {
  const [title, ...others] = [...root.querySelectorAll('p.title')];
  if (!title || others.length > 0) return null;
  const text = (title.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
  if (hasTitle && allowedTitle(text) !== null && !title.querySelector('img')) {
    title.remove();
    return text;
  }
  const heading = root.ownerDocument.createElement('h1');
  heading.append(...title.childNodes);
  title.replaceWith(heading);
  return null;
}

function wholeDocument(root: Element, remarks: Remarks) {
  const document = asDocument(root);
  if (whatIsLost(root, document)) remarks.say("Un élément n'était pas à sa place : comparez le résultat avec votre fichier.");
  return document;
}
