import { createHash } from 'node:crypto';
import { offlineFormat } from '../../../shared/offline/offline-copy.ts';
import type { DisciplineOutline, OutlinedItem } from './outline.repository.ts';

/**
 * Items of a discipline that are compressed together. Compressed one by one they would be a third larger, because of repeated parts.
 * A save of an item makes one piece again.
 */
export interface PieceOutline {
  disciplineId: number;
  items: OutlinedItem[];
  /** Hash of everything that the piece is made of. */
  fingerprint: string;
}

/** Increase it when `itemToKeep` or `keptAsRead` changes its output for the same rows: stored pieces of another format are not used. */
const pieceFormat = 3;
/** Approximate number of items per piece. */
const itemsOfPiece = 16;
/** Size of texts after which a piece ends, in bytes. */
const octetsOfPiece = 256 * 1024;

/** Divides a discipline into pieces. The end of a piece depends only on ids and sizes of its own items, so a new item changes only its own piece. */
export function piecesOf({ id, items }: DisciplineOutline): PieceOutline[] {
  const pieces: OutlinedItem[][] = [];
  let [piece, octets]: [OutlinedItem[], number] = [[], 0];
  for (const item of items) {
    piece.push(item);
    octets += item.octets;
    if (item.id % itemsOfPiece !== 0 && octets < octetsOfPiece) continue;
    pieces.push(piece);
    [piece, octets] = [[], 0];
  }
  if (piece.length > 0) pieces.push(piece);
  return pieces.map((items) => ({ disciplineId: id, items, fingerprint: fingerprintOf(items) }));
}

const fingerprintOf = (items: readonly OutlinedItem[]): string =>
  createHash('sha256')
    .update(JSON.stringify([offlineFormat, pieceFormat, items.map(({ id, revision }) => [id, revision])]))
    .digest('base64url')
    .slice(0, 22);
