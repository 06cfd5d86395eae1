import { dayMs, formatShortDay, formatTime } from '../../../src/shared/dates.ts';
import type { Missing } from '../kept-files.ts';
import { lackOf } from '../lack.ts';
import type { Copy } from '../store/store.ts';
import { countOf } from '../waiting.ts';
import type { KeptAddress } from './address.ts';

/** What a page of what is kept says of itself. */
export interface KeptState {
  /** Those that it shows something of. */
  copies: readonly Pick<Copy, 'updatedAt' | 'endAt' | 'disciplines'>[];
  page: KeptAddress['page'];
  isOffline: boolean;
  /** Items with which something was done that the server has not heard of. */
  waiting: number;
  /** Files of these copies that are not here. */
  missing: Missing;
  now: number;
}

/** Pages of a whole prepa: where only some of its disciplines are kept, they do without the others. */
const ofPrepa: KeptAddress['page'][] = ['disciplines', 'search'];

/** In few words, the most important first. */
export function factsOf({ copies, page, isOffline, waiting, missing, now }: KeptState): string[] {
  const one = copies.length === 1;
  const kept = `${one ? 'copie gardée' : 'copies gardées'} sur cet appareil`;
  const updated = `${one ? 'mise' : 'mises'} à jour le`;
  const facts = [
    ...(isOffline ? ['hors connexion'] : []),
    ...(copies.length === 0 ? [] : [kept, `${updated} ${day(Math.min(...copies.map(({ updatedAt }) => updatedAt)), true)}`]),
    ...lackOf(missing),
    ...(waiting > 0 ? [`progression à envoyer (${countOf(waiting)})`] : []),
    ...(copies.length === 0
      ? []
      : [`${one ? 'lisible' : 'lisibles'} jusqu'au ${endOf(Math.min(...copies.map(({ endAt }) => endAt)), now)}`]),
    ...(page === 'again' ? ['seulement ce qui est gardé ici'] : []),
    ...(ofPrepa.includes(page) && copies.some(({ disciplines }) => disciplines) ? ['seulement les disciplines gardées'] : []),
  ];
  return facts.map((fact, index) => (index === 0 ? fact.slice(0, 1).toUpperCase() + fact.slice(1) : fact));
}

/** Near the end, its hour matters. */
const endOf = (endAt: number, now: number): string => day(endAt, endAt - now < 2 * dayMs);

const day = (ms: number, withTime: boolean): string =>
  withTime ? `${formatShortDay(new Date(ms))} à ${formatTime(new Date(ms))}` : formatShortDay(new Date(ms));
