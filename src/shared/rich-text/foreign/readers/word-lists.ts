import { type ListLabel, labelWith } from '../../list-labels.ts';
import type { ElementStyle, ListLevel, StyleSheet } from '../styles/style-sheet.ts';
import { type Declarations, points, side } from '../support/css.ts';
import { nodeAfter } from '../support/walk.ts';
import type { ItemPlace } from '../writer/list-placer.ts';

/** List data of a paragraph that Word shows as an item. */
export interface WordItem {
  readonly place: ItemPlace;
  /** Element with the bullet or number, which is not part of the text. */
  readonly marker: Element | null;
  /** Text of the marker: `1.`, `c)`, `Exercice 3`. */
  readonly label: string;
  /** Whether the number has several parts (1.1), of which only the last is kept. */
  readonly composed: boolean;
  /** Whether the marker contains words, which an HTML list cannot show. */
  readonly worded: boolean;
}

const MARKER = /mso-list:\s{0,9}ignore/i;
// Maximum number of nodes searched for a marker, which is at the beginning, inside a few wrappers.
const LOOKED_AT = 40;

// 'Chapitre II', 'Partie A'
const WORDS = /\p{L}{2,} \(?(?:\d|[ivxlcdm]{1,8}(?!\p{L})|[a-z](?!\p{L}))/iu;
const LETTERS = /^\(?([a-z]{1,8})(?:([.)\]:/°\u2013\u2014-])|$)/i;

/** Adds the formats of list levels whose `@list` rules were not copied, guessed from the markers of their items. */
export function guessListFormats(root: ParentNode, sheet: StyleSheet): void {
  const levels = new Map<string, { place: ListLevel; labels: string[] }>();
  for (const paragraph of root.querySelectorAll('[style*="mso-list:"]')) {
    const place = listLevel(paragraph.getAttribute('style') ?? '');
    const marker = place && sheet.listFormat(place) === undefined ? findMarker(paragraph) : null;
    if (!place || !marker) continue;
    const key = Object.values(place).join(' ');
    const known = levels.get(key) ?? { place, labels: [] };
    known.labels.push(labelOf(marker));
    levels.set(key, known);
  }
  for (const { place, labels } of levels.values()) {
    const format = guessFormat(labels);
    if (/^(?:alpha|roman)/.test(format)) sheet.addListFormat(place, format);
  }
}

/** Reads `mso-list:l0 level1 lfo1`, the list's definition and the marker; returns null if the paragraph is no item. */
export function wordItem(paragraph: Element, style: ElementStyle, sheet: StyleSheet, dir: 'rtl' | null): WordItem | null {
  const listed = listLevel(`mso-list:${style.all['mso-list'] ?? ''}`);
  if (!listed) return null;
  const { list, level, override } = listed;
  const marker = findMarker(paragraph);
  // A style may belong to a list although this paragraph shows no number.
  if (!marker && !style.inline['mso-list']) return null;
  const label = labelOf(marker);
  const text = label.replaceAll(' ', '');
  const format = sheet.listFormat(listed) ?? guessFormat([label]);
  const kind = /^(?:bullet|image)/.test(format) || (format === 'none' && text === '') ? 'ul' : 'ol';
  return {
    place: {
      level,
      kind,
      id: `${list} ${override}`,
      number: kind === 'ol' ? numberOf(ownPart(text), format) : null,
      label: kind === 'ol' ? labelIn(text, format) : null,
      dir,
      margin: textMargin(style.all),
    },
    marker,
    label,
    composed: kind === 'ol' && (/\d\D\d/.test(text) || ownPart(text) !== text),
    worded: kind === 'ol' && (WORDS.test(label) || (!/^(?:alpha|roman)/.test(format) && /\p{L}{2}/u.test(text))),
  };
}

/** Returns the position of a paragraph's text, in points; null if unknown. */
export function textMargin(css: Declarations): number | null {
  return points(css['margin-left'] ?? side(css.margin, 'left'));
}

function listLevel(css: string): ListLevel | null {
  const [, list, level, override = ''] = /mso-list:\s{0,9}(l\d{1,6})\s{1,5}level(\d{1,2})(?:\s{1,5}(lfo\d{1,6}))?/i.exec(css) ?? [];
  return list && level ? { list: list.toLowerCase(), level: Number(level), override } : null;
}

