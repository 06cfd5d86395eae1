import { createHash } from 'node:crypto';
import { offlineFormat } from '../../../shared/offline/offline-copy.ts';
import type { DisciplineOutline, OutlinedItem } from './outline.repository.ts';

/**
 * Items of a discipline that are compressed together: deflated one by one they would weigh a third more, since what they have in common would be said in each.
 * Another save makes one piece anew.
 */
export interface PieceOutline {
  disciplineId: number;
  items: OutlinedItem[];
  /** Of all that the piece is made of. */
  fingerprint: string;
}

/** Raised when `itemToKeep` or `itemAsRead` writes the same rows differently: stored pieces of another format are not used. */
const pieceFormat = 1;
/** Items of one piece, about. */
const itemsOfPiece = 16;
/** Letters after which a piece ends, in bytes. */
const octetsOfPiece = 256 * 1024;

/** The pieces of a discipline. Where one ends follows from its items alone, so that another item somewhere changes the piece that it is in, and no other. */
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
