import { constants } from 'node:zlib';
import { compressedPiece, type Piece } from '../../../platform/pages/gzip-member.ts';
import { inBackground } from '../../../platform/work/background-thread.ts';
import type { KeptItem } from '../../../shared/offline/offline-copy.ts';
import { keptAsRead } from './kept-as-read.ts';

/** Returns the JSON of items with their texts as shown to readers, separated by commas, deflated at the best compression. */
export default inBackground((items: readonly KeptItem[]): Omit<Piece, 'operator'> => {
  const json = items.map((item) => JSON.stringify(keptAsRead(item))).join(',');
  const { length, deflated, crc } = compressedPiece(Buffer.from(json), constants.Z_BEST_COMPRESSION);
  return { length, deflated, crc };
});
