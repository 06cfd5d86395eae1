import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { notFound } from '../../../platform/errors.ts';
import { idParams, withZod } from '../../../platform/http/validators.ts';
import { answerForm, type RefusedForm, refusePage } from '../../../platform/pages/form-answer.ts';
import { labelOf } from '../../../shared/item-kinds.ts';
import { beginningOf } from '../../../shared/questions/beginning.ts';
import { diagnosticHref, maxDiagnosticQuestions } from '../../../shared/questions/diagnostic.ts';
import { questionsOf } from '../../../shared/questions/question-html.ts';
import { asRead } from '../../../shared/rich-text/as-read.ts';
import { findDisciplineHead } from '../../content/index.ts';
import { administratorsBeforeBody, administratorsOnly } from '../../identity/index.ts';
import { type ChoosableItem, countLost, listChoosable, maxListed } from './choice.repository.ts';
import { chooseQuestions, disciplineGone } from './choice.service.ts';
import { themesOf } from './diagnostic.presenter.ts';

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'questions/diagnostic-choice': {
      discipline: { id: number; nom: string };
      prepa: { nom: string };
      items: ReturnType<typeof presentItem>[];
      most: number;
      /** Why the posted choice was not stored; null otherwise. */
      fault: string | null;
      /** Number of chosen questions that cannot be asked now. */
      lost: number;
      /** Address of the diagnostic; null without one. */
      href: string | null;
    };
  }
}

/** Longest beginning of a statement in the list, in characters. */
const shownLength = 140;

const questionId = z.string().regex(/^[a-z0-9]{12}$/, 'Question inconnue : rechargez la page.');
const choiceBody = z.object({
  question: z
    .union([questionId.transform((id) => [id]), z.array(questionId).max(1000)])
    .default([])
    .transform((ids) => [...new Set(ids)]),
});

/** Serves the page where an administrator chooses the questions of a discipline's diagnostic. */
export async function diagnosticChoicePages(instance: FastifyInstance): Promise<void> {
  const app = withZod(instance);
  const url = '/admin/discipline/:id/diagnostic';

  app.get(url, { ...administratorsOnly(app), schema: { params: idParams } }, async (request, reply) =>
    show(request, reply, request.params.id),
  );

  app.post(url, { ...administratorsBeforeBody(app), schema: { params: idParams, body: choiceBody } }, async (request, reply) => {
    const { id } = request.params;
    const { question: ids } = request.body;
    await answerForm(
      request,
      async () => {
        await chooseQuestions(request.em, request.context, request.actor, id, ids);
        reply.flash('success', ids.length === 0 ? "La version d'essai n'a plus de diagnostic." : 'Diagnostic enregistré.');
        return reply.redirect(`/admin/discipline/${id}/diagnostic`, 303);
      },
      (refused) => show(request, reply, id, { ...refused, ids }),
    );
    return reply;
  });
}

async function show(request: FastifyRequest, reply: FastifyReply, id: number, refused?: RefusedForm & { ids: readonly string[] }) {
  const { em } = request;
  const [discipline, items, lost] = await Promise.all([findDisciplineHead(em, id), listChoosable(em, id), countLost(em, id)]);
  if (!discipline) throw notFound(disciplineGone);
  if (refused) refusePage(reply, refused.error);
  const chosen = new Set(
    refused?.ids ?? items.flatMap(({ questions }) => questions.filter(({ isChosen }) => isChosen).map((question) => question.id)),
  );
  return reply.page('questions/diagnostic-choice', {
    title: `Diagnostic : ${discipline.nom}`,
    area: 'admin',
    noindex: true,
    discipline: { id, nom: discipline.nom },
    prepa: { nom: discipline.prepaNom },
    items: items.map((item) => presentItem(item, chosen)),
    most: maxDiagnosticQuestions,
    fault: refused?.error.message ?? null,
    lost,
    href: !refused && chosen.size > 0 ? diagnosticHref(discipline.prepaId, id) : null,
  });
}

function presentItem(item: ChoosableItem, chosen: ReadonlySet<string>) {
  const texts = new Map(questionsOf(item.contenu).map((html) => [html.id, html]));
  const themeOf = themesOf('', false);
  return {
    id: item.itemId,
    label: `${labelOf(item.kind, { numero_page: item.numeroPage, annee: item.annee })} : ${item.titre}`,
    isCut: item.questions.length === maxListed,
    questions: item.questions.flatMap(({ id }, index) => {
      const html = texts.get(id);
      if (!html) return [];
      const theme = themeOf({ id, item }).label;
      return [
        {
          id,
          number: index + 1,
          statement: beginningOf(asRead(html.statement), shownLength) || '[énoncé sans texte]',
          theme,
          isChosen: chosen.has(id),
        },
      ];
    }),
  };
}
