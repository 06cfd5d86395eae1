import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { withZod } from '../../../platform/http/validators.ts';
import { networkOf } from '../../../platform/limits/network.ts';
import { answerForm, refusePage } from '../../../platform/pages/form-answer.ts';
import { escapeHtml } from '../../../shared/escapes.ts';
import { type AnswerFields, answerFields, textContexts } from '../../../shared/questions/answer-form.ts';
import { answeredQuestion } from '../../../shared/questions/answered.ts';
import { askedQuestion, questionHref } from '../../../shared/questions/asked.ts';
import { withGiven } from '../../../shared/questions/asked-in-series.ts';
import type { Given } from '../../../shared/questions/grade.ts';
import { presentPlace, studyHref } from '../../../shared/study/place.ts';
import type { FindSigner, ReadsLimit } from '../../content/index.ts';
import { answerLimit } from './answer.limit.ts';
import { authoriseAnswer, mayAnswer } from './answer.policy.ts';
import { type AskedRow, findAnswer } from './answer.repository.ts';
import { questionParams } from './answer.routes.ts';
import { answerQuestion, findQuestion, questionOf, shareAsked } from './answer.service.ts';
import { audienceOf, partsAsRead } from './parts-as-read.ts';
import { pageWithAnswer, typedIn, unsentQuery } from './unsent-answer.ts';

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
  const context = z.enum(textContexts).catch('text').default('text');
  const readerOf = (request: FastifyRequest) => ({ userId: request.learner?.id ?? null, now: request.context.clock.now() });

  app.get(
    url,
    {
      schema: {
        params: questionParams,
        querystring: z.object({ reponse: z.guid().optional().catch(undefined), contexte: context, ...unsentQuery }),
      },
      config: { authored: true },
    },
    async (request, reply) => {
      const reader = readerOf(request);
      const asked = await findQuestion(request.em, reader, request.params.id);
      if (!mayAnswer(asked)) return refuse(request, reply, asked);
      if (reader.userId !== null) await reads.take(request, reader.userId, [asked.itemId], reader.now);
      const { reponse } = request.query;
      const answer = reader.userId !== null && reponse ? await findAnswer(request.em, reader.userId, reponse, asked.id) : null;
      return show(request, reply, asked, { answer, sent: request.query });
    },
  );

  app.post(
    url,
    {
      schema: { params: questionParams, body: z.object({ ...answerFields, contexte: context }) },
      config: { authored: true, formPage: (request) => pageWithAnswer(request.url.split('?')[0] ?? '', request.body) },
    },
    async (request, reply) => {
      const reader = readerOf(request);
      const asked = await findQuestion(request.em, reader, request.params.id);
      if (!mayAnswer(asked) && reader.userId === null) return refuse(request, reply, asked);
      if (mayAnswer(asked) && reader.userId !== null) await reads.take(request, reader.userId, [asked.itemId], reader.now);
      await answerForm(
        request,
        async () => {
          await authoriseAnswer(request, reply, asked);
          await answerLimit.consume(reader.userId ?? networkOf(request.ip));
          const { contexte: context, ...fields } = request.body;
          const { answer } = await answerQuestion(request.em, reader, asked, { ...fields, context });
          // A visitor's answer is not stored.
          if (reader.userId === null) return show(request, reply, asked, { answer });
          return reply.redirect(`${questionHref(asked.id)}?reponse=${answer.cle}`, 303);
        },
        ({ error }) => {
          refusePage(reply, error);
          return show(request, reply, asked, { fault: error.message, sent: request.body });
        },
      );
      return reply;
    },
  );

  /** Leads a visitor to the sign-in, and a learner to the study page, which explains why access is closed. */
  async function refuse(request: FastifyRequest, reply: FastifyReply, asked: AskedRow) {
    await app.requireLearner(request, reply);
    return reply.sent ? reply : reply.redirect(placeOf({ ...asked, access: true }), 303);
  }

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: AskedRow,
    {
      answer = null,
      fault = null,
      sent = {},
    }: {
      answer?: { given: Given; isRight: boolean } | null;
      fault?: string | null;
      sent?: Pick<AnswerFields, 'choix' | 'texte'> & { contexte?: (typeof textContexts)[number] };
    },
  ) {
    const found = questionOf(asked);
    const part = !mayAnswer(asked)
      ? ownWords(sent)
      : answer
        ? answeredQuestion({
            question: found,
            key: asked.key,
            ...answer,
            number: null,
            isListed: asked.access,
            shareHref: shareAsked(asked, found, app.siteOrigin(request)),
          })
        : withGiven(askedQuestion(found, null, sent.contexte), typedIn(sent));
    const now = request.context.clock.now();
    const [question = ''] = await partsAsRead([part], { em: request.em, signer, audience: audienceOf(asked), now });
    return reply.page('questions/question', {
      title: `Question : ${asked.titre}`,
      noindex: true,
      learnerCss: true,
      formulas: question.includes('<math'),
      place: presentPlace(asked),
      titre: asked.titre,
      back: `${placeOf(asked)}#q-${asked.id}`,
      question,
      fault,
    });
  }
}

/** Returns what a learner without access has typed, without the question, which belongs to a text that is closed. */
const ownWords = ({ texte = '' }: Pick<AnswerFields, 'texte'>): string =>
  texte.trim() === '' ? '' : `<p>Votre réponse était : <strong>${escapeHtml(texte)}</strong></p>`;

/** Returns the address of the question's text, in the study page or the trial. */
function placeOf({ prepaId, disciplineId, kind, itemId, access }: AskedRow): string {
  const base = access ? studyHref(prepaId, disciplineId) : `/user/prepa/consultation/${prepaId}/${disciplineId}`;
  return `${base}?type=${kind}&item=${itemId}`;
}
