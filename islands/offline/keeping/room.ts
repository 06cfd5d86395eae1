import type { SizesAnswer } from '../../../src/shared/offline/offline-copy.ts';
import { type KeepingChoice, weightOf } from '../../../src/shared/offline/weight.ts';

/** Texts take more room than they weigh on their way: compressed there, in a database here. */
const textsGrow = 8;
/** The pages' own scripts, styles and letters, and what the browser's database needs for itself, in bytes. */
const besides = 2 * 1024 * 1024;

/** How many bytes are missing for a choice, as far as the browser says; 0 when there is room. @param held what the kept copy takes already */
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
