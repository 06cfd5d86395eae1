import { createHash } from 'node:crypto';
import { type ItemChange, type KeptItem, offlineFormat, type SizesAnswer, type TextsAnswer } from '../../../shared/offline/offline-copy.ts';
import { changeOf } from '../../../shared/offline/text-change.ts';
import { asRead, itemAsRead } from '../../../shared/rich-text/as-read.ts';
import { presentDiscipline } from '../../catalogue/index.ts';
import { presentDocument } from '../../content/index.ts';
import type { DisciplineFiles, DisciplineOutline, KeptRow } from './outline.repository.ts';
import { piecesOf } from './pieces.ts';
import type { ChoiceVersions } from './versions.repository.ts';

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

/** An item as a device keeps it, but with its texts as stored (`itemAsRead`); a picture that is missing is left out. */
export function itemToKeep(row: KeptRow): KeptItem {
  const { id, kind, titre, annee, duree, version, contenu, corrige, documents } = row;
  const pictures = row.pictures.flatMap(({ name, octets }) =>
    octets === null || !shows(row, name) ? [] : [{ name: name.slice(folder.length), octets }],
  );
  return { id, kind, titre, annee, duree, version, contenu, corrige, pictures, documents: documents.map(presentDocument) };
}

/**
 * Outlines whose items were read with their texts: with the versions that came, and without those that have gone meanwhile.
 * @param asked what was to be read; all else stays as it is
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

/** All of an answer but its items and changes. */
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

/** JSON of an answer with texts: what stands before its items, and after them. */
export function aroundItems(versions: ChoiceVersions, outlines: readonly DisciplineOutline[]): [head: string, tail: string] {
  const answer = JSON.stringify({ ...presentOutlines(versions, outlines), items: [] } satisfies TextsAnswer);
  return [answer.slice(0, -tail.length), tail];
}

const tail = ']}';

/** @param rows of the items that the device does not hold as they are */
export function presentDifference(versions: ChoiceVersions, outlines: readonly DisciplineOutline[], rows: readonly KeptRow[]): TextsAnswer {
  const items: KeptItem[] = [];
  const changes: ItemChange[] = [];
  for (const row of rows) {
    const item = itemAsRead(itemToKeep(row));
    const change = row.before && presentChange(item, row.before);
    if (change) changes.push(change);
    else items.push(item);
  }
  return { ...presentOutlines(versions, outlines), items, ...(changes.length > 0 && { changes }) };
}

/** What has changed of an item; null where that is not much shorter than the item itself. */
function presentChange(item: KeptItem, before: NonNullable<KeptRow['before']>): ItemChange | null {
  const contenu = changeOf(asRead(before.contenu), item.contenu);
  const corrige = item.corrige === null ? null : changeOf(asRead(before.corrige ?? ''), item.corrige);
  const [letters, all] = [contenu.texte.length + (corrige?.texte.length ?? 0), item.contenu.length + (item.corrige?.length ?? 0)];
  return letters <= all / 2 ? { ...item, contenu, corrige } : null;
}

/** Bytes of a text that is not compressed yet, for each that it will take: of the demonstration's, the median. */
const expectedRatio = 8;

/** What a choice weighs, but for the devices that keep it. */
export type Weights = Pick<SizesAnswer, 'textes' | 'images' | 'distantes' | 'documents' | 'disciplines'>;

/** @param compressed sizes of pieces, in bytes, by their fingerprints; of those that are not made yet they are estimated */
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
