import { termsOfText } from '../../../../src/shared/search/index-terms.ts';
import { cutPassage, mayFind } from '../../../../src/shared/search/passage.ts';
import { finds, readQuery, termsAsked } from '../../../../src/shared/search/query.ts';
import { correctSlips } from '../../../../src/shared/search/slips.ts';
import { formulas, type SearchHit } from '../../../../src/shared/study/search-page.ts';
import { itemsIn, type KeptPrepa, placed } from './kept-prepa.ts';

interface Found {
  hit: SearchHit;
  /** The part of the text with the matches, each between `marked` signs; the beginning of the text when only the title matches. */
  passage: string;
}

/** Returns the items of a prepa that match a query in title, text or correction: matches in titles first, then the most matches. */
export function searchKept(prepa: KeptPrepa, q: string): Found[] {
  const query = readQuery(q);
  const asked = termsAsked(query);
  const found: (Found & { inTitle: boolean; times: number })[] = [];
  for (const discipline of prepa.disciplines) {
    for (const item of itemsIn(prepa, discipline)) {
      const [text, correction] = [textOf(item.contenu), textOf(item.corrige ?? '')];
      if (!mayFind(query, item.titre, text, correction)) continue;
      const said = [item.titre, text, correction].map(termsOfText);
      const [inTitle = new Map(), inText = new Map(), inCorrection = new Map()] = said;
      if (!finds(query, (term) => said.some((terms) => terms.has(term)))) continue;
      // Same rule as the server: the correction has all words, and the text does not.
      const inCorrige = finds(query, (term) => inCorrection.has(term)) && !finds(query, (term) => inText.has(term));
      const shown = inCorrige ? inCorrection : inText;
      found.push({
        hit: { ...placed(prepa, discipline, item), locked: false, inCorrige },
        passage: cutPassage(inCorrige ? correction : text, query),
        inTitle: finds(query, (term) => inTitle.has(term)),
        times: [...asked].reduce((sum, term) => sum + (shown.get(term)?.length ?? 0), 0),
      });
    }
  }
  return found.toSorted((one, other) => Number(other.inTitle) - Number(one.inTitle) || other.times - one.times);
}

/** Returns a query without result with its slips corrected to words of the prepa; null when there is nothing to correct. */
export function correctKept(prepa: KeptPrepa, q: string): string | null {
  const items = prepa.disciplines.flatMap((discipline) => itemsIn(prepa, discipline));
  const texts = items.map(({ titre, contenu, corrige }) => `${titre} ${textOf(contenu)} ${textOf(corrige ?? '')}`);
  return correctSlips(q, ({ start, end }) => ({ isKnown: searchKept(prepa, q.slice(start, end)).length > 0, texts }));
}

/** Matches a formula that can be written in one line. */
const inLine = /^(?:<\/?(?:math|semantics|mrow|mi|mn|mo|mtext|mspace|mstyle)\b[^>]*>|[^<])*$/;

/** Returns the text of canonical HTML in one line. A formula that cannot be written in a line becomes `formulas.unwritten`. */
function textOf(html: string): string {
  return html
    .replaceAll(/<math[\s\S]*?<\/math>/g, (formula) =>
      inLine.test(formula) ? formulas.start + formula + formulas.stop : formulas.unwritten,
    )
    .replaceAll(/<\/?(?:span|a|b|i|u|s|em|strong|sub|sup|code|mark|math|semantics|m[a-z]+)\b[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(lt|gt|quot|nbsp|amp);/g, (_, name: string) => characters[name] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', nbsp: ' ', amp: '&' };
