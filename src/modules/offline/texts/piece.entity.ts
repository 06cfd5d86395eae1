import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Discipline } from '../../catalogue/index.ts';

/** Compressed texts of consecutive items of a discipline, as devices download them. Made again from the items when missing. */
export const OfflinePiece = defineEntity({
  name: 'OfflinePiece',
  tableName: 'offline_piece',
  properties: {
    discipline: () => p.manyToOne(Discipline).mapToPk().primary().deleteRule('cascade'),
    /** Fingerprint of the items when the piece was made (`piecesOf`). */
    fingerprint: p.string().length(22).primary(),
    /** Uncompressed length, in bytes. */
    length: p.integer(),
    /** CRC-32 of the uncompressed bytes, as a signed integer. */
    crc: p.integer(),
    deflated: p.blob(),
  },
});
export type OfflinePiece = InferEntity<typeof OfflinePiece>;
