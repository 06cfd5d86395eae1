import { call } from '../../runtime/post.ts';
import { type SaveAnswer, saveTimeoutMs } from '../items/calls.ts';
import { draftAddress } from '../items/draft-calls.ts';
import type { DraftSummary, KeptDraft } from '../items/records.ts';

/** @param revision the draft that is shown here: another one is not published */
export const publishDraft = (id: number, revision: number): Promise<SaveAnswer | null> =>
  call('POST', `${draftAddress(id)}/publication`, { revision }, saveTimeoutMs);

/** @param publication ISO 8601; null for no date */
export const planDraft = (id: number, publication: string | null, revision: number) =>
  call<KeptDraft>('PUT', `${draftAddress(id)}/publication`, { publication, revision });

export interface Outcome {
  id: number;
  publie: boolean;
  message?: string;
  errors?: { message: string }[];
}

/** Most drafts that one request publishes: hundreds could take longer than its timeout. */
export const draftsPerRequest = 20;

/** Publishes drafts in this order, as far as they are still the ones shown here. */
export const publishDrafts = (drafts: readonly DraftSummary[]) =>
  call<Outcome[]>(
    'POST',
    '/api/brouillons/publication',
    { ids: drafts.map(({ id }) => id), vus: drafts.map(({ revision, version }) => ({ revision, version })) },
    saveTimeoutMs,
  );
