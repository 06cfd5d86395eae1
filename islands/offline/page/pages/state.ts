import { dayMs, formatShortDay, formatTime } from '../../../../src/shared/dates.ts';
import type { Missing } from '../kept-files.ts';
import { lackOf } from '../lack.ts';
import type { Copy } from '../store/store.ts';
import { countOf } from '../waiting.ts';
import type { KeptAddress } from './address.ts';

/** Input of a kept page's state line. */
export interface KeptState {
  /** The copies that the page shows. */
  copies: readonly Pick<Copy, 'updatedAt' | 'endAt' | 'disciplines'>[];
  page: KeptAddress['page'];
  isOffline: boolean;
  /** Number of items with unsent entries. */
  waiting: number;
  /** Missing files of these copies. */
  missing: Missing;
  now: number;
}

/** Pages about a whole prepa. If only some disciplines are kept, these pages show only those. */
const ofPrepa: KeptAddress['page'][] = ['disciplines', 'search', 'session'];

/** Returns the facts of the state line, most important first. With network there are only those that the reader should know of. */
export function factsOf({ copies, page, isOffline, waiting, missing, now }: KeptState): string[] {
  const one = copies.length === 1;
  const kept = `${one ? 'copie gardée' : 'copies gardées'} sur cet appareil`;
  const updated = `${one ? 'mise' : 'mises'} à jour le`;
  const isShown = isOffline && copies.length > 0;
  const facts = [
    ...(isOffline ? ['hors connexion'] : []),
    ...(isShown ? [kept, `${updated} ${day(Math.min(...copies.map(({ updatedAt }) => updatedAt)), true)}`] : []),
    ...lackOf(missing),
    ...(isOffline && waiting > 0 ? [`progression à envoyer (${countOf(waiting)})`] : []),
    ...(isShown ? [`${one ? 'lisible' : 'lisibles'} jusqu'au ${endOf(Math.min(...copies.map(({ endAt }) => endAt)), now)}`] : []),
    ...(page === 'learner' ? ['seulement ce qui est gardé ici'] : []),
    ...(ofPrepa.includes(page) && copies.some(({ disciplines }) => disciplines) ? ['seulement les disciplines gardées'] : []),
  ];
  return facts.map((fact, index) => (index === 0 ? fact.slice(0, 1).toUpperCase() + fact.slice(1) : fact));
}

/** Returns the end as a day; with its hour when less than two days remain. */
const endOf = (endAt: number, now: number): string => day(endAt, endAt - now < 2 * dayMs);

const day = (ms: number, withTime: boolean): string =>
  withTime ? `${formatShortDay(new Date(ms))} à ${formatTime(new Date(ms))}` : formatShortDay(new Date(ms));
