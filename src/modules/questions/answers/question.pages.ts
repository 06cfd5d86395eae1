import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../platform/errors.ts';
import { withZod } from '../../../platform/http/validators.ts';
import { answerContexts, answerFields } from '../../../shared/questions/answer-form.ts';
import { askedQuestion } from '../../../shared/questions/asked.ts';
import { questionsOf } from '../../../shared/questions/question-html.ts';
import { asRead } from '../../../shared/rich-text/as-read.ts';
import { withFigureLinks } from '../../../shared/rich-text/figure-links.ts';
import { presentPlace, studyHref } from '../../../shared/study/place.ts';
import { type FindSigner, type ReadsLimit, withSignedPictures } from '../../content/index.ts';
import { answerLimit } from './answer.limit.ts';
import { type AskedRow, findAnswer } from './answer.repository.ts';
import { questionParams } from './answer.routes.ts';
import { answerQuestion, findOpenQuestion } from './answer.service.ts';
import { presentAnswered } from './answered.ts';

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'questions/question': {
      place: string;
      titre: string;
      /** Address of the question in its text. */
      back: string;
      /** HTML of the question, as a form or answered. */
      question: string;
      /** Why the posted answer was not judged; null otherwise. */
      fault: string | null;
    };
  }
}

/** Serves a question alone: the page to which forms of texts are posted without scripts. It costs less data than the whole text again. */
export async function questionPages(
  instance: FastifyInstance,
  { reads, signer }: { reads: ReadsLimit; signer: FindSigner },
): Promise<void> {
  const app = withZod(instance);
  const url = '/user/questions/:id';
  const readerOf = (request: FastifyRequest) => ({ userId: request.learner?.id ?? null, now: request.context.clock.now() });

  app.get(
    url,
    {
      schema: { params: questionParams, querystring: z.object({ reponse: z.guid().optional().catch(undefined) }) },
      config: { authored: true },
    },
    async (request, reply) => {
      const { id } = request.params;
      const reader = readerOf(request);
      const asked = await open(request, reply, () => findOpenQuestion(request.em, reader, id));
      if (!asked) return reply;
      if (reader.userId !== null) await reads.take(request, reader.userId, [asked.itemId], reader.now);
      const { reponse } = request.query;
      const answer = reader.userId !== null && reponse ? await findAnswer(request.em, reader.userId, reponse, id) : null;
      const [question] = questionsOf(asked.section);
      if (!question || !answer) return show(request, reply, asked);
      const shown = { question, key: asked.key, given: answer.given, isRight: answer.isRight, number: null };
      return show(request, reply, asked, { html: await presentAnswered(shown, asked, { em: request.em, signer, now: reader.now }) });
    },
  );

  app.post(
    url,
    {
      schema: {
        params: questionParams,
        body: z.object({ ...answerFields, contexte: z.enum(answerContexts).catch('text').default('text') }),
      },
      config: { authored: true },
    },
    async (request, reply) => {
      const { id } = request.params;
      const reader = readerOf(request);
      await answerLimit.consume(reader.userId ?? request.ip);
      const judged = await open(request, reply, async () => {
        try {
          const { contexte: context, ...fields } = request.body;
          return await answerQuestion(request.em, reader, id, { ...fields, context });
        } catch (error) {
          if (!(error instanceof AppError) || error.code !== 'QUESTION.ANSWER') throw error;
          const asked = await findOpenQuestion(request.em, reader, id);
          await show(request, reply.code(400), asked, { fault: error.message });
          return null;
        }
      });
      if (!judged) return reply;
      const { asked, question, answer } = judged;
      if (reader.userId !== null) {
        await reads.take(request, reader.userId, [asked.itemId], reader.now);
        return reply.redirect(`/user/questions/${id}?reponse=${answer.cle}`, 303);
      }
      const shown = { question, key: asked.key, given: answer.given, isRight: answer.isRight, number: null };
      return show(request, reply, asked, { html: await presentAnswered(shown, asked, { em: request.em, signer, now: reader.now }) });
    },
  );

  /** Returns null after a redirect to the page that explains why access is closed. */
  async function open<Found>(request: FastifyRequest, reply: FastifyReply, find: () => Promise<Found>): Promise<Found | null> {
    try {
      return await find();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.status === 401) await app.requireLearner(request, reply);
      else if (error.status === 403) reply.flash('warning', error.message).redirect('/user/dashboard', 303);
      else throw error;
      return null;
    }
  }

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: AskedRow,
    { html, fault = null }: { html?: string; fault?: string | null } = {},
  ) {
    const { prepaId, disciplineId, itemId, kind, access } = asked;
    const base = access ? studyHref(prepaId, disciplineId) : `/user/prepa/consultation/${prepaId}/${disciplineId}`;
    const question = html ?? (await askAlone(request, asked));
    return reply.page('questions/question', {
      title: `Question : ${asked.titre}`,
      noindex: true,
      learnerCss: true,
      formulas: question.includes('<math'),
      place: presentPlace(asked),
      titre: asked.titre,
      back: `${base}?type=${kind}&item=${itemId}#q-${asked.id}`,
      question,
      fault,
    });
  }

  async function askAlone(request: FastifyRequest, { section, access, prepaId }: AskedRow): Promise<string> {
    const form = questionsOf(section).map((question) => askedQuestion(question, null));
    const texts = { contenu: form.join(''), corrige: null };
    const audience = access ? prepaId : 'libre';
    const signed = await withSignedPictures(texts, { em: request.em, signer, audience, now: request.context.clock.now() });
    return withFigureLinks(asRead(signed.contenu));
  }
}
