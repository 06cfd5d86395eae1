import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { notFound } from '../../../platform/errors.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { Prepa } from '../../catalogue/index.ts';
import { type Actor, recordChange } from '../../identity/index.ts';
import { Concours } from './concours.entity.ts';

/**
 * Sets the day of a prepa's concours.
 * @param day `2026-12-21` in Africa/Douala; null removes it
 * @throws AppError 404
 */
export const setConcours = (em: EntityManager, context: UseCaseContext, actor: Actor, prepaId: number, day: string | null): Promise<void> =>
  transact(em, context, async (tx) => {
    const prepa = await tx.findOne(Prepa, { id: prepaId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!prepa) throw notFound("Cette préparation n'existe pas ou n'existe plus.");
    const concours = await tx.findOne(Concours, { prepa: prepaId });
    const before = concours?.day ?? null;
    if (before === day) return;
    if (day === null) await tx.nativeDelete(Concours, { prepa: prepaId });
    else await tx.upsert(Concours, { prepa: prepaId, day });
    await recordChange(tx, context, actor, {
      action: 'updated',
      subject: 'prepa',
      subjectId: prepaId,
      label: prepa.nom,
      before: { concours: before },
      after: { concours: day },
    });
  });
