import type { EntityManager } from '@mikro-orm/postgresql';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import type { SizesAnswer } from '../../../shared/offline/offline-copy.ts';
import { listKeeping } from './device.repository.ts';
import { type OfflineTexts, readableVersions } from './texts.service.ts';

/** What a prepa weighs on a device, and which devices of the learner keep it. @throws AppError 404, 403 */
export async function readSizes(
  em: EntityManager,
  context: UseCaseContext,
  texts: OfflineTexts,
  userId: string,
  prepaId: number,
): Promise<SizesAnswer> {
  const choice = { id: prepaId, disciplines: null };
  const versions = await readableVersions(em, userId, context.clock.now(), choice);
  const [{ weights }, devices] = await Promise.all([
    texts.compressed(em, context, choice, versions, 'br'),
    listKeeping(em, userId, prepaId, 0),
  ]);
  return {
    prepa: { id: prepaId, nom: versions.prepaNom },
    end: versions.end.getTime(),
    ...weights,
    appareils: devices.map(({ id, nom, keptAt, seenAt }) => ({ id, nom, depuis: keptAt.getTime(), vu: seenAt.getTime() })),
  };
}
