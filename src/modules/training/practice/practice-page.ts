import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { faultsOf, type RefusedForm, refusePage } from '../../../platform/pages/form-answer.ts';
import { asRead } from '../../../shared/rich-text/as-read.ts';
import { presentPractice } from '../../../shared/study/practice.ts';
import { type FindSigner, presentDocument, withSignedPictures } from '../../content/index.ts';
import type { PracticeAddress, PracticeRow } from './practice.repository.ts';

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'training/practice': ReturnType<typeof presentPractice>;
  }
}

interface PracticePage {
  practice: PracticeRow;
  address: PracticeAddress;
  signer: FindSigner;
  /** Id of the daily session that the practice belongs to. */
  seance?: string | undefined;
  /** The form with the points, if it is refused. */
  refused?: RefusedForm;
}

/** Longest typed text that is shown again, in characters. */
const maxTyped = 20;

/** Returns the posted points of the parts: one field of a form is a text, several are a list. */
export const postedPoints = (points: unknown): string[] =>
  (Array.isArray(points) ? points : [points]).map((typed) => (typeof typed === 'string' ? typed : ''));

/** Returns whether a request is for the server's page past the copy on the device. */
export const isByNetwork = ({ query }: FastifyRequest): boolean => Object.hasOwn(query as object, 'reseau');

/** Sends a practice that the learner may read. */
export async function sendPractice(
  request: FastifyRequest,
  reply: FastifyReply,
  { practice, address, signer, seance, refused }: PracticePage,
): Promise<FastifyReply> {
  const { userId, now, prepaId, disciplineId, kind, itemId } = address;
  const { contenu, corrige } = await withSignedPictures(practice, { em: request.em, signer, audience: prepaId, now });
  const taken = {
    ...practice,
    id: itemId,
    kind,
    prepaId,
    disciplineId,
    contenu: asRead(contenu),
    corrige: corrige === null ? null : asRead(corrige),
    documents: practice.documents.map(presentDocument),
  };
  if (refused) refusePage(reply, refused.error);
  const marking = {
    cle: randomUUID(),
    byNetwork: isByNetwork(request),
    typed: refused ? postedPoints(refused.form['points[]']).map((typed) => typed.slice(0, maxTyped)) : [],
    faults: faultsOf(refused?.error),
    refusal: refused && !refused.error.errors ? refused.error.message : null,
  };
  return reply.page('training/practice', { noindex: true, learnerCss: true, ...presentPractice(taken, userId, marking, seance) });
}
