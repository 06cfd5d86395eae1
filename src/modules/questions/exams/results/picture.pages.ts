import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { notFound } from '../../../../platform/errors.ts';
import { idParams, withZod } from '../../../../platform/http/validators.ts';
import { requireExam } from '../exam/exam.policy.ts';
import { findForCandidate } from '../exam/exam.repository.ts';
import { pictureUrl } from '../papers/linked-pictures.ts';
import type { PaperCache } from '../papers/paper-cache.ts';
import type { MarkedExams } from './marked-exams.ts';

const params = idParams.extend({ name: z.string().max(50) });

/**
 * Serves the pictures of an exam to its candidates: those of the paper from the opening on, those of corrections from the publication on
 * to whoever has sat it.
 */
export async function examPicturePages(
  instance: FastifyInstance,
  { papers, exams }: { papers: PaperCache; exams: MarkedExams },
): Promise<void> {
  const app = withZod(instance);
  const options = { preHandler: [app.requireLearner], schema: { params }, config: { quiet: true, load: 'essential' as const } };
  app.get(pictureUrl, options, async (request, reply) => {
    const { id, name } = request.params;
    const now = request.context.clock.now();
    const exam = requireExam(await findForCandidate(request.em, request.signedInLearner.id, id, now));
    const { maySit, sitting, opensAt, markedAt, publishedAt, bareme } = exam;
    const isOpen = now >= opensAt && (maySit || sitting);
    const inPaper = isOpen ? (await papers.linked(request.em, exam)).pictures.get(name) : undefined;
    const hasResult = !inPaper && sitting && markedAt && publishedAt;
    const picture = inPaper ?? (hasResult ? (await exams.find(request.em, { id, markedAt, bareme })).pictures.get(name) : undefined);
    if (!picture) throw notFound("Cette image n'existe pas ou n'existe plus.");
    // A name is that of one content.
    return reply.type('image/webp').header('cache-control', 'private, max-age=31536000, immutable').removeHeader('vary').send(picture);
  });
}
