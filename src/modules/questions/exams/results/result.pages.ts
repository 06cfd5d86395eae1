import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError, notFound } from '../../../../platform/errors.ts';
import { idParams, withZod } from '../../../../platform/http/validators.ts';
import { sayCount, sayRank } from '../../../../shared/exams/standing.ts';
import { faultOfPoints, formatPoints, parsePoints, sumOf } from '../../../../shared/study/points.ts';
import { answerLimit } from '../../answers/answer.limit.ts';
import type { MarkedExams } from './marked-exams.ts';
import { pseudonymBody } from './pseudonym.ts';
import { presentResult, type RefusedEntry, resultHref, sayListed } from './result.presenter.ts';
import { findOwnResult, listedRanks, listPseudonyms, type OwnResultRow } from './result.repository.ts';
import { addMistakes, findMistakes, keepPseudonym, keepSelfMark } from './result.service.ts';

declare module '../../../../platform/pages/views.ts' {
  interface PageLocals {
    'questions/exam-result': ReturnType<typeof presentResult>;
    'questions/exam-ranking': {
      titre: string;
      result: string;
      listedOf: string;
      listed: { rank: string; points: string; pseudonym: string; own: boolean }[];
    };
  }
}

type Published = OwnResultRow & { markedAt: Date; publishedAt: Date };

/** Whether the results are published, and the learner has one. */
const hasResult = (own: OwnResultRow): own is Published => own.markedAt !== null && own.publishedAt !== null && own.points !== null;

/** Points as they are typed: one field for each part of the scale, or one for the whole subject. One field of a form is a text, several are a list. */
const noteBody = z.object({
  epreuve: idParams.shape.id,
  'points[]': z.preprocess((posted) => (Array.isArray(posted) ? posted : [posted]), z.array(z.string().max(20)).max(50)),
});

/** Returns what is wrong with the points of a past subject, in French by the field's index. An empty field counts 0, if not all are empty. */
function faultsOfMark(typed: readonly string[], { parts, possible }: { parts: readonly { max: number }[]; possible: number }) {
  const maxima = parts.length > 0 ? parts.map(({ max }) => max) : [possible];
  if (typed.length !== maxima.length || typed.every((text) => text.trim() === '')) return { 0: 'Écrivez un nombre, par exemple 3,5' };
  return Object.fromEntries(
    maxima.flatMap((max, index) => {
      const fault = faultOfPoints(typed[index] ?? '', max);
      return fault === null ? [] : [[index, fault]];
    }),
  ) as Record<number, string>;
}

