import type { EntityManager } from '@mikro-orm/postgresql';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ReadCache } from '../../../../platform/database/read-cache.ts';
import { notFound } from '../../../../platform/errors.ts';
import { idParams, withZod } from '../../../../platform/http/validators.ts';
import { answerForm, type Form, faultsOf, type RefusedForm, refusePage, typedField } from '../../../../platform/pages/form-answer.ts';
import { formatInstant } from '../../../../shared/dates.ts';
import { maxCorrectionReason } from '../../../../shared/exams/exam-form.ts';
import { examState } from '../../../../shared/exams/exam-state.ts';
import { type QuestionStanding, questionStandings, standingNames } from '../../../../shared/exams/exam-words.ts';
import { parseForm } from '../../../../shared/forms/field-errors.ts';
import { asRead } from '../../../../shared/rich-text/as-read.ts';
import type { QuestionKind } from '../../../../shared/rich-text/question-kinds.ts';
import { administratorsBeforeBody, administratorsOnly, invalidForm } from '../../../identity/index.ts';
import { type ExamRow, findExam } from '../exam/exam.repository.ts';
import { correctQuestion } from '../marking/correction.service.ts';
import { findPapers } from '../papers/paper.repository.ts';
import { basePath, examHref } from './addresses.ts';
import { type CorrectionForm, correctionOf, correctionSchema, typedCorrection } from './correction-form.ts';
import { type AnswerCounts, countAnswers, listCorrections, listQuestions } from './exam.administration.repository.ts';
import { examGone } from './exam.errors.ts';
import { choicesOf, presentQuestion, questionTexts } from './question.presenter.ts';

declare module '../../../../platform/pages/views.ts' {
  interface PageLocals {
    'questions/admin-exam-questions': {
      exam: { titre: string; href: string };
      isMarked: boolean;
      questions: ReturnType<typeof presentQuestion>[];
      corrections: { position: number; standing: string; reason: string; at: string }[];
    };
    'questions/admin-exam-question': {
      exam: { titre: string; href: string };
      isPublished: boolean;
      isMarked: boolean;
      question: ReturnType<typeof presentQuestion> & { kind: QuestionKind; whole: string; unit: string };
      choices: ReturnType<typeof choicesOf>;
      standings: { value: QuestionStanding; name: string }[];
      form: CorrectionForm;
      errors: Record<string, string>;
      message: string | null;
      maxReason: number;
    };
  }
}

const questionParams = idParams.extend({ question: z.string().regex(/^[\w-]{1,12}$/) });
const url = `${basePath}/:id`;

const standingTexts: Record<QuestionStanding, string> = {
  counted: 'La compter, avec la réponse attendue ci-dessous',
  neutralised: 'La neutraliser : elle ne compte pour personne',
  given: 'Donner le point à tous, quelle que soit leur réponse',
};

/** Serves the questions of an announced exam, and the correction of one: neutralised, given to everybody, or with another key. */
export async function examQuestionPages(instance: FastifyInstance): Promise<void> {
  const app = withZod(instance);
  const guarded = administratorsOnly(app);
  const authored = { ...guarded, config: { ...guarded.config, authored: true } };

  app.get(`${url}/questions`, { ...authored, schema: { params: idParams } }, async (request, reply) => {
    const { id } = request.params;
    const { exam, rows, texts } = await readQuestions(request, id);
    const [corrections, counts] = await Promise.all([listCorrections(request.em, id), readCounts(request, exam)]);
    return reply.page('questions/admin-exam-questions', {
      title: `Questions : ${exam.titre}`,
      area: 'admin',
      exam: { titre: exam.titre, href: examHref(id) },
      isMarked: exam.markedAt !== null,
      questions: rows.map((row) => presentQuestion(id, row, texts.get(row.questionId), counts)),
      corrections: corrections.map(({ position, standing, reason, correctedAt }) => ({
        position,
        standing: standing === 'counted' ? 'Réponse attendue corrigée, ou de nouveau comptée' : standingNames[standing],
        reason,
        at: formatInstant(new Date(correctedAt)),
      })),
    });
  });

  app.get(`${url}/questions/:question`, { ...authored, schema: { params: questionParams } }, (request, reply) =>
    sendQuestion(request, reply, request.params.id, request.params.question),
  );

  const posting = administratorsBeforeBody(app);
  app.post(
    `${url}/correction`,
    { ...posting, config: { ...posting.config, authored: true }, schema: { params: idParams } },
    async (request, reply) => {
      const { id } = request.params;
      await answerForm(
        request,
        async (form) => {
          await correct(request, id, form);
          return reply.flash('success', 'Correction enregistrée.').redirect(`${examHref(id)}/questions`, 303);
        },
        (refused) => {
          if (refused.error.status === 404) throw refused.error;
          return sendQuestion(request, reply, id, typedField(refused.form, 'question'), refused);
        },
      );
      return reply;
    },
  );
}

