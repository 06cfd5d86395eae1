import { type ListLabel, type ListStyle, labelWith, readLabel, styleOf } from '../../list-labels.ts';
import type { ElementStyle, StyleSheet } from '../styles/style-sheet.ts';

const NAMES: Readonly<Record<string, ListStyle>> = {
  decimal: '1',
  'lower-alpha': 'a',
  'lower-latin': 'a',
  'upper-alpha': 'A',
  'upper-latin': 'A',
  'lower-roman': 'i',
  'upper-roman': 'I',
};

const COUNTED =
  /(?:^|[\s-])(?:alpha|roman|latin|greek|armenian|georgian|hebrew|hiragana|katakana|zero|ideographic|arabic-indic)(?:$|[\s-])/;

/** How the items of a numbered list are labelled; `isLost` for alphabets that our lists do not have. */
interface Marker {
  readonly label: ListLabel;
  readonly isLost: boolean;
}

/** Reads the label of an `ol`: our own attribute, or its CSS, or `type`. */
export function listMarker(list: Element, classes: readonly string[], style: ElementStyle, sheet: StyleSheet): Marker {
  const own = list.getAttribute('data-label') === null ? null : readLabel(list).label;
  if (own !== null) return { label: own, isLost: false };
  const counter = classes.map((name) => sheet.counterOf(name)).find(Boolean);
  if (counter) return { label: labelWith(NAMES[counter.style] ?? '1', counter.before, counter.behind), isLost: !NAMES[counter.style] };
  return cssMarker(style) ?? { label: readLabel(list).label, isLost: false };
}

/**
 * Reads the label that an item has itself: Google Docs writes the style on items. Word Online writes it on the list, and the signs around
 * the number on items.
 */
export function itemMarker(item: Element, style: ElementStyle, list: ListLabel): Marker {
  const { label, isLost } = cssMarker(style) ?? { label: list, isLost: false };
  const [, before = '', behind] = /^([^%]{0,3})%\d([^%]{0,3})$/.exec(item.getAttribute('data-leveltext') ?? '') ?? [];
  return { label: behind === undefined ? label : labelWith(styleOf(label), before, behind), isLost };
}

const said = ({ all }: ElementStyle): string => (all['list-style-type'] ?? all['list-style'] ?? '').toLowerCase();

const styleIn = (style: ElementStyle): ListStyle | undefined =>
  said(style)
    .split(/\s+/)
    .map((word) => NAMES[word])
    .find(Boolean);

function cssMarker(style: ElementStyle): Marker | null {
  const known = styleIn(style);
  if (known) return { label: labelWith(known, '', '.'), isLost: false };
  return COUNTED.test(said(style)) ? { label: null, isLost: true } : null;
}
