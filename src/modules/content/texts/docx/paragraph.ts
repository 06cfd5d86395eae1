import { writtenLabel } from '../../../../shared/rich-text/list-labels.ts';
import { counted, type Remarks } from '../remarks.ts';
import type { ListPlace, Numbering } from './numbering.ts';
import type { ParagraphShape } from './reading.ts';
import type { Styles } from './styles.ts';
import { child, settingOf, switchOf } from './xml.ts';

interface ReadParagraph {
  readonly shape: ParagraphShape;
  /** Label that becomes part of the text: the number of a heading, or a number with words. */
  readonly label: string;
  /** Whether the paragraph is a line of a table of contents. */
  readonly isContents: boolean;
}

const WORDS = /\p{L}{2,}/u;

/** Reads the properties of a paragraph. */
export function readParagraph(properties: Element | undefined, styles: Styles, numbering: Numbering, remarks: Remarks): ReadParagraph {
  const style = styles.paragraph(properties);
  const styleId = styles.styleIdOf(properties);
  const numId = style.numId === null || style.numId === '0' ? null : style.numId;
  const place = numId === null ? null : numbering.next(numId, style.depth ?? numbering.depthOfStyle(numId, styleId));
  const asText = place !== null && (style.role === 'heading' || style.role === 'title' || isWritten(place));
  nameNumbers(place, style.role === 'heading', asText, remarks);
  if (style.role === 'heading' && style.level > 6) remarks.say('Les titres de niveau 7 à 9 sont devenus des titres de niveau 6.');
  const left = Math.max(0, style.left ?? (place && !asText ? place.left : 0));
  return {
    shape: {
      role: style.role,
      level: Math.min(6, style.level),
      align: alignment(style.align, style.isRightToLeft),
      left,
      isRightToLeft: style.isRightToLeft,
      list: place && !asText ? { ...place, left } : null,
      isListText: styles.isListText(styleId),
    },
    label: asText ? (place?.label ?? '') : '',
    isContents: styles.isContents(styleId),
  };
}

/** Returns whether a label holds words, such as "Exercice 1 :", and not just a number. */
const isWritten = (place: ListPlace): boolean => WORDS.test(place.label.replaceAll(/[IVXLCDM]+|[ivxlcdm]+/g, ''));

function nameNumbers(place: ListPlace | null, isHeading: boolean, asText: boolean, remarks: Remarks): void {
  if (!place) return;
  if (isHeading) remarks.countOf(['titre numéroté', 'titres numérotés'], ' par Word : le numéro est écrit dans le titre.');
  else if (asText)
    remarks.count(
      'labels',
      (n) =>
        `${counted(n, 'paragraphe numéroté', 'paragraphes numérotés')} par Word avec des mots (${place.label.trim()}) : le numéro est écrit dans le texte.`,
    );
  else if (place.isSpecial)
    remarks.count(
      'special',
      () =>
        `Des numéros de listes sont simplifiés (${place.label.trim()} est devenu ${writtenLabel(place.kept, place.number)}, par exemple).`,
    );
}

function alignment(said: string | null, isRightToLeft: boolean): ParagraphShape['align'] {
  if (said === 'center') return 'center';
  if (said !== null && /^(?:both|distribute|.*[kK]ashida|thaiDistribute)$/.test(said)) return 'justify';
  return !isRightToLeft && (said === 'right' || said === 'end') ? 'right' : null;
}

/** Returns whether a paragraph has a top or bottom border. An empty paragraph with a border is a horizontal rule. */
export function hasRule(properties: Element | undefined): boolean {
  const borders = child(properties, 'w:pBdr');
  return ['w:bottom', 'w:top'].some(
    (side) => switchOf(borders, side) === true && !/^(?:nil|none)$/.test(settingOf(borders, side) ?? 'none'),
  );
}
