import { foldText } from '../../../src/shared/search-text.ts';
import { formulas, fragmentDelimiter, marked, type SearchHit } from '../../../src/shared/study/search-page.ts';
import { itemsIn, type KeptPrepa, placed } from './kept-prepa.ts';

/** Of a passage: words at most, how many of them before what was found, and where only the title says it. */
const passageWords = { most: 24, before: 8, beginning: 10 };
const maxFragments = 2;

interface Found {
  hit: SearchHit;
  /** Where its text says it, with `marked` around what was found; where only its title does, how the text begins. */
  passage: string;
}

/** The items of a prepa that say all the words, in their title, text or correction; those first whose titles do, then those that say them most. */
export function searchKept(prepa: KeptPrepa, q: string): Found[] {
  const wanted = stemsOf(q);
  if (wanted.length === 0) return [];
  const found: (Found & { inTitle: boolean; times: number })[] = [];
  for (const discipline of prepa.disciplines) {
    for (const item of itemsIn(prepa, discipline)) {
      const title = wordsOf(item.titre);
      const text = wordsOf(textOf(item.contenu));
      const inText = wanted.every((stem) => title.has(stem) || text.has(stem));
      const correction = inText || item.corrige === null ? null : wordsOf(textOf(item.corrige));
      if (!inText && !wanted.every((stem) => title.has(stem) || text.has(stem) || correction?.has(stem))) continue;
      const shown = correction ?? text;
      found.push({
        hit: { ...placed(prepa, discipline, item), locked: false, inCorrige: correction !== null },
        passage: shown.passage(wanted),
        inTitle: wanted.every((stem) => title.has(stem)),
        times: shown.count(wanted),
      });
    }
  }
  return found.toSorted((one, other) => Number(other.inTitle) - Number(one.inTitle) || other.times - one.times);
}

/** The words asked for; single letters count only where there is nothing else. */
function stemsOf(q: string): string[] {
  const words = foldText(q).match(/[\p{L}\p{N}]+/gu) ?? [];
  const long = words.filter((word) => word.length > 1);
  return [...new Set((long.length > 0 ? long : words).map(stemOf))];
}

/** A folded word without its plural and its feminine: neither counts. */
const stemOf = (word: string): string =>
  word.length < 4
    ? word
    : word
        .replace(/eaux$/, 'eau')
        .replace(/aux$/, 'al')
        .replace(/(?<=.{3})(?:e?s|x|e)$/, '');

interface Word {
  stem: string;
  start: number;
  end: number;
}

/** A text and its words. Most texts do not say what is looked for: those are not taken apart. */
function wordsOf(text: string) {
  let folded: string | undefined;
  let words: Word[] | undefined;
  const all = (): readonly Word[] => {
    words ??= [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map(({ 0: word, index }) => ({
      stem: stemOf(foldText(word)),
      start: index,
      end: index + word.length,
    }));
    return words;
  };

  return {
    has(stem: string): boolean {
      folded ??= foldText(text);
      // Of a plural in -aux the word itself has another end.
      return folded.includes(stem.replace(/al$/, 'a')) && all().some((word) => word.stem === stem);
    },
    count: (stems: readonly string[]): number => all().filter(({ stem }) => stems.includes(stem)).length,
    passage(stems: readonly string[]): string {
      const fragments: string[] = [];
      let from = 0;
      while (fragments.length < maxFragments) {
        const hit = all().findIndex(({ stem }, index) => index >= from && stems.includes(stem));
        if (hit < 0) break;
        const first = Math.max(from, hit - passageWords.before);
        const shown = all().slice(first, first + passageWords.most);
        from = first + shown.length;
        fragments.push(written(text, shown, stems));
      }
      if (fragments.length === 0) return written(text, all().slice(0, passageWords.beginning), []);
      return fragments.join(fragmentDelimiter);
    },
  };
}

/** From the first of these words to the last, those that were looked for marked. */
function written(text: string, words: readonly Word[], stems: readonly string[]): string {
  let [passage, at] = ['', words[0]?.start ?? 0];
  for (const { stem, start, end } of words) {
    const word = text.slice(start, end);
    passage += text.slice(at, start) + (stems.includes(stem) ? marked.start + word + marked.stop : word);
    at = end;
  }
  return passage;
}

/** Elements of a formula that read the same in a line. */
const inLine = /^(?:<\/?(?:math|semantics|mrow|mi|mn|mo|mtext|mspace|mstyle)\b[^>]*>|[^<])*$/;

/** What canonical HTML says, in one line; a formula that cannot be written in a line by its sign. */
function textOf(html: string): string {
  return html
    .replaceAll(/<math[\s\S]*?<\/math>/g, (formula) => (inLine.test(formula) ? formula : formulas.unwritten))
    .replaceAll(/<\/?(?:span|a|b|i|u|s|em|strong|sub|sup|code|mark|math|semantics|m[a-z]+)\b[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(lt|gt|quot|nbsp|amp);/g, (_, name: string) => characters[name] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', nbsp: ' ', amp: '&' };
