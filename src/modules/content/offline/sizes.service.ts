import type { EntityManager } from '@mikro-orm/postgresql';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import type { SizesAnswer } from '../../../shared/offline/offline-copy.ts';
import { listKeeping } from './device.repository.ts';
import { measurePictures } from './picture-sizes.ts';
import { weigh } from './texts.presenter.ts';
import { listShownPictures, listWeights } from './texts.repository.ts';
import { readableVersions } from './texts.service.ts';

/** Returns what a prepa weighs on a device, and which devices of the learner keep it. Reads no text. @throws AppError 404, 403 */
export async function readSizes(em: EntityManager, context: UseCaseContext, userId: string, prepaId: number): Promise<SizesAnswer> {
  const choice = { id: prepaId, disciplines: null };
  const { prepaNom, end } = await readableVersions(em, userId, context.clock.now(), choice);
  const [rows, pictures, devices] = await Promise.all([
    listWeights(em, choice),
    listShownPictures(em, choice),
    listKeeping(em, userId, prepaId, 0),
  ]);
  const sizes = await measurePictures(em, context.files, pictures);
  const measured = pictures.flatMap(({ disciplineId, name }) => {
    const octets = sizes.get(name);
    return octets === undefined ? [] : [{ disciplineId, name, octets }];
  });
  return {
    prepa: { id: prepaId, nom: prepaNom },
    end: end.getTime(),
    ...weigh(rows, measured),
    appareils: devices.map(({ id, nom, keptAt }) => ({ id, nom, depuis: keptAt.getTime() })),
  };
}
