import type { ItemKind } from '../../../src/shared/item-kinds.ts';
import type { Answer } from '../../runtime/post.ts';
import { readDrafts } from '../items/draft-calls.ts';
import type { DraftSummary } from '../items/records.ts';

interface Found {
  /** The drafts of the discipline as they are now; null when they could not be read. */
  drafts: readonly DraftSummary[] | null;
  /** The draft that a request created whose response was lost; undefined when it created none. */
  lost?: DraftSummary | undefined;
  answer: Answer | null;
}

/**
 * Looks for the draft of a file that was created without this page being told: one that is not among those that the page knows.
 * @param source the name of the file, and its part
 */
export async function findLostDraft(
  disciplineId: number,
  { kind, source, known }: { kind: ItemKind; source: string; known: readonly DraftSummary[] },
): Promise<Found> {
  const answer = await readDrafts(disciplineId);
  if (!answer?.ok || !Array.isArray(answer.body)) return { drafts: null, answer };
  const drafts = answer.body as DraftSummary[];
  const ids = new Set(known.map(({ id }) => id));
  const lost = drafts.find((one) => one.type === kind && !one.publie && one.source === source && !ids.has(one.id));
  return { drafts, lost, answer };
}
