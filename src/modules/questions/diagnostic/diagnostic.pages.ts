import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { idSchema, withZod } from '../../../platform/http/validators.ts';
import { networkOf } from '../../../platform/limits/network.ts';
import { answerForm, type RefusedForm, refusePage } from '../../../platform/pages/form-answer.ts';
import { readSheet, sheetSchema } from '../../../shared/questions/answer-sheet.ts';
import { diagnosticHref } from '../../../shared/questions/diagnostic.ts';
import { coverPreview } from '../../catalogue/index.ts';
import type { FindSigner } from '../../content/index.ts';
import { answerLimit } from '../answers/answer.limit.ts';
import { partsAsRead } from '../answers/parts-as-read.ts';
import { type Place, presentDiagnostic, presentDiagnosticResult } from './diagnostic.presenter.ts';
import { answeredOf, type Diagnostic, type Judged, judgeKept, judgeSheet, openDiagnostic, storeDiagnostic } from './diagnostic.service.ts';
import { forgetAnswers, keepAnswers, keptAnswers } from './kept-answers.ts';

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'questions/diagnostic': ReturnType<typeof presentDiagnostic> & {
      /** Idempotency key of the form. */
      essai: string;
      visitor: boolean;
      /** Why the posted answers were not judged; null otherwise. */
      fault: string | null;
      /** Whether the reader has been told about questions without an answer. */
      isWarned: boolean;
      /** Whether this reader has a result already. */
      hasResult: boolean;
    };
    'questions/diagnostic-result': ReturnType<typeof presentDiagnosticResult> & {
      /** Address of the registration that leads back here; null where there is nothing to keep. */
      keep: string | null;
      visitor: boolean;
    };
  }
}

const params = z.object({ prepaId: idSchema, disciplineId: idSchema });

/**
 * Serves the short diagnostic of a discipline's trial, also to visitors, whose answers only their own browser keeps. A learner's answers
 * are stored at once; those that the browser has kept are stored when the learner opens the result.
 */
export async function diagnosticPages(instance: FastifyInstance, { signer }: { signer: FindSigner }): Promise<void> {
  const app = withZod(instance);
  const url = '/user/prepa/consultation/:prepaId/:disciplineId/diagnostic';
  const options = { schema: { params }, config: { authored: true } };

  app.get(url, options, async (request, reply) => {
    const { params: place } = request;
    return showForm(request, reply, place, await open(request, place, false));
  });

  app.post(url, { ...options, schema: { params, body: sheetSchema } }, async (request, reply) => {
    const { params: place, body: form } = request;
    const diagnostic = await open(request, place, true);
    await answerForm(
      request,
      async () => {
        await answerLimit.consume(senderOf(request));
        const judged = judgeSheet(diagnostic.questions, form);
        if (request.learner) {
          await answerLimit.consume(request.learner.id, judged.length - 1);
          await storeDiagnostic(request.em, readerOf(request, request.learner.id), form.essai, judged);
          forgetAnswers(request, reply, place);
          return reply.redirect(resultHref(place), 303);
        }
        const given = new Map(judged.map(({ id, answer }) => [id, answer.given]));
        const isKept = keepAnswers(request, reply, place, form.essai, given);
        return showResult(request, reply, place, diagnostic, judged, isKept);
      },
      (refused) => showForm(request, reply, place, diagnostic, { ...refused, form }),
    );
    return reply;
  });

  app.get(`${url}/resultat`, options, async (request, reply) => {
    const { params: place } = request;
    const { learner } = request;
    const kept = keptAnswers(request, place);
    let diagnostic = await open(request, place, kept !== null);
    if (kept) {
      const judged = judgeKept(diagnostic.questions, kept);
      if (!learner && judged.length > 0) return showResult(request, reply, place, diagnostic, judged, true);
      if (learner) await answerLimit.consume(learner.id, judged.length);
      forgetAnswers(request, reply, place);
      if (learner && judged.length > 0) {
        await storeDiagnostic(request.em, readerOf(request, learner.id), kept.essai, judged);
        reply.flash('success', 'Votre résultat est gardé.');
        diagnostic = await open(request, place, false);
      }
    }
    const answered = learner ? answeredOf(diagnostic.questions) : [];
    if (answered.length === 0) return reply.redirect(diagnosticHref(place.prepaId, place.disciplineId), 303);
    return showResult(request, reply, place, diagnostic, answered, false);
  });

  const open = (request: FastifyRequest, place: Place, judging: boolean): Promise<Diagnostic> =>
    openDiagnostic(request.em, { ...readerOf(request, request.learner?.id ?? null), ...place, judging });

  // Of 90 answers a minute, a form costs a visitor's network one, since nothing is stored: a class of 40 behind one address, each warned
  // once of missing answers, sends 80. A learner's form costs as many as it has questions, each a stored row: a loop stores 90 a minute, as
  // with single answers. The result costs what a page costs.
  const senderOf = (request: FastifyRequest): string => request.learner?.id ?? networkOf(request.ip);

  async function showForm(
    request: FastifyRequest,
    reply: FastifyReply,
    place: Place,
    diagnostic: Diagnostic,
    refused?: RefusedForm & { form: z.output<typeof sheetSchema> },
  ) {
    if (refused) refusePage(reply, refused.error);
    const { questions, head } = diagnostic;
    const { given } = readSheet(
      refused?.form ?? {},
      questions.map(({ html }) => html),
    );
    const shown = presentDiagnostic(place, diagnostic, given);
    const steps = await asRead(request, shown.steps);
    const origin = app.siteOrigin(request);
    return reply.page('questions/diagnostic', {
      ...shown,
      steps,
      learnerCss: true,
      formulas: steps.some((html) => html.includes('<math')),
      description: `${shown.name} pour savoir par où commencer : ${head.disciplineNom}, ${head.prepaNom}. Sans compte, ${shown.time}.`,
      canonical: `${origin}${shown.base}`,
      ...(head.image ? { og: coverPreview(head.image, origin) } : {}),
      essai: refused?.form.essai ?? randomUUID(),
      visitor: request.learner === null,
      fault: refused?.error.message ?? null,
      isWarned: refused?.error.code === 'DIAGNOSTIC.INCOMPLETE' || refused?.form.incomplet !== undefined,
      hasResult: request.learner ? questions.some(({ answer }) => answer) : keptAnswers(request, place) !== null,
    });
  }

  async function showResult(
    request: FastifyRequest,
    reply: FastifyReply,
    place: Place,
    diagnostic: Diagnostic,
    judged: readonly Judged[],
    isKept: boolean,
  ) {
    const shown = presentDiagnosticResult(place, diagnostic, judged);
    const steps = await asRead(request, shown.steps);
    return reply.page('questions/diagnostic-result', {
      ...shown,
      steps,
      noindex: true,
      learnerCss: true,
      formulas: [...steps, ...shown.themes.map(({ label }) => label)].some((html) => html.includes('<math')),
      visitor: request.learner === null,
      keep: isKept ? `/?inscription=1&suite=${encodeURIComponent(resultHref(place))}` : null,
    });
  }

  // Everyone may read the items of the trial.
  const asRead = (request: FastifyRequest, steps: string[]): Promise<string[]> =>
    partsAsRead(steps, { em: request.em, signer, audience: 'libre', now: request.context.clock.now() });
}

const resultHref = ({ prepaId, disciplineId }: Place): string => `${diagnosticHref(prepaId, disciplineId)}/resultat`;

const readerOf = <Id extends string | null>(request: FastifyRequest, userId: Id) => ({ userId, now: request.context.clock.now() });
