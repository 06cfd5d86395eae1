import type { Query } from './query.ts';
import { wordsOf } from './words.ts';

/** Of a text, what it is found by: each term with the places of its words, from 1. */
export function termsOfText(text: string): Map<string, number[]> {
  const { words, joined } = wordsOf(text);
  const places = new Map<string, number[]>();
  const add = (term: string, place: number) => {
    const known = places.get(term);
    if (known) known.push(place);
    else places.set(term, [place]);
  };
  for (const [at, { terms }] of words.entries()) for (const term of terms) add(term, at + 1);
  for (const { terms, first } of joined) for (const term of terms) add(term, first + 1);
  return places;
}

/** The last place that PostgreSQL notes, and how many of one word in one text. */
const lastPlace = 16_383;
const mostPlaces = 100;

/**
 * PostgreSQL's `tsvector` of texts, as it is written: no parser and no dictionary of its server is asked, so that each finds what all others find.
 * @param texts with their weights, in the order in which they are read
 */
export function vectorOf(texts: readonly { text: string; weight: 'A' | 'B' | 'C' }[]): string {
  const places = new Map<string, string[]>();
  let before = 0;
  for (const { text, weight } of texts) {
    let last = 0;
    for (const [term, found] of termsOfText(text)) {
      const known = places.get(term) ?? [];
      places.set(term, known);
      for (const place of found.slice(0, mostPlaces)) known.push(Math.min(before + place, lastPlace) + weight);
      last = Math.max(last, found.at(-1) ?? 0);
    }
    before += last;
  }
  return [...places].map(([term, found]) => `'${term}':${found.join(',')}`).join(' ');
}

/** PostgreSQL's `tsquery` of what is looked for, as it is written; '' where nothing can be found. */
export const tsqueryOf = (query: Query): string =>
  query.map((alternatives) => `(${alternatives.map((terms) => `(${terms.map((term) => `'${term}'`).join('&')})`).join('|')})`).join('&');
