import { type Declarations, points, side } from './css.ts';
import type { ItemPlace } from './list-placer.ts';
import type { ElementStyle, StyleSheet } from './style-sheet.ts';
import { nodeAfter } from './walk.ts';

/** What a paragraph says that Word shows as an item of a list. */
export interface WordItem {
  readonly place: ItemPlace;
  /** The element with the bullet or the number, which is no text. */
  readonly marker: Element | null;
  /** What the marker says: `1.`, `c)`, `Exercice 3`. */
  readonly label: string;
  /** Whether its numbers are letters, Roman numerals or several (1.1), which become one number in digits. */
  readonly lettered: boolean;
  /** Whether its number stands among words, which no list can say. */
  readonly worded: boolean;
}

const MARKER = /mso-list:\s{0,9}ignore/i;
// A marker stands at the beginning, within a few wrappers.
const LOOKED_AT = 40;

/** Reads `mso-list:l0 level1 lfo1`, the list's definition and the marker; null for a paragraph that is no item. */
export function wordItem(paragraph: Element, style: ElementStyle, sheet: StyleSheet, dir: 'rtl' | null): WordItem | null {
  const [, list, depth, override = ''] =
    /^(l\d{1,6})\s{1,5}level(\d{1,2})(?:\s{1,5}(lfo\d{1,6}))?/i.exec(style.all['mso-list'] ?? '') ?? [];
  if (!list || !depth) return null;
  const marker = findMarker(paragraph);
  // A style may belong to a list without this paragraph showing a number.
  if (!marker && !style.inline['mso-list']) return null;
  const level = Number(depth);
  const label = (marker?.textContent ?? '')
    .replace(/[\s\u00a0]+/g, ' ')
    .trim()
    .slice(0, 60);
  const text = label.replaceAll(' ', '');
  const format = sheet.listFormat(list.toLowerCase(), level)?.toLowerCase() ?? formatOf(text);
  const kind = /^(?:bullet|image)/.test(format) || (format === 'none' && text === '') ? 'ul' : 'ol';
  return {
    place: {
      level,
      kind,
      id: `${list} ${override}`,
      number: kind === 'ol' ? numberOf(text, format) : null,
      dir,
      margin: textMargin(style.all),
    },
    marker,
    label,
    lettered: kind === 'ol' && (/^(?:alpha|roman)/.test(format) || /\d\D\d/.test(text)),
    worded: kind === 'ol' && !/^(?:alpha|roman)/.test(format) && /\p{L}{2}/u.test(text),
  };
}

/** Where a paragraph's text starts, in points; null when nothing says so. */
export function textMargin(css: Declarations): number | null {
  return points(css['margin-left'] ?? side(css.margin, 'left'));
}

function findMarker(paragraph: Element): Element | null {
  let node: Node | null = paragraph.firstChild;
  for (let count = 0; node && count < LOOKED_AT; count += 1) {
    if (node.nodeType === 1 && MARKER.test((node as Element).getAttribute('style') ?? '')) return node as Element;
    // Whatever is text comes after a marker.
    if (node.nodeType === 3 && /[^\s\u00a0]/.test((node as Text).data)) return null;
    node = nodeAfter(node, paragraph);
  }
  return null;
}

/** A format guessed from the marker, where the definition was not copied. */
function formatOf(marker: string): string {
  if (/\d/.test(marker)) return 'decimal';
  if (/^\(?[ivxlc]{2,7}[.)\]:-]/i.test(marker)) return 'roman';
  if (/^\(?[a-z][.)\]:-]/i.test(marker)) return 'alpha';
  return 'bullet';
}

const ROMAN: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100, d: 500, m: 1000 };

/** The number that a marker shows: 3 for `3.`, `1.2.3`, `c)` and `iii.`; null when it shows none. */
function numberOf(marker: string, format: string): number | null {
  const digits = /(\d{1,6})\D{0,5}$/.exec(marker)?.[1];
  if (digits) return Number(digits);
  const letters = /([a-z]{1,8})[^a-z]{0,5}$/i.exec(marker)?.[1]?.toLowerCase();
  if (!letters) return null;
  if (format.startsWith('roman') && /^[ivxlcdm]+$/.test(letters)) {
    return [...letters].reduce((sum, letter, at) => {
      const value = ROMAN[letter] as number;
      return sum + (value < (ROMAN[letters[at + 1] ?? ''] ?? 0) ? -value : value);
    }, 0);
  }
  // Word goes on with aa, bb, cc after z.
  return letters.length <= 3 && /^(.)\1*$/.test(letters) ? (letters.length - 1) * 26 + letters.charCodeAt(0) - 96 : null;
}
