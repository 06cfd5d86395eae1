import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError, notFound } from '../../../platform/errors.ts';
import { acceptsEncoding, encodeText, encodingFor, type TextEncoding } from '../../../platform/http/text-encoding.ts';
import { compressedPiece, gzipMember, type Piece, storedAgain, storedPiece } from '../../../platform/pages/gzip-member.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { inTurn } from '../../../platform/work/in-turn.ts';
import { findDisciplineHead } from '../../content/index.ts';
import { type DisciplineOutline, isAsListed, type KeptRow, listOutlines, listTexts, measurePictures } from './outline.repository.ts';
import { dropOutdated, findPieces, keepPiece } from './piece.repository.ts';
import { deflateItems } from './piece-maker.ts';
import { type PieceOutline, piecesOf } from './pieces.ts';
import { aroundItems, asFound, itemToKeep, presentDifference } from './texts.presenter.ts';
import { type Choice, type ChoiceVersions, findVersions } from './versions.repository.ts';

type Files = Pick<UseCaseContext, 'files'>;

/** Number of stored pieces read per query. */
const readAtOnce = 8;
/** Maximum pause between two pieces that are made, in ms. */
const maxPauseMs = 100;
/** Up to this number of changed items, changes are sent item by item; with more, whole pieces. */
const maxCompared = 64;
/** Number of items compared per query. */
const comparedAtOnce = 8;
/** Differences up to this number of characters get the best compression (0.05 s), longer ones a fast one. */
const smallDifference = 30_000;

/** A response body with its content encoding. */
export interface Compressed {
  body: Buffer;
  encoding: TextEncoding;
}

/** The texts on a device. */
export interface Held {
  /** Ids of items with their versions. */
  items: readonly (readonly [number, number])[];
  /** Whether the device can apply changes to texts. */
  takesChanges: boolean;
}

/** Returns the versions of a choice if the learner may read it now. @throws AppError 404, 403 */
export async function readableVersions(
  em: EntityManager,
  userId: string,
  now: Date,
  choice: Choice,
): Promise<ChoiceVersions & { end: Date }> {
  const [versions] = await findVersions(em, userId, now, [choice]);
  if (versions?.access && versions.end) return { ...versions, end: versions.end };
  if (!versions?.isPublished) throw notFound("Cette préparation n'existe pas ou n'est plus disponible.");
  throw new AppError('ITEM.LOCKED', 403, 'Cette préparation est réservée aux candidats inscrits.');
}

/** Returns the outlines of a choice, without texts. First measures pictures whose size is not stored yet. */
export async function readOutlines(
  em: EntityManager,
  { files }: Files,
  choice: Choice,
  versions: ChoiceVersions,
): Promise<DisciplineOutline[]> {
  await measurePictures(em, choice, (name) => files.size(name));
  // The outlines of a large prepa are expensive for the database, so one query runs at a time.
  return inTurn('offline-outlines', () => listOutlines(em, choice, versions));
}

interface Asked {
  choice: Choice;
  /** Versions that the learner may read. Their tag is the response's ETag. */
  versions: ChoiceVersions;
  accepted: string | string[] | undefined;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
}

/** A piece with the items in it. Items of the outline that were deleted meanwhile are missing. */
interface Made {
  outline: PieceOutline;
  piece: Piece | null;
  items: readonly { id: number; version: number }[];
}

/**
 * Returns all texts, assembled from pieces that are compressed once for all learners and stored in the database.
 * @throws the signal's reason; AppError 503
 */
export async function wholeTexts(em: EntityManager, context: Files, { choice, versions, accepted, signal }: Asked): Promise<Compressed> {
  const outlines = await readOutlines(em, context, choice, versions);
  return assemble(versions, outlines, await collect(em, choice.id, outlines.flatMap(piecesOf), outlines, signal), accepted);
}

