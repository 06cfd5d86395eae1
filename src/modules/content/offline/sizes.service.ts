import type { EntityManager } from '@mikro-orm/postgresql';
import { LRUCache } from 'lru-cache';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import type { SizesAnswer } from '../../../shared/offline/offline-copy.ts';
import { listKeeping } from './device.repository.ts';
import { measurePictures } from './picture-sizes.ts';
import { tagOfVersions, type Weights, weigh } from './texts.presenter.ts';
import { type Choice, countRemotePictures, listShownPictures, listWeights } from './texts.repository.ts';
import { readableVersions } from './texts.service.ts';

/** Prepas whose weights are remembered, by their versions. */
const rememberedPrepas = 1_000;

/** What prepas weigh on a device, counted once after each change of theirs, by the database alone. */
export class PrepaSizes {
  readonly #weights = new LRUCache<string, Weights>({ max: rememberedPrepas });

  /** Returns what a prepa weighs, and which devices of the learner keep it. @throws AppError 404, 403 */
  async read(em: EntityManager, context: UseCaseContext, userId: string, prepaId: number): Promise<SizesAnswer> {
    const choice = { id: prepaId, disciplines: null };
    const versions = await readableVersions(em, userId, context.clock.now(), choice);
    const tag = tagOfVersions(versions);
    const [weights, devices] = await Promise.all([
      this.#weights.get(tag) ?? countWeights(em, context, choice),
      listKeeping(em, userId, prepaId, 0),
    ]);
    this.#weights.set(tag, weights);
    return {
      prepa: { id: prepaId, nom: versions.prepaNom },
      end: versions.end.getTime(),
      ...weights,
      appareils: devices.map(({ id, nom, keptAt, seenAt }) => ({ id, nom, depuis: keptAt.getTime(), vu: seenAt.getTime() })),
    };
  }
}

async function countWeights(em: EntityManager, { files }: UseCaseContext, choice: Choice): Promise<Weights> {
  const [rows, pictures, remote] = await Promise.all([
    listWeights(em, choice),
    listShownPictures(em, choice),
    countRemotePictures(em, choice),
  ]);
  const sizes = await measurePictures(em, files, pictures);
  const measured = pictures.flatMap(({ disciplineId, name }) => {
    const octets = sizes.get(name);
    return octets === undefined ? [] : [{ disciplineId, name, octets }];
  });
  return weigh(rows, measured, remote);
}
