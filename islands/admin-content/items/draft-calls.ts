import type { ItemKind } from '../../../src/shared/item-kinds.ts';
import { type Answer, call } from '../../runtime/post.ts';
import { type ItemBody, pathOf, type SaveAnswer, type SavedItem, saveTimeoutMs } from './calls.ts';
import { type DraftSummary, itemOfDraft, type KeptDraft } from './records.ts';

export const draftAddress = (id: number): string => `/api/brouillons/${id}`;

/** Response of a save of a draft. `current` is the stored draft, if somebody else has saved it. */
export type DraftAnswer = Answer<{ brouillon: KeptDraft; remarques: string[]; current: KeptDraft; changedBy: string }>;

export const readDrafts = (disciplineId: number) => call<DraftSummary[]>('GET', `/api/brouillons/discipline/${disciplineId}`);
export const readDraft = (id: number) => call<KeptDraft>('GET', draftAddress(id));

interface Import {
  /** Name of the imported file. */
  source?: string;
  /** Parts of the file that could not be kept. */
  remarques?: readonly string[];
}

export const createDraft = (kind: ItemKind, body: ItemBody & { discipline_id: number }, from: Import = {}): Promise<DraftAnswer | null> =>
  call('POST', pathOf(kind), { ...body, ...from, brouillon: true }, saveTimeoutMs);

/**
 * Keeps the text of an item on the server, unpublished.
 * @param from the draft's revision on which the text is based, null for the first one, and the version of the published item
 */
export const keepOnServer = (
  id: number,
  body: ItemBody & Pick<Import, 'remarques'>,
  from: { revision: number | null; version?: number },
): Promise<DraftAnswer | null> => call('PUT', draftAddress(id), { ...body, ...from }, saveTimeoutMs);

/** Saves the draft of a new item. Returns the response of a save of an item. */
export async function saveDraft(id: number, body: ItemBody & Pick<Import, 'remarques'>, revision: number): Promise<SaveAnswer | null> {
  const answer = await keepOnServer(id, body, { revision });
  if (!answer) return null;
  const { brouillon, remarques = [], current, ...others } = answer.body;
  const saved: Partial<SavedItem> = brouillon ? { ...itemOfDraft(brouillon), remarques } : {};
  return { ...answer, body: { ...others, ...saved, ...(current && { current: itemOfDraft(current) }) } };
}
