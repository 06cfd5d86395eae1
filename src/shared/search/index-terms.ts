import type { Query } from './query.ts';
import { wordsOf } from './words.ts';

/** Returns the search terms of a text, each with the positions of its words, from 1. */
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

/** PostgreSQL's limits of a `tsvector`: highest position, and positions kept here per term of a text. */
const lastPlace = 16_383;
const mostPlaces = 100;

/**
 * Returns PostgreSQL's `tsvector` of texts in its text form. It is computed here, without the server's parser and dictionaries, so that
 * every server finds the same.
 * @param texts with their weights, in reading order
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

/** Returns PostgreSQL's `tsquery` of a query in its text form; '' if it cannot find anything. */
export const tsqueryOf = (query: Query): string =>
  query.map((alternatives) => `(${alternatives.map((terms) => `(${terms.map((term) => `'${term}'`).join('&')})`).join('|')})`).join('&');
