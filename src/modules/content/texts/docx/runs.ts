import { linkAddress } from '../../../../shared/rich-text/addresses.ts';
import { nearestBackgroundColor, nearestTextColor } from '../../../../shared/rich-text/nearest-color.ts';
import { writtenAddress } from '../../../../shared/rich-text/written-address.ts';
import { counted, type Remarks } from '../remarks.ts';
import { escapeXml, type Findings } from './findings.ts';
import type { RunStyle } from './styles.ts';

export const isEmphasised = ({ bold, italic, underline, strike, vertical }: RunStyle): boolean =>
  bold || italic || underline || strike || vertical !== null;

/** A run with its emphasis; a link's own colour and line are the site's. */
export function runXml(content: string, style: RunStyle, isLink: boolean, findings: Findings): string {
  const look = lookOf(isLink ? null : style.color, style.background, style.isCode, findings);
  const emphasis =
    (style.bold ? '<w:b/>' : '') +
    (style.italic ? '<w:i/>' : '') +
    (style.underline && !isLink ? '<w:u w:val="single"/>' : '') +
    (style.strike ? '<w:strike/>' : '') +
    (style.vertical ? `<w:vertAlign w:val="${style.vertical === 'sub' ? 'subscript' : 'superscript'}"/>` : '') +
    (look === null ? '' : `<w:highlight w:val="${look}"/>`);
  return `<w:r>${emphasis && `<w:rPr>${emphasis}</w:rPr>`}${content}</w:r>`;
}

/** The name under which mammoth finds a run's colours. */
function lookOf(color: string | null, background: string | null, isCode: boolean, findings: Findings): string | null {
  const [text, back] = [color && nearestTextColor(color), background && nearestBackgroundColor(background)];
  const tags = [...(isCode ? ['code'] : []), ...(text ? [`span.color-${text}`] : []), ...(back ? [`span.bg-${back}`] : [])];
  if (tags.length === 0) return null;
  const name = tags.join('_').replaceAll('.', '-');
  findings.looks.set(name, tags);
  return name;
}

/** The id that stands for an address in the text; null for one that no link may have. */
export function linkId(address: string, { links }: Findings): string | null {
  const href = linkAddress(writtenAddress(address));
  if (href === null) return null;
  const known = links.get(href);
  if (known) return known;
  const id = `l${links.size}`;
  links.set(href, id);
  return id;
}

/** Names a link that loses its address. `#` stands before a place in the document. */
export function nameRefusedLink(address: string | null, remarks: Remarks): void {
  if (address === null || linkAddress(writtenAddress(address)) !== null) return;
  if (address.startsWith('#'))
    remarks.count('places', (n) => `${counted(n, 'lien')} d'un endroit à l'autre du document : sans adresse ici, son texte reste.`);
  else
    remarks.count(
      'addresses',
      (n) => `${counted(n, 'lien')} vers un fichier, ou sans http, https, mailto ni tel : adresse retirée, le texte reste.`,
    );
}

const PRIVATE = /[\uf020-\uf0ff]/;

/** Text; characters of symbol fonts stand at private code points, which only their font explains. */
export function textXml(text: string, font: string | null): string {
  const plain = (piece: string): string => (piece === '' ? '' : `<w:t xml:space="preserve">${escapeXml(piece)}</w:t>`);
  if (!PRIVATE.test(text)) return plain(text);
  const symbols = font !== null && /symbol|dings/i.test(font) ? font : 'Symbol';
  return text
    .split(/([\uf020-\uf0ff])/)
    .map((piece) =>
      PRIVATE.test(piece)
        ? `<w:sym w:font="${escapeXml(symbols)}" w:char="${piece.charCodeAt(0).toString(16).toUpperCase()}"/>`
        : plain(piece),
    )
    .join('');
}
