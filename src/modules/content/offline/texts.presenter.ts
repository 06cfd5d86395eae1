import { createHash } from 'node:crypto';
import {
  type ItemChange,
  type KeptDiscipline,
  type KeptItem,
  offlineFormat,
  type SizesAnswer,
} from '../../../shared/offline/offline-copy.ts';
import { changeOf } from '../../../shared/offline/text-change.ts';
import { asRead } from '../../../shared/rich-text/as-read.ts';
import { presentDiscipline } from '../../catalogue/index.ts';
import { presentDocument } from '../items/item.presenter.ts';
import type { ChoiceVersions, KeptRow, OutlineRow, WeightRow } from './texts.repository.ts';

/** Of the versions of all that is chosen: another one as soon as anything of it changes. */
export function tagOfVersions({ prepaId, prepaVersion, disciplines }: ChoiceVersions): string {
  return createHash('sha256')
    .update(JSON.stringify([offlineFormat, prepaId, prepaVersion, disciplines]))
    .digest('base64url')
    .slice(0, 16);
}

/** Pictures are stored as `content/3f….webp`. */
const folder = 'content/';

/** A text names its pictures by `/media/content/…`; some are only an earlier version's. */
const shows = ({ contenu, corrige }: KeptRow, name: string): boolean => `${contenu}${corrige}`.includes(`/media/${name}`);

/** The pictures that the texts show now. */
export const shownPictures = (row: KeptRow) => row.pictures.filter(({ name }) => shows(row, name));

/**
 * Returns the disciplines with the ids and versions of their items.
 * @param found the versions of the items whose texts were read; null: the item has gone since the outline was read
 */
export function presentDisciplines(
  prepaId: number,
  rows: readonly OutlineRow[],
  found: ReadonlyMap<number, number | null>,
): KeptDiscipline[] {
  const disciplines = new Map<number, KeptDiscipline>();
  for (const { disciplineId: id, nom, description, image, itemId, version } of rows) {
    const discipline = disciplines.get(id) ?? {
      id,
      nom,
      description,
      image: presentDiscipline({ id, nom, description, image, prepaId }).image_url,
      items: [],
    };
    disciplines.set(id, discipline);
    const read = itemId === null ? null : (found.get(itemId) ?? (found.has(itemId) ? null : version));
    if (itemId !== null && read !== null) discipline.items.push({ id: itemId, version: read });
  }
  return [...disciplines.values()];
}

/** @param sizes of pictures by their stored names, in bytes; one that is missing is not kept */
export function presentKept(row: KeptRow, sizes: ReadonlyMap<string, number>): { item: KeptItem } | { change: ItemChange } {
  const { itemId: id, kind, titre, annee, duree, version, contenu, corrige, documents } = row;
  const pictures = shownPictures(row).flatMap(({ name }) => {
    const octets = sizes.get(name);
    return octets === undefined ? [] : [{ name: name.slice(folder.length), octets }];
  });
  const item = {
    id,
    kind,
    titre,
    annee,
    duree,
    version,
    contenu: asRead(contenu),
    corrige: corrige === null ? null : asRead(corrige),
    pictures,
    documents: documents.map(presentDocument),
  };
  const change = row.before && presentChange(item, row.before);
  return change ? { change } : { item };
}

/** What has changed of an item; null where that is not much shorter than the item itself. */
function presentChange(item: KeptItem, before: NonNullable<KeptRow['before']>): ItemChange | null {
  const contenu = changeOf(asRead(before.contenu), item.contenu);
  const corrige = item.corrige === null ? null : changeOf(asRead(before.corrige ?? ''), item.corrige);
  const [letters, all] = [contenu.texte.length + (corrige?.texte.length ?? 0), item.contenu.length + (item.corrige?.length ?? 0)];
  return letters <= all / 2 ? { ...item, contenu, corrige } : null;
}

/** What a choice weighs, but for the devices that keep it. */
export type Weights = Pick<SizesAnswer, 'textes' | 'images' | 'distantes' | 'documents' | 'disciplines'>;

/**
 * What texts take on their way, of what they take in their table: PostgreSQL compresses each by itself, the answer all of them together. Between 0.37 (formulas)
 * and 0.66 (plain text) was measured.
 */
const sentOfStored = 0.5;

/** @param pictures of each discipline, with their sizes in bytes; one that several disciplines show counts once in the whole  @param distantes pictures of other sites, each once */
export function weigh(
  rows: readonly WeightRow[],
  pictures: readonly { disciplineId: number; name: string; octets: number }[],
  distantes: number,
): Weights {
  const disciplines = rows.map(({ id, nom, contenus, stored, octets }) => ({
    id,
    nom,
    contenus,
    textes: Math.round(stored * sentOfStored),
    images: sum(pictures.filter(({ disciplineId }) => disciplineId === id).map((picture) => picture.octets)),
    documents: octets,
  }));
  const images = [...new Map(pictures.map(({ name, octets }) => [name, octets])).values()];
  return {
    textes: sum(disciplines.map(({ textes }) => textes)),
    images: { nombre: images.length, octets: sum(images) },
    distantes,
    documents: { nombre: sum(rows.map(({ documents }) => documents)), octets: sum(rows.map(({ octets }) => octets)) },
    disciplines,
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
