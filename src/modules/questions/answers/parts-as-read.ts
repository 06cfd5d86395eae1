import type { EntityManager } from '@mikro-orm/postgresql';
import { asRead } from '../../../shared/rich-text/as-read.ts';
import { withFigureLinks } from '../../../shared/rich-text/figure-links.ts';
import { type FindSigner, withSignedPictures } from '../../content/index.ts';

/** Canonical HTML contains no comments. */
const mark = '<!---->';

/** Returns parts of a series as readers get them: pictures with signed addresses, figures that open large. */
export async function partsAsRead(
  parts: readonly string[],
  { em, signer, prepaId, now }: { em: EntityManager; signer: FindSigner; prepaId: number; now: Date },
): Promise<string[]> {
  const texts = { contenu: parts.join(mark), corrige: null };
  const { contenu } = await withSignedPictures(texts, { em, signer, audience: prepaId, now });
  return withFigureLinks(asRead(contenu)).split(mark);
}
