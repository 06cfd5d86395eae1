import { apostrophes, foldCharacters, hyphens } from './search/fold.ts';

const anyApostrophe = new RegExp(`[${apostrophes}]`, 'g');
const anyHyphen = new RegExp(`[${hyphens}]`, 'g');

/** A text as lists are searched by what they hold: its characters folded as in searches of texts, apostrophes and hyphens as they are typed, each run of spaces as one. */
export const foldText = (text: string): string =>
  foldCharacters(text.replaceAll(anyApostrophe, "'").replaceAll(anyHyphen, '-')).replaceAll(/\s+/g, ' ').trim();