/** Serves a candidate's own result after the publication, and the public list of pseudonyms. Nobody sees another candidate's result. */
export async function resultPages(instance: FastifyInstance, { exams }: { exams: MarkedExams }): Promise<void> {
  const app = withZod(instance);
  const base = '/user/concours-blancs/:id';
  const guarded = { preHandler: [app.requireLearner], schema: { params: idParams } };
  const posted = {
    preValidation: [app.requireLearner],
    config: { authored: true, formPage: ({ url }: FastifyRequest) => url.replace(/[^/]+$/, 'resultat') },
  };

  /** Returns the learner's row of an exam. @throws AppError 404 for an exam that is not announced */
  const ownOf = async (request: FastifyRequest, id: number): Promise<OwnResultRow> => {
    const own = await findOwnResult(request.em, request.signedInLearner.id, id, request.context.clock.now());
    if (!own) throw notFound("Ce concours blanc n'existe pas ou n'existe plus.");
    return own;
  };
  const requireResult = async (request: FastifyRequest, id: number): Promise<Published> => {
    const own = await ownOf(request, id);
    if (!hasResult(own)) throw notFound("Vous n'avez pas de résultat dans ce concours blanc.");
    return own;
  };

  const sendResult = async (request: FastifyRequest, reply: FastifyReply, own: Published, refused?: RefusedEntry) => {
    const exam = await exams.find(request.em, own);
    const { mistakes } = await findMistakes(request.em, request.signedInLearner.id, own, exam, request.context.clock.now());
    const shown = presentResult(own, exam, mistakes.length, refused);
    if (refused) reply.code(400).header('cache-control', 'no-store');
    const formulas = [...shown.questions.map(({ lead, html }) => lead + html), ...shown.subjects.map(({ corrige }) => corrige ?? '')];
    return reply.page('questions/exam-result', {
      ...shown,
      noindex: true,
      learnerCss: true,
      examCss: true,
      formulas: formulas.some((html) => html.includes('<math')),
    });
  };

  app.get(`${base}/resultat`, { ...guarded, config: { authored: true, earlyHeader: true } }, async (request, reply) => {
    const own = await ownOf(request, request.params.id);
    if (!hasResult(own)) return reply.redirect(`/user/concours-blancs/${own.id}`, 303);
    return sendResult(request, reply, own);
  });

  app.get(`${base}/classement`, guarded, async (request, reply) => {
    const own = await ownOf(request, request.params.id);
    const { id, markedAt, publishedAt, bareme } = own;
    if (markedAt === null || publishedAt === null || !(own.maySit || own.startedAt !== null))
      return reply.redirect(`/user/concours-blancs/${own.id}`, 303);
    const rows = await listPseudonyms(request.em, own.id, request.signedInLearner.id);
    return reply.page('questions/exam-ranking', {
      title: `Classement : ${own.titre}`,
      titre: own.titre,
      noindex: true,
      learnerCss: true,
      examCss: true,
      result: hasResult(own) ? resultHref(own.id) : `/user/concours-blancs/${own.id}`,
      listedOf: sayListed((await exams.find(request.em, { id, markedAt, bareme })).candidates),
      listed: rows.map(({ rank, points, pseudonym, own: isOwn }) => ({
        rank: sayRank(rank),
        points: formatPoints(points).replace('-', '−'),
        pseudonym,
        own: isOwn,
      })),
    });
  });

  app.post(`${base}/erreurs`, { ...posted, schema: { params: idParams } }, async (request, reply) => {
    const own = await requireResult(request, request.params.id);
    const learner = request.signedInLearner.id;
    await answerLimit.consume(learner);
    const { wrong, added } = await addMistakes(request.em, learner, own, await exams.find(request.em, own), request.context.clock.now());
    reply.flash(added > 0 ? 'success' : 'info', sayAdded(wrong, added));
    return reply.redirect(added > 0 ? '/user/erreurs' : resultHref(own.id), 303);
  });

  app.post(`${base}/pseudonyme`, { ...posted, schema: { params: idParams, body: pseudonymBody } }, async (request, reply) => {
    const own = await requireResult(request, request.params.id);
    const learner = request.signedInLearner.id;
    await answerLimit.consume(learner);
    const { pseudonyme, retirer } = request.body;
    if (!retirer && own.rank > listedRanks) throw notFound(`La liste montre les ${listedRanks} premiers.`);
    try {
      await keepPseudonym(request.em, request.context, learner, own.id, retirer ? null : pseudonyme);
      reply.flash('success', retirer ? 'Votre pseudonyme est retiré de la liste.' : 'Votre pseudonyme est dans la liste.');
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'EXAM.PSEUDONYM') throw error;
      return sendResult(request, reply, own, { pseudonym: { typed: pseudonyme, fault: error.message } });
    }
    return reply.redirect(`${resultHref(own.id)}#liste`, 303);
  });

  app.post(`${base}/note`, { ...posted, schema: { params: idParams, body: noteBody } }, async (request, reply) => {
    const own = await requireResult(request, request.params.id);
    const learner = request.signedInLearner.id;
    await answerLimit.consume(learner);
    const { epreuve, 'points[]': typed } = request.body;
    const { papers } = await exams.find(request.em, own);
    const subject = papers.find(({ id }) => id === epreuve)?.subject;
    if (!subject) throw notFound("Cette épreuve n'est pas dans ce concours blanc.");
    const faults = faultsOfMark(typed, subject);
    if (Object.keys(faults).length > 0) return sendResult(request, reply, own, { note: { epreuve, typed, faults } });
    const points = sumOf(typed.map((text) => parsePoints(text) ?? 0));
    await keepSelfMark(request.em, learner, epreuve, points, request.context.clock.now());
    reply.flash('success', 'Votre note est gardée.');
    return reply.redirect(`${resultHref(own.id)}#sujet-${epreuve}`, 303);
  });
}

/** @param wrong number of wrong answers @param added how many of them are in 'Mes erreurs' */
function sayAdded(wrong: number, added: number): string {
  if (wrong === 0) return "Aucune réponse fausse : il n'y a rien à ajouter.";
  const left = wrong - added;
  if (added === 0)
    return 'Rien à ajouter : ces questions ne sont pas publiées dans vos préparations en cours, ou leur réponse a changé. Relisez-les ici.';
  const said = added === 1 ? 'Une erreur est dans votre révision.' : `${sayCount(added)} erreurs sont dans votre révision.`;
  if (left === 0) return said;
  return `${said} ${left === 1 ? "Une autre n'y est pas" : `${sayCount(left)} autres n'y sont pas`} : question non publiée dans vos préparations en cours, ou dont la réponse a changé.`;
}
