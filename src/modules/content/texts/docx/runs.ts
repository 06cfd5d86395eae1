import { hex } from 'dingbat-to-unicode';
import { linkAddress } from '../../../../shared/rich-text/addresses.ts';
import { nearestBackgroundColor, nearestTextColor } from '../../../../shared/rich-text/nearest-color.ts';
import { writtenAddress } from '../../../../shared/rich-text/written-address.ts';
import type { Remarks } from '../remarks.ts';
import type { Wrap } from './pieces.ts';
import type { TextFacts } from './reading.ts';
import { backgroundOf, type RunStyle } from './styles.ts';
import { child, descendants, switchOf } from './xml.ts';

export const isEmphasised = ({ bold, italic, underline, strike, vertical }: RunStyle): boolean =>
  bold || italic || underline || strike || vertical !== null;

/** Returns the emphasis of a run. Colour and underline of links are left out, since the site's style sheet sets them. */
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

/** Returns bold and highlighting that all runs of an equation have themselves. */
export function emphasisOfEquation(math: Element): Wrap[] {
  const properties = descendants(math, 'm:r').map((run) => child(run, 'w:rPr'));
  if (properties.length === 0) return [];
  const backgrounds = new Set(properties.map((own) => backgroundOf(own) || null));
  const [background] = backgrounds;
  const color = background && backgrounds.size === 1 ? nearestBackgroundColor(background) : null;
  const wraps: (Wrap | false)[] = [
    properties.every((own) => switchOf(own, 'w:b') === true) && ['strong'],
    !!color && ['span', 'class', `bg-${color}`],
  ];
  return wraps.filter((wrap) => wrap !== false);
}

/** Returns the link element for an address; none when the address is not allowed. */
export function linkTo(address: string | null): Wrap[] {
  const href = address === null ? null : linkAddress(writtenAddress(address));
  return href === null ? [] : [['a', 'href', href]];
}

/** Adds a remark about a link whose address is refused. An address that starts with `#` is a place in the document. */
export function nameRefusedLink(address: string | null, remarks: Remarks): void {
  if (address === null || linkAddress(writtenAddress(address)) !== null) return;
  if (address.startsWith('#')) remarks.countOf('lien', " d'un endroit à l'autre du document : sans adresse ici, son texte reste.");
  else remarks.countOf('lien', ' vers un fichier, ou sans http, https, mailto ni tel : adresse retirée, le texte reste.');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: no text may hold them
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Returns the text of a run. Characters of symbol fonts are mapped to Unicode, since their private code points depend on the font. */
export function textOf(text: string, font: string | null, reading: TextFacts): string {
  const symbols = font !== null && /symbol|dings/i.test(font) ? font : 'Symbol';
  return text
    .replaceAll(FORBIDDEN, '')
    .replaceAll(/\r\n?|[\u0085\u2028]/g, '\n')
    .replaceAll(/[\uf020-\uf0ff]/g, (character) => symbolOf(symbols, character.charCodeAt(0).toString(16).toUpperCase(), reading));
}

/** Returns the Unicode character for a code of a symbol font; '' when it is unknown. */
export function symbolOf(font: string, code: string, reading: TextFacts): string {
  const known = hex(font, code) ?? (/^F0..$/.test(code) ? hex(font, code.slice(2)) : undefined);
  if (!known) reading.unknownSymbols.add(`${font} ${code}`);
  return known?.string ?? '';
}
