import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import { type Piece, storedAgain } from '../../../platform/pages/gzip-member.ts';
import type { PieceOutline } from './pieces.ts';

type StoredPiece = Omit<Piece, 'operator'>;

const disciplinesOf = (pieces: readonly PieceOutline[]): number[] => [...new Set(pieces.map(({ disciplineId }) => disciplineId))];
const fingerprintsOf = (pieces: readonly PieceOutline[]): string[] => pieces.map(({ fingerprint }) => fingerprint);

const found = namedStatement<StoredPiece & { fingerprint: string }>({
  name: 'content.offline-pieces',
  reads: 'replica',
  text: 'select fingerprint, length, crc, deflated from offline_piece where discipline_id = any($1) and fingerprint = any($2)',
});

/** Returns the stored pieces by fingerprint. @param pieces only a few per call: each has up to 100 KB */
export async function findPieces(em: EntityManager, pieces: readonly PieceOutline[]): Promise<Map<string, Piece>> {
  const rows = await found(em, [disciplinesOf(pieces), fingerprintsOf(pieces)]);
  return new Map(rows.map(({ fingerprint, length, crc, deflated }) => [fingerprint, storedAgain({ length, crc: crc >>> 0, deflated })]));
}

const sizes = namedStatement<{ fingerprint: string; octets: number }>({
  name: 'content.offline-piece-sizes',
  reads: 'replica',
  text: 'select fingerprint, octet_length(deflated) as octets from offline_piece where discipline_id = any($1) and fingerprint = any($2)',
});

/** Returns the compressed sizes of stored pieces by fingerprint, in bytes. */
export async function findPieceSizes(em: EntityManager, pieces: readonly PieceOutline[]): Promise<Map<string, number>> {
  const rows = await sizes(em, [disciplinesOf(pieces), fingerprintsOf(pieces)]);
  return new Map(rows.map(({ fingerprint, octets }) => [fingerprint, octets]));
}

/** Stores a piece, unless its discipline was deleted meanwhile. */
export async function keepPiece(em: EntityManager, { disciplineId, fingerprint }: PieceOutline, piece: StoredPiece): Promise<void> {
  await em.fork().execute(
    `insert into offline_piece (discipline_id, fingerprint, length, crc, deflated)
     select id, ?, ?, ?, ? from discipline where id = ? for key share on conflict do nothing`,
    [fingerprint, piece.length, piece.crc | 0, piece.deflated, disciplineId],
  );
}

/** Deletes a discipline's outdated pieces. @param current all pieces of the discipline as it is now */
export async function dropOutdated(em: EntityManager, disciplineId: number, current: readonly PieceOutline[]): Promise<void> {
  await em.fork().execute(
    `delete from offline_piece where (discipline_id, fingerprint) in (
       select discipline_id, fingerprint from offline_piece where discipline_id = ? and fingerprint <> all(?::text[]) for update skip locked)`,
    [disciplineId, `{${fingerprintsOf(current)}}`],
  );
}
