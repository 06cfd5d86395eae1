import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AppError, notFound } from '../../../platform/errors.ts';
import { withZod } from '../../../platform/http/validators.ts';
import { requestLimit } from '../../../platform/limits/request-limit.ts';
import { answerForm } from '../../../platform/pages/form-answer.ts';
import { parseForm } from '../../../shared/forms/field-errors.ts';
import { pointsSchema } from '../../../shared/forms/points.ts';
import { sumOf } from '../../../shared/study/points.ts';
import { scaleKey } from '../../../shared/study/practice.ts';
import { findScale } from '../../../shared/study/scale.ts';
import type { FindSigner, ReadsLimit } from '../../content/index.ts';
import { invalidForm } from '../../identity/index.ts';
import { studyParams } from '../../study/index.ts';
import { findPractice, type GivenMark, keepVerdict, type PracticeAddress, type PracticeRow } from './practice.repository.ts';
import { gone, markBody, sessionHref } from './practice.schemas.ts';
import { isByNetwork, postedPoints, sendPractice } from './practice-page.ts';

/** Marks that one learner may give per minute: many more than anyone practises. */
const notesPerMinute = 20;
/** Longest time used that is stored, in seconds. A timer left open for longer tells nothing. */
const maxSeconds = 24 * 3600;

const noteBody = z.object({
  ...markBody.shape,
  cle: z.uuid(),
  bareme: z.string(),
  'points[]': z.union([z.string(), z.array(z.string()).max(50)]),
  /** Absent or empty without a timer. */
  secondes: z.coerce.number().int().min(1).max(maxSeconds).nullable().catch(null).default(null),
});

/**
 * Takes the verdict of a practice together with points by its scale. Its own address, since a device that keeps the prepa answers the form
 * without points itself.
 */
export async function notePages(instance: FastifyInstance, { reads, signer }: { reads: ReadsLimit; signer: FindSigner }): Promise<void> {
  const app = withZod(instance);
  const perLearner = requestLimit('training.note', notesPerMinute);

  // The session is checked before the body is validated.
  app.post(
    '/user/prepa/:prepaId/:disciplineId/note',
    { onRequest: [app.requireLearner], schema: { params: studyParams, body: noteBody }, config: { authored: true } },
    async (request, reply) => {
      const { prepaId, disciplineId } = request.params;
      const { type: kind, item: itemId, verdict, seance } = request.body;
      const [userId, now] = [request.signedInLearner.id, request.context.clock.now()];
      await perLearner.consume(userId);
      const address: PracticeAddress = { userId, now, prepaId, disciplineId, kind, itemId };
      const end = `?type=${kind}&item=${itemId}${isByNetwork(request) ? '&reseau=1' : ''}`;
      const practice = await findPractice(request.em, address, true);
      if (!practice || (practice.access && !practice.hasCorrection)) throw notFound(gone);
      // The study page explains why access is closed.
      if (!practice.access) return reply.redirect(`/user/prepa/${prepaId}/${disciplineId}${end}`, 303);
      await answerForm(
        request,
        async () => {
          const kept = await keepVerdict(request.em, address, verdict, readMark(practice, request.body));
          if (kept && seance) return reply.redirect(sessionHref(seance), 303);
          return reply.redirect(`/user/prepa/${prepaId}/${disciplineId}${kept ? '/suite' : ''}${end}`, 303);
        },
        async (refused) => {
          await reads.take(request, userId, [itemId], now);
          return sendPractice(request, reply, { practice, address, signer, seance, refused });
        },
      );
      return reply;
    },
  );
}

/** Returns the mark of a form; null if no points were typed. @throws AppError 400 with the faults by the part's index */
function readMark(
  { corrige, contenu }: PracticeRow,
  { cle, bareme, secondes, 'points[]': points }: z.output<typeof noteBody>,
): GivenMark | null {
  const typed = postedPoints(points);
  if (typed.every((text) => text.trim() === '')) return null;
  const parts = findScale(corrige ?? '', contenu);
  if (scaleKey(parts) !== bareme || typed.length !== parts.length) {
    throw new AppError('PRACTICE.SCALE_CHANGED', 409, 'Le barème de ce corrigé vient de changer : vérifiez vos points.');
  }
  const { data, errors } = parseForm(pointsSchema(parts), { ...typed });
  if (errors) throw invalidForm(errors);
  return { cle, points: sumOf(Object.values(data)), possible: sumOf(parts.map(({ max }) => max)), seconds: secondes };
}
