import type { EntityManager } from '@mikro-orm/postgresql';
import { asRead } from '../../../shared/rich-text/as-read.ts';
import { withFigureLinks } from '../../../shared/rich-text/figure-links.ts';
import { type FindSigner, withSignedPictures } from '../../content/index.ts';
import type { AskedRow } from './answer.repository.ts';

/** Canonical HTML contains no comments. */
const mark = '<!---->';

interface Reading {
  em: EntityManager;
  signer: FindSigner;
  /** For whom the addresses of pictures are signed: see `audienceOf`. */
  audience: Parameters<typeof withSignedPictures>[1]['audience'];
  now: Date;
}

/** Returns the audience of a question's pictures: the prepa's learners, or everyone for an open item. */
export const audienceOf = ({ prepaId, access }: Pick<AskedRow, 'prepaId' | 'access'>): Reading['audience'] => (access ? prepaId : 'libre');

/** Returns parts of stored texts as readers get them: pictures with signed addresses, figures that open large. */
export async function partsAsRead(parts: readonly string[], { em, signer, audience, now }: Reading): Promise<string[]> {
  const texts = { contenu: parts.join(mark), corrige: null };
  const { contenu } = await withSignedPictures(texts, { em, signer, audience, now });
  return withFigureLinks(asRead(contenu)).split(mark);
}
