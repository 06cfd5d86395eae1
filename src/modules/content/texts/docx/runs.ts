import { hex } from 'dingbat-to-unicode';
import { linkAddress } from '../../../../shared/rich-text/addresses.ts';
import { nearestBackgroundColor, nearestTextColor } from '../../../../shared/rich-text/nearest-color.ts';
import { writtenAddress } from '../../../../shared/rich-text/written-address.ts';
import type { Remarks } from '../remarks.ts';
import type { Wrap } from './pieces.ts';
import type { Reading } from './reading.ts';
import type { RunStyle } from './styles.ts';

export const isEmphasised = ({ bold, italic, underline, strike, vertical }: RunStyle): boolean =>
  bold || italic || underline || strike || vertical !== null;

/** The emphasis of a run; a link's own colour and line are the site's. */
export function emphasisOf(style: RunStyle, isLink: boolean): Wrap[] {
  const color = style.color && !isLink && nearestTextColor(style.color);
  const background = style.background && nearestBackgroundColor(style.background);
  const wraps: (Wrap | false)[] = [
    style.bold && ['strong'],
    style.italic && ['em'],
    style.vertical !== null && [style.vertical],
    style.underline && !isLink && ['u'],
    style.strike && ['s'],
    style.isCode && ['code'],
    !!color && ['span', 'class', `color-${color}`],
    !!background && ['span', 'class', `bg-${background}`],
  ];
  return wraps.filter((wrap) => wrap !== false);
}

/** The link to an address; none to one that no link may have. */
export function linkTo(address: string | null): Wrap[] {
  const href = address === null ? null : linkAddress(writtenAddress(address));
  return href === null ? [] : [['a', 'href', href]];
}

/** Names a link that loses its address. `#` stands before a place in the document. */
export function nameRefusedLink(address: string | null, remarks: Remarks): void {
  if (address === null || linkAddress(writtenAddress(address)) !== null) return;
  if (address.startsWith('#')) remarks.countOf('lien', " d'un endroit à l'autre du document : sans adresse ici, son texte reste.");
  else remarks.countOf('lien', ' vers un fichier, ou sans http, https, mailto ni tel : adresse retirée, le texte reste.');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: no text may hold them
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Text; characters of symbol fonts stand at private code points, which only their font explains. */
export function textOf(text: string, font: string | null, reading: Reading): string {
  const symbols = font !== null && /symbol|dings/i.test(font) ? font : 'Symbol';
  return text
    .replaceAll(FORBIDDEN, '')
    .replaceAll(/\r\n?|[\u0085\u2028]/g, '\n')
    .replaceAll(/[\uf020-\uf0ff]/g, (character) => symbolOf(symbols, character.charCodeAt(0).toString(16).toUpperCase(), reading));
}

/** The character that a font of symbols draws for a code; none where nobody knows it. */
export function symbolOf(font: string, code: string, reading: Reading): string {
  const known = hex(font, code) ?? (/^F0..$/.test(code) ? hex(font, code.slice(2)) : undefined);
  if (!known) reading.unknownSymbols.add(`${font} ${code}`);
  return known?.string ?? '';
}
