import type { EntityManager } from '@mikro-orm/postgresql';
import type { UseCaseContext } from '../../../../platform/use-cases/events.ts';
import { transact } from '../../../../platform/use-cases/transaction.ts';
import { type Actor, recordUpdates } from '../../../identity/index.ts';
import { invalidItem } from '../item.errors.ts';
import { indexEach } from '../item-words.ts';
import { disciplineGone } from '../saves/item.service.ts';
import { findPlaces, lockPlaces, moveRows, outsideDiagnostics, saidMoves } from './move.repository.ts';

/** Outcome of a move. */
export interface Moved {
  /** Ids that are in the discipline now, also those that were there before. */
  moved: number[];
  /** Ids of neither an item nor a draft: somebody has deleted them. */
  missing: number[];
}

/**
 * Moves items and drafts to the end of the lists of another discipline, in the order of their lists. A published item and its draft move
 * together. Versions, documents and the learners' marks stay with the item; nobody is notified. Moving again changes nothing.
 * @param ids of items and drafts, at most `mostMoved`
 * @throws AppError 400 for an unknown discipline, 401
 */
export async function moveToDiscipline(
  em: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  { ids, disciplineId }: { ids: readonly number[]; disciplineId: number },
): Promise<Moved> {
  for (;;) {
    const outcome = await transact(em, context, async (tx) => {
      const seen = await findPlaces(tx, ids);
      const disciplines = [...new Set([disciplineId, ...seen.map((place) => place.disciplineId)])];
      const locked = await lockPlaces(tx, disciplines, ids);
      if (!locked.has(disciplineId)) throw invalidItem([disciplineGone]);
      const places = await findPlaces(tx, ids);
      // Somebody has moved one of them while this transaction waited: its discipline is not locked.
      if (places.some((place) => !locked.has(place.disciplineId))) return null;
      const leaving = places.filter((place) => place.disciplineId !== disciplineId);
      if (leaving.length > 0) {
        const moving = [...new Set(leaving.map(({ id }) => id))];
        const sources = [...new Set(leaving.map((place) => place.disciplineId))];
        await recordUpdates(tx, context, actor, saidMoves, [disciplineId, `{${moving}}`]);
        await moveRows(tx, { ids: moving, sources, disciplineId });
        await outsideDiagnostics(tx, moving, disciplineId);
        await indexEach(tx, moving);
      }
      const there = new Set(places.map(({ id }) => id));
      return { moved: [...there], missing: [...new Set(ids)].filter((id) => !there.has(id)) };
    });
    if (outcome) return outcome;
  }
}
