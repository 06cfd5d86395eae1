import type { EntityManager } from '@mikro-orm/postgresql';
import { LRUCache } from 'lru-cache';
import { ReadCache } from '../../../platform/database/read-cache.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import type { SizesAnswer } from '../../../shared/offline/offline-copy.ts';
import { weightOf } from '../../../shared/offline/weight.ts';
import { listKeeping } from '../devices/device.repository.ts';
import { countRemotePictures, listFiles } from '../texts/outline.repository.ts';
import { findPieceSizes } from '../texts/piece.repository.ts';
import { piecesOf } from '../texts/pieces.ts';
import { tagOfVersions, weigh } from '../texts/texts.presenter.ts';
import { readableVersions, readOutlines } from '../texts/texts.service.ts';
import type { Choice } from '../texts/versions.repository.ts';

/** Number of pictures from other sites, by the tag of a prepa's versions. Cached, because counting reads all texts. */
const remoteCounts = new ReadCache<string, number, { em: EntityManager; choice: Choice }>({
  max: 1_000,
  fetchMethod: (_tag, _stale, { context: { em, choice } }) => countRemotePictures(em, choice),
});

/** Download size of each prepa with its pictures and without documents, as last read. */
const downloads = new LRUCache<number, number>({ max: 1_000, ttl: 10 * 60_000 });

/**
 * Returns the download size that the keeping page shows first, in bytes; null when it was not read in the last minutes. Reading it takes
 * several statements (`readSizes`).
 */
export const knownDownload = (prepaId: number): number | null => downloads.get(prepaId) ?? null;

/**
 * Returns the download size of a prepa, and the learner's devices that keep it. Sizes of texts that are not compressed yet are estimated.
 * @throws AppError 404, 403
 */
export async function readSizes(em: EntityManager, context: UseCaseContext, userId: string, prepaId: number): Promise<SizesAnswer> {
  const choice = { id: prepaId, disciplines: null };
  const versions = await readableVersions(em, userId, context.clock.now(), choice);
  const outlines = await readOutlines(em, context, choice, versions);
  const [compressed, files, distantes = 0, devices] = await Promise.all([
    findPieceSizes(em, outlines.flatMap(piecesOf)),
    listFiles(em, choice),
    remoteCounts.fetch(tagOfVersions(versions), { context: { em, choice } }),
    listKeeping(em, userId, prepaId, 0),
  ]);
  const weights = weigh(outlines, files, compressed, distantes);
  downloads.set(prepaId, weightOf(weights, { disciplines: null, pictures: true, documents: false }).total);
  return {
    prepa: { id: prepaId, nom: versions.prepaNom },
    end: versions.end.getTime(),
    ...weights,
    appareils: devices.map(({ id, nom, keptAt, seenAt }) => ({ id, nom, depuis: keptAt.getTime(), vu: seenAt.getTime() })),
  };
}
