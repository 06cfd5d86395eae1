import { termsOfText } from '../../../src/shared/search/index-terms.ts';
import { cutPassage, mayFind } from '../../../src/shared/search/passage.ts';
import { finds, readQuery, termsAsked } from '../../../src/shared/search/query.ts';
import { formulas, type SearchHit } from '../../../src/shared/study/search-page.ts';
import { itemsIn, type KeptPrepa, placed } from './kept-prepa.ts';

interface Found {
  hit: SearchHit;
  /** Where its text says it, with `marked` around what was found; where only its title does, how the text begins. */
  passage: string;
}

/** The items of a prepa that say what is looked for, in their title, text or correction; those first whose titles do, then those that say it most. */
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
      // As the server has it: where the correction says all of it and the text does not.
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

/** Elements of a formula that read the same in a line. */
const inLine = /^(?:<\/?(?:math|semantics|mrow|mi|mn|mo|mtext|mspace|mstyle)\b[^>]*>|[^<])*$/;

/** What canonical HTML says, in one line; a formula that cannot be written in a line by its sign. */
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
