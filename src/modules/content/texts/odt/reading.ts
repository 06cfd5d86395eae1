import { placeAfter } from '../../../../shared/rich-text/remark-forms.ts';
import type { TextFacts } from '../docx/reading.ts';
import { counted } from '../remarks.ts';
import type { OdtNumbering } from './numbering.ts';
import type { OdtPackage } from './package.ts';
import type { OdtStyles } from './styles.ts';

/** Data shared by the readers of one document, and facts about the elements created from it. */
export interface OdtReading extends TextFacts {
  readonly file: OdtPackage;
  readonly styles: OdtStyles;
  readonly numbering: OdtNumbering;
  /** Places of each kind of unread content, by the remark about it. */
  readonly places: Map<string, string[]>;
}

/** Maximum number of places that one remark names. */
const maxPlaces = 10;

/**
 * Adds a remark that counts things and names their places.
 * @param before the text before the thing in its paragraph
 * @param fate what follows the places in the sentence
 */
export function sayWithPlace(reading: OdtReading, [one, many]: readonly [string, string], before: string, fate: string): void {
  const key = one + fate;
  const places = reading.places.get(key) ?? [];
  reading.places.set(key, places);
  places.push(placeAfter(before));
  reading.remarks.count(key, (count) => {
    const named = places.length > maxPlaces ? [...places.slice(0, maxPlaces), '…'] : places;
    return `${counted(count, one, many)}, ${named.join(', ')} : ${fate}`;
  });
}
