import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Discipline } from '../../catalogue/index.ts';

/** Texts of some items of a discipline that follow one another, as devices fetch them, compressed. Made again from the items whenever it is missing. */
export const OfflinePiece = defineEntity({
  name: 'OfflinePiece',
  tableName: 'offline_piece',
  properties: {
    discipline: () => p.manyToOne(Discipline).mapToPk().primary().deleteRule('cascade'),
    /** Of the items as they were when it was made (`piecesOf`). */
    fingerprint: p.string().length(22).primary(),
    /** Of the text, in bytes. */
    length: p.integer(),
    /** CRC-32 of the text, as a signed number. */
    crc: p.integer(),
    deflated: p.blob(),
  },
});
export type OfflinePiece = InferEntity<typeof OfflinePiece>;
