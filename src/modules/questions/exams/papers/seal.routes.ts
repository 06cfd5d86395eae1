import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { AppError, notFound } from '../../../../platform/errors.ts';
import { errorAnswers } from '../../../../platform/http/answers.ts';
import { idParams, withZod } from '../../../../platform/http/validators.ts';
import { matches } from '../../../../platform/pages/page-etag.ts';
import { unchanged } from '../../../../platform/pages/unchanged.ts';
import { formatOpening } from '../../../../shared/exams/announcement.ts';
import { requireCandidate, requireExam } from '../exam/exam.policy.ts';
import { findForCandidate } from '../exam/exam.repository.ts';
import type { Seals } from './seal.repository.ts';

const tags = ['Concours blancs'];
/** How long browsers keep a released key, in seconds. It never changes. */
const keyMaxAge = 86_400;

/** Serves the sealed paper of an exam, from its announcement on, and its key, from its opening on. */
export const sealRoutes: FastifyPluginAsync<{ seals: Seals }> = async (instance, { seals }) => {
  const app = withZod(instance);

  app.get(
    '/concours-blancs/:id/scelle',
    {
      preHandler: [app.requireLearner],
      // Encrypted bytes do not get smaller: trying it took 0.2 s of processor time for a large paper, at each request.
      compress: false,
      schema: {
        tags,
        summary: "Le sujet scellé d'un concours blanc annoncé : 12 octets d'initialisation, puis le sujet compressé et chiffré (AES-GCM)",
        params: idParams,
        response: {
          200: z.any().meta({ type: 'string', format: 'binary', description: 'application/octet-stream' }),
          ...errorAnswers(401, 403, 404),
        },
      },
    },
    async (request, reply) => {
      const exam = requireExam(
        await findForCandidate(request.em, request.signedInLearner.id, request.params.id, request.context.clock.now()),
      );
      requireCandidate(exam);
      const etag = `"${exam.id}-${exam.announcedAt?.getTime()}"`;
      reply.header('etag', etag).header('cache-control', 'private, no-cache').header('vary', 'cookie, authorization');
      if (matches(request.headers['if-none-match'], etag)) return unchanged(reply).send();
      const sealed = await seals.sealed(request.em, exam);
      if (!sealed) throw notFound("Ce concours blanc n'a pas de sujet.");
      return reply.type('application/octet-stream').send(sealed);
    },
  );

  app.get(
    '/concours-blancs/:id/cle',
    {
      schema: {
        tags,
        summary: "La clé du sujet scellé, à partir de l'ouverture du concours blanc",
        params: idParams,
        response: { 200: z.object({ cle: z.string().meta({ description: '32 octets en base64' }) }), ...errorAnswers(403, 404, 503) },
      },
      config: { anonymous: true, load: 'essential', quiet: true },
    },
    async (request, reply) => {
      const now = request.context.clock.now();
      reply.header('cache-control', 'no-store');
      const found = await seals.key(request.em, request.params.id, now);
      if (!found) throw notFound("Ce concours blanc n'existe pas ou n'existe plus.");
      if ('opensAt' in found) {
        const { opensAt } = found;
        throw new AppError('EXAM.SEALED', 403, `Le sujet s'ouvre le ${formatOpening(opensAt)}.`, {
          details: { ouverture: opensAt.getTime(), maintenant: now.getTime() },
        });
      }
      reply.header('cache-control', `public, max-age=${keyMaxAge}, immutable`);
      return { cle: found.key };
    },
  );
};
