import { formatBytes } from '../../../shared/bytes.ts';
import { formatDate } from '../../../shared/dates.ts';
import { maxDeviceName, maxDevicesPerPrepa, type SizesAnswer } from '../../../shared/offline/offline-copy.ts';
import { choiceOf, weightOf } from '../../../shared/offline/weight.ts';
import { lastSeen } from '../devices/device.service.ts';

/** The choice named in the URL. */
export interface AskedChoice {
  /** Ids of disciplines; empty: all. */
  disciplines: readonly number[];
  pictures: boolean;
  documents: boolean;
}

/** Returns the view data of the keeping page: sizes of each part, and which boxes are ticked. */
export function presentKeeping(sizes: SizesAnswer, asked: AskedChoice, now: Date) {
  const known = sizes.disciplines.map(({ id }) => id).filter((id) => asked.disciplines.includes(id));
  const choice = choiceOf(sizes, known.length > 0 ? known : sizes.disciplines.map(({ id }) => id), asked);
  const weight = weightOf(sizes, choice);
  const part = (what: { nombre: number }, octets: number, ticked: boolean, [one, many]: readonly [string, string]) =>
    what.nombre === 0 ? null : { count: `${what.nombre} ${what.nombre > 1 ? many : one}`, size: formatBytes(octets), ticked };
  return {
    prepa: sizes.prepa,
    end: formatDate(new Date(sizes.end)),
    texts: formatBytes(weight.textes),
    pictures: part(sizes.images, weight.images, asked.pictures, ['image', 'images']),
    remote:
      sizes.distantes === 0
        ? null
        : sizes.distantes === 1
          ? "1 image d'un autre site ne peut pas être gardée : elle demande du réseau."
          : `${sizes.distantes} images d'autres sites ne peuvent pas être gardées : elles demandent du réseau.`,
    documents: part(sizes.documents, weight.documents, asked.documents, ['document PDF', 'documents PDF']),
    disciplines: sizes.disciplines.map(({ id, nom, contenus }) => ({
      id,
      nom,
      count: `${contenus} ${contenus > 1 ? 'contenus' : 'contenu'}`,
      size: formatBytes(weightOf(sizes, { ...choice, disciplines: [id] }).total),
      ticked: choice.disciplines?.includes(id) ?? true,
    })),
    total: formatBytes(weight.total),
    devices: sizes.appareils.map(({ id, nom, depuis, vu }) => ({
      id,
      nom,
      since: formatDate(new Date(depuis)),
      seen: lastSeen(new Date(vu), now),
    })),
    maxDevices: maxDevicesPerPrepa,
    maxDeviceName,
    /** JSON for the script, which recalculates the sizes at every tick. */
    sizes: JSON.stringify(sizes),
  };
}
