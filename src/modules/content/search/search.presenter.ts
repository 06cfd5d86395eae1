import { presentPlace } from '../items/item.presenter.ts';
import { type FoundItem, formulas, fragmentDelimiter, marked, maxSearchPages, searchPageSize } from './search.repository.ts';

/** A result for the template: where it stands, its address unless it is locked, and its passage in pieces; '' and nothing are none. */
export function presentResult(row: FoundItem, passage: string | undefined, trial: boolean) {
  const { id, kind, titre, prepaId, disciplineId, locked, inCorrige } = row;
  const base = `/user/prepa/${trial ? 'consultation/' : ''}${prepaId}/${disciplineId}`;
  return {
    place: presentPlace(row),
    titre,
    href: locked ? null : `${base}?type=${kind}&item=${id}`,
    inCorrige,
    passage: locked || !passage ? null : pieces(passage),
  };
}

/** The pieces of a passage, those that were found marked. */
function pieces(passage: string): { text: string; found: boolean }[] {
  return passage
    .split(fragmentDelimiter)
    .map(withWholeFormulas)
    .join(fragmentDelimiter)
    .split(marked.start)
    .flatMap((part, index) => {
      const [found = '', rest] = index === 0 ? ['', part] : part.split(marked.stop);
      return [
        { text: found, found: true },
        { text: rest ?? '', found: false },
      ];
    })
    .filter(({ text }) => text !== '');
}

const { unwritten, start, stop } = formulas;
const cut = new RegExp(`${unwritten}|^[^${start}${stop}]*${stop}|${start}[^${stop}]*$`, 'g');
const bounds = new RegExp(`[${start}${stop}]`, 'g');

/** Half a formula would say something else. */
const withWholeFormulas = (fragment: string): string => fragment.replaceAll(cut, '[formule]').replaceAll(bounds, '');

/** '3 résultats', and how many pages of them are shown. */
export function presentCount(total: number) {
  const pages = Math.min(Math.ceil(total / searchPageSize), maxSearchPages);
  const most = maxSearchPages * searchPageSize;
  if (total > most) return { pages, count: `Les ${most} premiers résultats` };
  return { pages, count: total > 1 ? `${total} résultats` : '1 résultat' };
}