const labelOf = (marker: Element | null): string =>
  (marker?.textContent ?? '')
    .replace(/[\s\u00a0]+/g, ' ')
    .trim()
    .slice(0, 60);

function findMarker(paragraph: Element): Element | null {
  let node: Node | null = paragraph.firstChild;
  for (let count = 0; node && count < LOOKED_AT; count += 1) {
    if (node.nodeType === 1 && MARKER.test((node as Element).getAttribute('style') ?? '')) return node as Element;
    // A paragraph that begins with text has no marker.
    if (node.nodeType === 3 && /[^\s\u00a0]/.test((node as Text).data)) return null;
    node = nodeAfter(node, paragraph);
  }
  return null;
}

/** Returns the format that fits a level's markers best: i is Roman if ii follows, and a letter if it follows h. */
function guessFormat(labels: readonly string[]): string {
  const markers = labels.map((label) => ownPart(label.replaceAll(' ', '')));
  if (markers.some((marker) => /\d/.test(marker)) || labels.some((label) => WORDS.test(label))) return 'decimal';
  const written = markers.map((marker) => LETTERS.exec(marker));
  const [roman, alpha] = ['roman', 'alpha'].map((format) => {
    const numbers = written.map((letters) => (letters ? numberOf(letters[1] as string, format) : null));
    if (numbers.includes(null)) return null;
    const steps = numbers.filter((number, at) => at > 0 && number === (numbers[at - 1] as number) + 1).length;
    // A single letter without punctuation is a bullet, such as Word's o, unless the next markers continue from it.
    if (steps === 0 && written.some((letters) => !letters?.[2])) return null;
    return steps + numbers.filter((number) => number === 1).length;
  });
  if (roman === null || roman === undefined) return alpha === null || alpha === undefined ? 'bullet' : 'alpha';
  if (alpha === null || alpha === undefined || roman > alpha) return 'roman';
  return roman === alpha && /^(?:[ivx]|..+)$/i.test(written[0]?.[1] ?? '') ? 'roman' : 'alpha';
}

/** Returns a marker without the numbers of outer levels: `b)` for `2.b)`. */
const ownPart = (marker: string): string => marker.replace(/^.{0,40}[\p{L}\d][.-](?=[\p{L}\d])/u, '');

/** Returns the label of our lists for a marker such as `(iv)`. */
function labelIn(marker: string, format: string): ListLabel {
  const [, before = '', number = '', behind = ''] = /(.?)(?<![\p{L}\d])([\p{L}\d]+)([^\p{L}\d]*)$/u.exec(marker) ?? [];
  const style = format.startsWith('roman') ? 'i' : format.startsWith('alpha') ? 'a' : '1';
  if (/\d/.test(number) || style === '1') return labelWith('1', before, behind);
  return labelWith(number === number.toUpperCase() ? (style.toUpperCase() as 'A' | 'I') : style, before, behind);
}

const ROMAN: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100, d: 500, m: 1000 };

/** Returns the number in a marker: 3 for `3.`, `1.2.3`, `c)` and `iii.`; null if there is none. */
function numberOf(marker: string, format: string): number | null {
  const digits = /(\d{1,6})\D{0,5}$/.exec(marker)?.[1];
  if (digits) return Number(digits);
  const letters = /([a-z]{1,8})[^a-z]{0,5}$/i.exec(marker)?.[1]?.toLowerCase();
  if (!letters) return null;
  if (format.startsWith('roman')) {
    if (!/^[ivxlcdm]+$/.test(letters)) return null;
    return [...letters].reduce((sum, letter, at) => {
      const value = ROMAN[letter] as number;
      return sum + (value < (ROMAN[letters[at + 1] ?? ''] ?? 0) ? -value : value);
    }, 0);
  }
  // After z, Word continues with aa, bb, cc.
  return letters.length <= 3 && /^(.)\1*$/.test(letters) ? (letters.length - 1) * 26 + letters.charCodeAt(0) - 96 : null;
}
