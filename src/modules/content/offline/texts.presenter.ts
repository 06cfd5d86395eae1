import { createHash } from 'node:crypto';
import {
  type ItemChange,
  type KeptDiscipline,
  type KeptItem,
  offlineFormat,
  type SizesAnswer,
  type TextsAnswer,
} from '../../../shared/offline/offline-copy.ts';
import { changeOf } from '../../../shared/offline/text-change.ts';
import { asRead } from '../../../shared/rich-text/as-read.ts';
import { presentDiscipline } from '../../catalogue/index.ts';
import { presentDocument } from '../items/item.presenter.ts';
import type { ChoiceVersions, KeptRow } from './texts.repository.ts';

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

/** @param sizes of pictures by their stored names; one that is missing is not kept */
export function presentTexts(versions: ChoiceVersions, rows: readonly KeptRow[], sizes: ReadonlyMap<string, number>): TextsAnswer {
  const disciplines = new Map<number, KeptDiscipline>();
  const items: KeptItem[] = [];
  const changes: ItemChange[] = [];
  for (const row of rows) {
    const { disciplineId: id, nom, description, image, itemId, version } = row;
    const discipline = disciplines.get(id) ?? { id, nom, description, image: null, items: [] };
    discipline.image = presentDiscipline({ id, nom, description, image, prepaId: versions.prepaId ?? 0 }).image_url;
    disciplines.set(id, discipline);
    if (itemId === null) continue;
    discipline.items.push({ id: itemId, version });
    if (!row.changed) continue;
    const item = presentKept(itemId, row, sizes);
    const change = row.before && presentChange(item, row.before);
    if (change) changes.push(change);
    else items.push(item);
  }
  return {
    format: offlineFormat,
    prepa: { id: versions.prepaId ?? 0, nom: versions.prepaNom },
    tag: tagOfVersions(versions),
    disciplines: [...disciplines.values()],
    items,
    ...(changes.length > 0 && { changes }),
  };
}

/** What has changed of an item; null where that is not much shorter than the item itself. */
function presentChange(item: KeptItem, before: NonNullable<KeptRow['before']>): ItemChange | null {
  const contenu = changeOf(asRead(before.contenu), item.contenu);
  const corrige = item.corrige === null ? null : changeOf(asRead(before.corrige ?? ''), item.corrige);
  const [letters, all] = [contenu.texte.length + (corrige?.texte.length ?? 0), item.contenu.length + (item.corrige?.length ?? 0)];
  return letters <= all / 2 ? { ...item, contenu, corrige } : null;
}

function presentKept(id: number, row: KeptRow, sizes: ReadonlyMap<string, number>): KeptItem {
  const { kind, titre, annee, duree, version, contenu, corrige, documents } = row;
  const pictures = shownPictures(row).flatMap(({ name }) => {
    const octets = sizes.get(name);
    return octets === undefined ? [] : [{ name: name.slice(folder.length), octets }];
  });
  return {
    id,
    kind,
    titre,
    annee,
    duree,
    version,
    contenu: asRead(contenu ?? ''),
    corrige: corrige === null ? null : asRead(corrige),
    pictures,
    documents: documents.map(presentDocument),
  };
}

/** What a choice weighs, but for the devices that keep it. */
export type Weights = Pick<SizesAnswer, 'textes' | 'images' | 'distantes' | 'documents' | 'disciplines'>;

/** @param compressed the whole answer's size as it travels, in bytes; of each discipline its share by letters is estimated */
export function weigh({ disciplines, items }: TextsAnswer, compressed: number): Weights {
  const lettersOf = ({ contenu, corrige }: KeptItem): number => contenu.length + (corrige?.length ?? 0);
  const all = Math.max(1, sum(items.map(lettersOf)));
  const picturesOf = (some: readonly KeptItem[]) => [
    ...new Map(some.flatMap(({ pictures }) => pictures).map(({ name, octets }) => [name, octets])).values(),
  ];
  const documentsOf = (some: readonly KeptItem[]) => some.flatMap(({ documents }) => documents).map(({ octets }) => octets);
  const tally = (octets: number[]) => ({ nombre: octets.length, octets: sum(octets) });
  const byId = new Map(items.map((item) => [item.id, item]));
  return {
    textes: compressed,
    images: tally(picturesOf(items)),
    distantes: remotePictures(items),
    documents: tally(documentsOf(items)),
    disciplines: disciplines.map(({ id, nom, items: listed }) => {
      const own = listed.flatMap((item) => byId.get(item.id) ?? []);
      const textes = Math.round((compressed * sum(own.map(lettersOf))) / all);
      return { id, nom, contenus: own.length, textes, images: sum(picturesOf(own)), documents: sum(documentsOf(own)) };
    }),
  };
}

/** How many pictures of other sites texts show, each address once. */
const remotePictures = (items: readonly KeptItem[]): number =>
  new Set(items.flatMap(({ contenu, corrige }) => `${contenu}${corrige ?? ''}`.match(/<img src="https?:[^"]*/gi) ?? [])).size;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
