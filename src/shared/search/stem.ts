/**
 * Snowball's French stemmer (https://snowballstem.org/algorithms/french/stemmer.html), also PostgreSQL's `french_stem`, for words without
 * accents: rules that need an accent are left out. In regular expressions, a capital is a vowel that counts as a consonant.
 */

const vowel = 'aeiouy';
const isVowel = (letter: string | undefined): boolean => letter !== undefined && vowel.includes(letter);

/** Returns the word with capitals for vowels that count as consonants: u and i between vowels, y beside one, u after q. */
function withConsonants(word: string): string {
  const letters = [...word];
  for (let at = 0; at < letters.length; at += 1) {
    const [before, letter, after] = [letters[at - 1], letters[at], letters[at + 1]];
    if (isVowel(before) && ((letter === 'u' && isVowel(after)) || (letter === 'i' && isVowel(after)) || letter === 'y'))
      letters[at] = letter.toUpperCase();
    else if (letter === 'y' && isVowel(after)) letters[at] = 'Y';
    else if (letter === 'u' && before === 'q') letters[at] = 'U';
  }
  return letters.join('');
}

/** Returns the start of the region after the first consonant that follows a vowel, searching from `start`. */
function regionAfter(word: string, start: number): number {
  let at = start;
  while (at < word.length && !isVowel(word[at])) at += 1;
  while (at < word.length && isVowel(word[at])) at += 1;
  return Math.min(at + 1, word.length);
}

function verbRegion(word: string): number {
  if (isVowel(word[0]) && isVowel(word[1])) return Math.min(3, word.length);
  if (/^(?:par|col|tap|ni[^aeiouy])/.test(word)) return 3;
  for (let at = 1; at < word.length; at += 1) if (isVowel(word[at])) return at + 1;
  return word.length;
}

interface Regions {
  verb: number;
  first: number;
  second: number;
}

const standard =
  /(?:(?<plain>ances?|iqUes?|ismes?|ables?|istes?|eux)|(?<action>atrices?|ateurs?|ations?)|(?<science>logies?)|(?<usion>[uU](?:s|t)ions?)|(?<ence>ences?)|(?<fem>euses?)|(?<issement>issements?)|(?<amment>amment)|(?<emment>emment)|(?<ement>ements?)|(?<ment>ments?)|(?<active>ifs?|ives?)|(?<beau>eaux)|(?<aux>aux))$/;
const verbsInI =
  /(?:ir(?:a(?:i(?:ent|s|t)?|Ient|s)?|ent|ez|i(?:ez|ons)|ons|ont)?|iss(?:a(?:Ient|is|it|nt(?:es?|s)?)|e(?:nt|s|z)?|i(?:ez|ons)|ons)|ies?|is|it|i)$/;
const verbsDeleted = /(?:er(?:a(?:Ient|is|it|i|s)?|ez|i(?:ez|ons)|ons|ont)?|(?<!ass)iez|(?<!assi)ez)$/;
const verbsInA = /(?:a(?:Ient|is|it|i|nt(?:es?|s)?|s(?:s(?:e(?:nt|s)?|i(?:ez|ons)))?)?)$/;

/** Removes the standard suffix, if allowed. `stripped: false` means that the word continues with verb endings, even if it was changed. */
function withoutStandard(word: string, { verb, first, second }: Regions): { word: string; stripped: boolean } {
  const found = standard.exec(word);
  if (!found?.groups) return { word, stripped: false };
  const { groups, index: at } = found;
  const cut = word.slice(0, at);
  const done = (changed: string) => ({ word: changed, stripped: true });
  const no = { word, stripped: false };
  /** Returns `text` without `end` if `end` is in region R2, else null. */
  const without = (text: string, end: string): string | null =>
    text.endsWith(end) && text.length - end.length >= second ? text.slice(0, -end.length) : null;
  const withoutIc = (text: string): string => (text.endsWith('ic') ? (without(text, 'ic') ?? `${text.slice(0, -2)}iqU`) : text);
  if (groups.plain) return at >= second ? done(cut) : no;
  if (groups.action) return at >= second ? done(withoutIc(cut)) : no;
  if (groups.science) return at >= second ? done(`${cut}log`) : no;
  if (groups.usion) return at >= second ? done(`${cut}u`) : no;
  if (groups.ence) return at >= second ? done(`${cut}ent`) : no;
  if (groups.active) {
    if (at < second) return no;
    const shorter = without(cut, 'at');
    return done(shorter === null ? cut : withoutIc(shorter));
  }
  if (groups.beau) return done(`${cut}eau`);
  if (groups.aux) return at >= first ? done(`${cut}al`) : no;
  if (groups.fem) return at >= second ? done(cut) : at >= first ? done(`${cut}eux`) : no;
  if (groups.issement) return at >= first && !isVowel(cut.at(-1)) ? done(cut) : no;
  // After these suffixes the verb endings are tried too.
  if (groups.amment) return at >= verb ? { word: `${cut}ant`, stripped: false } : no;
  if (groups.emment) return at >= verb ? { word: `${cut}ent`, stripped: false } : no;
  if (groups.ment) return isVowel(cut.at(-1)) && cut.length - 1 >= verb ? { word: cut, stripped: false } : no;
  if (at < verb) return no;
  const iv = without(cut, 'iv');
  if (iv !== null) return done(without(iv, 'at') ?? iv);
  if (cut.endsWith('eus')) return done(without(cut, 'eus') ?? (cut.length - 3 >= first ? `${cut.slice(0, -3)}eux` : cut));
  return done(without(cut, 'abl') ?? without(cut, 'iqU') ?? cut);
}

/** Returns the word without its verb ending; null if it has none. */
function withoutVerb(word: string, { verb, second }: Regions): string | null {
  const region = word.slice(verb);
  const inI = verbsInI.exec(region);
  if (inI && inI.index > 0 && !isVowel(region[inI.index - 1]) && region[inI.index - 1] !== 'H') return word.slice(0, verb + inI.index);
  if (region.endsWith('ions') && !/assions$/.test(region) && !/erions$/.test(region))
    return word.length - 4 >= second ? word.slice(0, -4) : null;
  const found = verbsDeleted.exec(region) ?? verbsInA.exec(region);
  if (!found) return null;
  const cut = word.slice(0, verb + found.index);
  return found[0].startsWith('a') && cut.endsWith('e') && cut.length > verb ? cut.slice(0, -1) : cut;
}

function withoutResidue(word: string, { verb, second }: Regions): string {
  const shorter = /[^aious]s$/.test(word) ? word.slice(0, -1) : word;
  const region = shorter.slice(verb);
  if (region.endsWith('ion')) {
    const cut = shorter.slice(0, -3);
    return cut.length >= second && /[st]$/.test(shorter.slice(verb, -3)) ? cut : shorter;
  }
  if (/[iI]er$/.test(region)) return `${shorter.slice(0, -3)}i`;
  return region.endsWith('e') ? shorter.slice(0, -1) : shorter;
}

/** Returns the stem of a word in lower case without accents. */
export function stemOf(written: string): string {
  const marked = withConsonants(written);
  const first = regionAfter(marked, 0);
  const regions = { verb: verbRegion(marked), first, second: regionAfter(marked, first) };
  const standardDone = withoutStandard(marked, regions);
  const stripped = standardDone.stripped ? standardDone.word : withoutVerb(standardDone.word, regions);
  const stem = stripped === null ? withoutResidue(standardDone.word, regions) : stripped.replace(/Y$/, 'i');
  return stem.replace(/(enn|onn|ett|ell|eill)$/, (end) => end.slice(0, -1)).toLowerCase();
}
