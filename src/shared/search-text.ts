import { apostrophes, foldCharacters, hyphens } from './search/fold.ts';

const anyApostrophe = new RegExp(`[${apostrophes}]`, 'g');
const anyHyphen = new RegExp(`[${hyphens}]`, 'g');

/** Returns a text for substring search in lists: folded characters, one kind of apostrophe and hyphen, single spaces. */
export const foldText = (text: string): string =>
  foldCharacters(text.replaceAll(anyApostrophe, "'").replaceAll(anyHyphen, '-')).replaceAll(/\s+/g, ' ').trim();
