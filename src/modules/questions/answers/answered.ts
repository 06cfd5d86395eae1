import type { EntityManager } from '@mikro-orm/postgresql';
import { type AnsweredQuestion, answeredQuestion } from '../../../shared/questions/answered.ts';
import { asRead } from '../../../shared/rich-text/as-read.ts';
import { withFigureLinks } from '../../../shared/rich-text/figure-links.ts';
import { type FindSigner, withSignedPictures } from '../../content/index.ts';
import type { AskedRow } from './answer.repository.ts';

/** Returns HTML of an answered question for its learner: remarks and explanation as read, pictures with signed addresses. */
export async function presentAnswered(
  answered: AnsweredQuestion,
  { prepaId, access }: Pick<AskedRow, 'prepaId' | 'access'>,
  { em, signer, now }: { em: EntityManager; signer: FindSigner; now: Date },
): Promise<string> {
  const audience = access ? prepaId : 'libre';
  const { contenu } = await withSignedPictures({ contenu: answeredQuestion(answered), corrige: null }, { em, signer, audience, now });
  return withFigureLinks(asRead(contenu));
}
