import type { SizesAnswer } from '../../../../src/shared/offline/offline-copy.ts';
import { type KeepingChoice, weightOf } from '../../../../src/shared/offline/weight.ts';

/** Stored size of texts divided by their transfer size: transfers are compressed, the database is not. */
const textsGrow = 8;
/** Scripts, styles and fonts of the pages, and the database's overhead, in bytes. */
const besides = 2 * 1024 * 1024;

/** Returns how many bytes of free storage are missing for a choice; 0 when it fits or the browser gives no estimate. @param held bytes of the present copy */
export function missingRoom(
  sizes: SizesAnswer,
  choice: KeepingChoice,
  held: number,
  { quota, usage }: { quota?: number | undefined; usage?: number | undefined },
): number {
  if (quota === undefined || usage === undefined) return 0;
  const { textes, total } = weightOf(sizes, choice);
  const needed = Math.max(0, total - textes + textes * textsGrow + besides - held);
  return Math.max(0, needed - Math.max(0, quota - usage));
}