/** Returns the texts that differ from those on a device. @throws the signal's reason; AppError 503 */
export async function textDifference(
  em: EntityManager,
  context: Files,
  { choice, versions, accepted, signal }: Asked,
  held: Held,
): Promise<Compressed> {
  const outlines = await readOutlines(em, context, choice, versions);
  // An item that the device names twice counts once.
  const known = new Map(held.items);
  const isChanged = ({ id, version }: { id: number; version: number }): boolean => known.get(id) !== version;
  const changed = outlines.flatMap(({ items }) => items.filter(isChanged));
  if (changed.length > maxCompared) {
    const pieces = outlines.flatMap(piecesOf).filter(({ items }) => items.some(isChanged));
    return assemble(versions, outlines, await collect(em, choice.id, pieces, outlines, signal), accepted);
  }
  const rows: KeptRow[] = [];
  for (let from = 0; from < changed.length; from += comparedAtOnce) {
    signal.throwIfAborted();
    rows.push(...(await listTexts(em, changed.slice(from, from + comparedAtOnce), held.takesChanges ? known : undefined)));
  }
  const text = JSON.stringify(presentDifference(versions, asFound(outlines, changed, rows), rows));
  const encoding = encodingFor(accepted);
  return { body: await encodeText(text, encoding, text.length <= smallDifference ? undefined : 5), encoding };
}

/** Makes and stores the piece of an item, so that the next download finds it. @throws AppError 503 */
export async function keepPieceOf(
  em: EntityManager,
  { clock, files }: Pick<UseCaseContext, 'clock' | 'files'>,
  item: { id: number; disciplineId: number },
): Promise<void> {
  const head = await findDisciplineHead(em, item.disciplineId);
  if (!head) return;
  const choice = { id: head.prepaId, disciplines: [item.disciplineId] };
  const [versions] = await findVersions(em, null, clock.now(), [choice]);
  if (!versions) return;
  const outlines = await readOutlines(em, { files }, choice, versions);
  const pieces = outlines.flatMap(piecesOf).filter(({ items }) => items.some(({ id }) => id === item.id));
  await collect(em, head.prepaId, pieces, outlines, new AbortController().signal);
}

/**
 * Returns stored pieces, and makes missing ones one by one. Downloads of the same prepa run one after the other: later ones find the pieces
 * made by earlier ones, and only one of them loads the database.
 */
function collect(
  em: EntityManager,
  prepaId: number,
  pieces: readonly PieceOutline[],
  outlines: readonly DisciplineOutline[],
  signal: AbortSignal,
): Promise<Made[]> {
  return inTurn(`offline-texts ${prepaId}`, async () => {
    const all: Made[] = [];
    const renewed = new Set<number>();
    for (let from = 0; from < pieces.length; from += readAtOnce) {
      const some = pieces.slice(from, from + readAtOnce);
      signal.throwIfAborted();
      const kept = await findPieces(em, some);
      for (const outline of some) {
        const piece = kept.get(outline.fingerprint);
        if (piece) {
          all.push({ outline, piece, items: outline.items });
          continue;
        }
        signal.throwIfAborted();
        const began = performance.now();
        all.push(await make(em, outline));
        renewed.add(outline.disciplineId);
        // After an import hundreds of pieces are made in a row. The pauses leave the database to page requests.
        await sleep(Math.min(performance.now() - began, maxPauseMs));
      }
    }
    for (const outline of outlines) if (renewed.has(outline.id)) await dropOutdated(em, outline.id, piecesOf(outline));
    return all;
  });
}

async function make(em: EntityManager, outline: PieceOutline): Promise<Made> {
  const rows = await listTexts(em, outline.items);
  if (rows.length === 0) return { outline, piece: null, items: rows };
  const stored = await deflateItems(rows.map(itemToKeep));
  // If items were saved meanwhile, the piece is sent but not stored: its fingerprint would not match.
  if (isAsListed(rows, outline.items)) await keepPiece(em, outline, stored);
  return { outline, piece: storedAgain(stored), items: rows };
}

const comma = storedPiece(Buffer.from(','));

async function assemble(
  versions: ChoiceVersions,
  outlines: readonly DisciplineOutline[],
  made: readonly Made[],
  accepted: string | string[] | undefined,
): Promise<Compressed> {
  const asked = made.flatMap(({ outline }) => outline.items);
  const found = made.flatMap(({ items }) => items);
  const [head, tail] = aroundItems(versions, asFound(outlines, asked, found));
  const items = made.flatMap(({ piece }) => piece ?? []).flatMap((piece, index) => (index === 0 ? [piece] : [comma, piece]));
  const body = gzipMember([compressedPiece(Buffer.from(head)), ...items, storedPiece(Buffer.from(tail))]);
  if (acceptsEncoding(accepted, 'gzip')) return { body, encoding: 'gzip' };
  return { body: await promisify(gunzip)(body), encoding: 'identity' };
}