async function correct(request: FastifyRequest, examId: number, form: Form): Promise<void> {
  const questionId = typedField(form, 'question');
  const { rows } = await readQuestions(request, examId);
  const row = rows.find((known) => known.questionId === questionId);
  if (!row) throw questionGone();
  const { data, errors } = parseForm(correctionSchema, form);
  if (errors) throw invalidForm(errors);
  await correctQuestion(request.em, request.context, request.actor, {
    examId,
    questionId,
    standing: data.compte,
    key: data.compte === 'counted' ? correctionOf(row.key.kind, typedCorrection(form)) : undefined,
    reason: data.raison,
  });
}

const questionGone = () => notFound("Cette question n'est pas dans ce concours blanc.");

/** @throws AppError 404 without an announced exam */
async function readQuestions(request: FastifyRequest, id: number) {
  const exam = await findExam(request.em, id);
  if (!exam?.announcedAt) throw examGone();
  const [rows, papers] = await Promise.all([listQuestions(request.em, id), findPapers(request.em, id)]);
  return { exam, rows, texts: questionTexts(papers) };
}

/** Marked exams whose counts are kept in memory. */
const keptExams = 20;
const kept = new ReadCache<string, AnswerCounts, { em: EntityManager; id: number }>({
  max: keptExams,
  fetchMethod: (_version, _stale, { context: { em, id } }) => countAnswers(em, id),
});

/** Returns how a marked exam was answered; null before the marking. Counted once for each marking. */
async function readCounts(request: FastifyRequest, { id, markedAt }: Pick<ExamRow, 'id' | 'markedAt'>): Promise<AnswerCounts | null> {
  if (!markedAt) return null;
  return kept.forceFetch(`${id} ${markedAt.getTime()}`, { context: { em: request.em, id } });
}

async function sendQuestion(
  request: FastifyRequest,
  reply: FastifyReply,
  id: number,
  questionId: string,
  refused?: RefusedForm,
): Promise<FastifyReply> {
  const { exam, rows, texts } = await readQuestions(request, id);
  const row = rows.find((known) => known.questionId === questionId);
  if (!row) throw questionGone();
  if (refused) refusePage(reply, refused.error);
  const html = texts.get(questionId);
  const { key } = row;
  const state = examState(exam, request.context.clock.now());
  return reply.page('questions/admin-exam-question', {
    title: `Question ${row.position} : ${exam.titre}`,
    area: 'admin',
    exam: { titre: exam.titre, href: examHref(id) },
    isPublished: state === 'published',
    isMarked: exam.markedAt !== null,
    question: {
      ...presentQuestion(id, row, html, await readCounts(request, exam)),
      kind: key.kind,
      whole: asRead(html?.statement ?? ''),
      unit: key.unit,
    },
    choices: choicesOf(html),
    standings: questionStandings.map((value) => ({ value, name: standingTexts[value] })),
    form: refused
      ? typedCorrection(refused.form)
      : {
          compte: row.standing,
          choix: key.right,
          valeur: key.value,
          tolerance: key.tolerance,
          acceptees: key.accepted.join('\n'),
          raison: '',
        },
    errors: refused ? faultsOf(refused.error) : {},
    message: refused?.error.message ?? null,
    maxReason: maxCorrectionReason,
  });
}
