import type { ItemKind } from '../../../src/shared/item-kinds.ts';
import { type Answer, call } from '../../runtime/post.ts';
import { saveTimeoutMs } from '../items/calls.ts';

export interface Query {
  texte: string;
  accents: boolean;
  casse: boolean;
  mots_entiers: boolean;
  formules: boolean;
}

/** A published text or a draft with matches. */
export interface Found {
  id: number;
  type: ItemKind;
  titre: string;
  /** '' if there is none. */
  intitule: string;
  numero_page: number | null;
  annee: string | null;
  brouillon: boolean;
  /** Version of a published text, revision of a draft. */
  revision: number;
  saved_by: string | null;
  trouves: number;
  extraits: { avant: string; trouve: string; apres: string }[];
}

export interface Outcome {
  id: number;
  brouillon: boolean;
  remplaces: number;
  message?: string;
}

/** Most contents that one request changes. */
const perRequest = 10;

interface Lot {
  contenus: Found[];
  lus: number;
  suite: number | null;
}

/**
 * Searches a discipline, one request after the other.
 * @param onProgress called with the number of contents searched so far; false ends the search
 * @returns the contents with matches; or the failed response, null if none arrived
 */
export async function searchAll(
  discipline_id: number,
  query: Query,
  onProgress: (read: number) => boolean,
): Promise<{ found: Found[] } | { failed: Answer | null }> {
  const found: Found[] = [];
  let read = 0;
  for (let apres: number | null = 0; apres !== null; ) {
    const answer: Answer<Lot> | null = await call<Lot>(
      'POST',
      '/api/contenus/recherche',
      { ...query, discipline_id, apres },
      saveTimeoutMs,
    );
    const { contenus, lus = 0, suite = null }: Partial<Lot> = answer?.body ?? {};
    if (!answer?.ok || !contenus) return { failed: answer };
    found.push(...contenus);
    read += lus;
    apres = suite;
    if (!onProgress(read)) break;
  }
  return { found };
}

/**
 * Replaces in these contents, a few in each request; a draft goes with its published text.
 * @param onDone called with the outcomes of each request
 * @returns the failed response (null if none arrived), or undefined when all have an outcome
 */
export async function replaceAll(
  query: Query,
  remplacement: string,
  contents: readonly Found[],
  onDone: (outcomes: readonly Outcome[]) => void,
): Promise<Answer | null | undefined> {
  let left = [...contents];
  while (left.length > 0) {
    // One less where a published text would be parted from its draft.
    const parted = left[perRequest - 1]?.id === left[perRequest]?.id && left.length > perRequest;
    const lot = left.slice(0, parted ? perRequest - 1 : perRequest);
    const contenus = lot.map(({ id, brouillon, revision }) => ({ id, brouillon, revision }));
    const answer = await call<Outcome[]>('POST', '/api/contenus/remplacement', { ...query, remplacement, contenus }, saveTimeoutMs);
    if (!answer?.ok || !Array.isArray(answer.body) || answer.body.length === 0) return answer;
    const outcomes = answer.body as Outcome[];
    left = left.filter((one) => !outcomes.some((other) => isSame(one, other)));
    onDone(outcomes);
  }
  return undefined;
}

export const isSame = (one: Pick<Found, 'id' | 'brouillon'>, other: Pick<Found, 'id' | 'brouillon'>): boolean =>
  one.id === other.id && one.brouillon === other.brouillon;
