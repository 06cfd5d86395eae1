import { createHash } from 'node:crypto';
import { type ItemChange, type KeptItem, offlineFormat, type SizesAnswer, type TextsAnswer } from '../../../shared/offline/offline-copy.ts';
import { changeOf } from '../../../shared/offline/text-change.ts';
import { withoutUnusable } from '../../../shared/questions/question-html.ts';
import { asRead } from '../../../shared/rich-text/as-read.ts';
import { presentDiscipline } from '../../catalogue/index.ts';
import { presentDocument } from '../../content/index.ts';
import { keptAsRead } from './kept-as-read.ts';
import type { DisciplineFiles, DisciplineOutline, KeptRow } from './outline.repository.ts';
import { piecesOf } from './pieces.ts';
import type { ChoiceVersions } from './versions.repository.ts';

/** Increase it when devices must compare their items with the server's again, although no item has changed. */
const comparison = 2;

/** Returns a hash of the versions of a choice, which changes with any part of the choice. */
export function tagOfVersions({ prepaId, prepaVersion, disciplines }: ChoiceVersions): string {
  return createHash('sha256')
    .update(JSON.stringify([offlineFormat, comparison, prepaId, prepaVersion, disciplines]))
    .digest('base64url')
    .slice(0, 16);
}

/** Folder of pictures: they are stored as `content/3f….webp`. */
const folder = 'content/';

/** Returns whether an item's current texts show a picture (`/media/content/…`). Other pictures belong to earlier versions. */
const shows = ({ contenu, corrige, keys }: KeptRow, name: string): boolean =>
  `${contenu}${corrige}${JSON.stringify(keys)}`.includes(`/media/${name}`);

/**
 * Returns an item as devices keep it, but with its stored texts (see `keptAsRead`). Questions with a fault, which learners do not see, and
 * pictures with missing files are left out.
 */
export function itemToKeep(row: KeptRow): KeptItem {
  const { id, kind, titre, annee, duree, version, contenu, corrige, documents, keys } = row;
  const pictures = row.pictures.flatMap(({ name, octets }) =>
    octets === null || !shows(row, name) ? [] : [{ name: name.slice(folder.length), octets }],
  );
  return {
    id,
    kind,
    titre,
    annee,
    duree,
    version,
    contenu: withoutUnusable(contenu),
    corrige,
    pictures,
    documents: documents.map(presentDocument),
    ...(keys && { keys }),
  };
}

/**
 * Returns outlines with the versions of the items whose texts were read, and without items deleted meanwhile.
 * @param asked items whose texts were to be read; other items stay unchanged
 */
export function asFound(
  outlines: readonly DisciplineOutline[],
  asked: readonly { id: number }[],
  found: readonly { id: number; version: number }[],
): DisciplineOutline[] {
  const [ids, versions] = [new Set(asked.map(({ id }) => id)), new Map(found.map(({ id, version }) => [id, version]))];
  return outlines.map((outline) => ({
    ...outline,
    items: outline.items.flatMap((item) => {
      const version = ids.has(item.id) ? versions.get(item.id) : item.version;
      return version === undefined ? [] : [{ ...item, version }];
    }),
  }));
}

/** Returns the response with texts, without its items and changes. */
function presentOutlines(versions: ChoiceVersions, outlines: readonly DisciplineOutline[]): Omit<TextsAnswer, 'items' | 'changes'> {
  return {
    format: offlineFormat,
    prepa: { id: versions.prepaId ?? 0, nom: versions.prepaNom },
    tag: tagOfVersions(versions),
    disciplines: outlines.map(({ id, nom, description, image, items }) => ({
      id,
      nom,
      description,
      image: presentDiscipline({ id, nom, description, image, prepaId: versions.prepaId ?? 0 }).image_url,
      items: items.map(({ id, version }) => ({ id, version })),
    })),
  };
}

/** Returns the JSON of a response with texts in two parts: before its items, and after them. */
export function aroundItems(versions: ChoiceVersions, outlines: readonly DisciplineOutline[]): [head: string, tail: string] {
  const answer = JSON.stringify({ ...presentOutlines(versions, outlines), items: [] } satisfies TextsAnswer);
  return [answer.slice(0, -tail.length), tail];
}

const tail = ']}';

/** Returns the response with a difference. @param rows the items that the device does not hold in their current version */
export function presentDifference(versions: ChoiceVersions, outlines: readonly DisciplineOutline[], rows: readonly KeptRow[]): TextsAnswer {
  const items: KeptItem[] = [];
  const changes: ItemChange[] = [];
  for (const row of rows) {
    const item = keptAsRead(itemToKeep(row));
    const change = row.before && presentChange(item, row.before);
    if (change) changes.push(change);
    else items.push(item);
  }
  return { ...presentOutlines(versions, outlines), items, ...(changes.length > 0 && { changes }) };
}

/** Returns the changes of an item's texts; null when they are longer than half of the texts. */
function presentChange(item: KeptItem, before: NonNullable<KeptRow['before']>): ItemChange | null {
  const contenu = changeOf(asRead(withoutUnusable(before.contenu)), item.contenu);
  const corrige = item.corrige === null ? null : changeOf(asRead(before.corrige ?? ''), item.corrige);
  const [letters, all] = [contenu.texte.length + (corrige?.texte.length ?? 0), item.contenu.length + (item.corrige?.length ?? 0)];
  return letters <= all / 2 ? { ...item, contenu, corrige } : null;
}

/** Expected compression ratio of texts that are not compressed yet: the median of the demonstration's texts. */
const expectedRatio = 8;

/** Download sizes of a choice. */
export type Weights = Pick<SizesAnswer, 'textes' | 'images' | 'distantes' | 'documents' | 'disciplines'>;

/** Returns the sizes of a choice. @param compressed sizes of stored pieces by fingerprint, in bytes; missing ones are estimated */
export function weigh(
  outlines: readonly DisciplineOutline[],
  files: readonly DisciplineFiles[],
  compressed: ReadonlyMap<string, number>,
  distantes: number,
): Weights {
  const pieces = outlines.flatMap(piecesOf).map((piece) => ({ ...piece, octets: sum(piece.items.map(({ octets }) => octets)) }));
  const made = pieces.filter(({ fingerprint }) => compressed.has(fingerprint));
  const ratio = made.length > 0 ? Math.max(1, sum(made.map(({ octets }) => octets))) / sum([...compressed.values()]) : expectedRatio;
  const textsOf = (id: number): number =>
    sum(
      pieces
        .filter(({ disciplineId }) => disciplineId === id)
        .map(({ fingerprint, octets }) => compressed.get(fingerprint) ?? Math.round(octets / ratio)),
    );
  const disciplines = outlines.map(({ id, nom, items }) => {
    const { pictures = [], documents = [] } = files.find((found) => found.id === id) ?? {};
    const images = sum(pictures.map(({ octets }) => octets));
    return { id, nom, contenus: items.length, textes: textsOf(id), images, documents: sum(documents) };
  });
  const tally = (octets: number[]) => ({ nombre: octets.length, octets: sum(octets) });
  return {
    textes: sum(disciplines.map(({ textes }) => textes)),
    images: tally([...new Map(files.flatMap(({ pictures }) => pictures).map(({ name, octets }) => [name, octets])).values()]),
    distantes,
    documents: tally(files.flatMap(({ documents }) => documents)),
    disciplines,
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
