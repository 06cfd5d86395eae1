import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { idParams, withZod } from '../../../../platform/http/validators.ts';
import { orAbsent, pageOf, rowIdSchema } from '../../../../platform/pages/filtered-list.ts';
import { answerForm, type Form, faultsOf, type RefusedForm, refusePage } from '../../../../platform/pages/form-answer.ts';
import { announcedExamSchema, draftExamSchema, examLimits } from '../../../../shared/exams/exam-form.ts';
import { examState } from '../../../../shared/exams/exam-state.ts';
import { audienceNames, examAudiences } from '../../../../shared/exams/exam-words.ts';
import { parseForm } from '../../../../shared/forms/field-errors.ts';
import { administratorsBeforeBody, administratorsOnly, invalidForm } from '../../../identity/index.ts';
import { type ExamRow, findExam } from '../exam/exam.repository.ts';
import { basePath, examHref } from './addresses.ts';
import { listExams, listPrepas, pageSize } from './exam.administration.repository.ts';
import { examGone, notInThisState } from './exam.errors.ts';
import { changeAnnouncedExam, changeDraftExam, createExam } from './exam.service.ts';
import { emptyExam, type FormValues, presentListed, readRevision, storedValues, typedValues } from './exam-form.presenter.ts';

declare module '../../../../platform/pages/views.ts' {
  interface PageLocals {
    'questions/admin-exams': {
      exams: ReturnType<typeof presentListed>[];
      newest: string | null;
      older: string | null;
      /** Whether there is a prepa, without which no exam can be prepared. */
      canCreate: boolean;
    };
    'questions/admin-exam-form': {
      heading: string;
      action: string;
      back: string;
      /** Only some fields of an announced exam can be changed. */
      isAnnounced: boolean;
      /** The exam is open: its opening stays. */
      isOpen: boolean;
      revision: number | null;
      values: FormValues;
      errors: Record<string, string>;
      /** Why the form was not stored; null otherwise. */
      message: string | null;
      /** After a conflict, the stored values that differ from the typed ones. */
      stored: { name: string; value: string }[];
      prepas: { id: number; nom: string }[];
      audiences: { value: string; name: string }[];
      limits: typeof examLimits;
    };
  }
}

const query = z.object({ avant: orAbsent(rowIdSchema) });

/** Serves the list of mock exams and the form of an exam. */
export async function examFormPages(instance: FastifyInstance): Promise<void> {
  const app = withZod(instance);
  const guarded = administratorsOnly(app);
  const posting = administratorsBeforeBody(app);
  app.contributeToMenu({ href: basePath, name: 'Concours blancs', order: 12 });

  app.get(basePath, { ...guarded, schema: { querystring: query } }, async (request, reply) => {
    const { avant } = request.query;
    const [found, prepas] = await Promise.all([listExams(request.em, { before: avant, limit: pageSize + 1 }), listPrepas(request.em)]);
    const { rows, newest, older } = pageOf(basePath, found, pageSize, { avant });
    const now = request.context.clock.now();
    return reply.page('questions/admin-exams', {
      title: 'Concours blancs',
      area: 'admin',
      exams: rows.map((row) => presentListed(row, now)),
      newest,
      older,
      canCreate: prepas.length > 0,
    });
  });

  app.get(`${basePath}/nouveau`, guarded, (request, reply) => sendForm(request, reply, null));

  app.post(basePath, posting, async (request, reply) => {
    await answerForm(
      request,
      async (form) => {
        const { data, errors } = parseForm(draftExamSchema(request.context.clock.now()), form);
        if (errors) throw invalidForm(errors);
        const id = await createExam(request.em, request.context, request.actor, data);
        return reply.flash('success', 'Concours blanc enregistré. Choisissez ses épreuves.').redirect(`${examHref(id)}/epreuves`, 303);
      },
      (refused) => sendForm(request, reply, null, refused),
    );
    return reply;
  });

  app.get(`${basePath}/:id/modifier`, { ...guarded, schema: { params: idParams } }, async (request, reply) =>
    sendForm(request, reply, await requireEditable(request, request.params.id)),
  );

  app.post(`${basePath}/:id/modifier`, { ...posting, schema: { params: idParams } }, async (request, reply) => {
    const { id } = request.params;
    await answerForm(
      request,
      async (form) => {
        await save(request, await requireEditable(request, id), form);
        return reply.flash('success', 'Concours blanc enregistré.').redirect(examHref(id), 303);
      },
      async (refused) => {
        if (refused.error.status === 404) throw refused.error;
        const exam = await findExam(request.em, id);
        if (!exam) throw examGone();
        return sendForm(request, reply, exam, refused);
      },
    );
    return reply;
  });
}

async function save(request: FastifyRequest, exam: ExamRow, form: Form): Promise<void> {
  const now = request.context.clock.now();
  const revision = readRevision(form);
  const { em, context, actor } = request;
  if (exam.announcedAt) {
    const { data, errors } = parseForm(announcedExamSchema(exam, now), form);
    if (errors) throw invalidForm(errors);
    return changeAnnouncedExam(em, context, actor, { id: exam.id, revision, form: data });
  }
  const { data, errors } = parseForm(draftExamSchema(now), form);
  if (errors) throw invalidForm(errors);
  return changeDraftExam(em, context, actor, { id: exam.id, revision, form: data });
}

/** @throws AppError 404, 409 once the exam is over */
async function requireEditable(request: FastifyRequest, id: number): Promise<ExamRow> {
  const exam = await findExam(request.em, id);
  if (!exam) throw examGone();
  const state = examState(exam, request.context.clock.now());
  if (state === 'draft' || state === 'announced' || state === 'open') return exam;
  throw notInThisState('Ce concours blanc est terminé : il ne se modifie plus.');
}

async function sendForm(request: FastifyRequest, reply: FastifyReply, exam: ExamRow | null, refused?: RefusedForm): Promise<FastifyReply> {
  if (refused) refusePage(reply, refused.error);
  const now = request.context.clock.now();
  const stored = exam ? storedValues(exam) : null;
  const typed = refused ? typedValues(refused.form, stored) : null;
  const isConflict = refused?.error.status === 409;
  const prepas = await listPrepas(request.em);
  const names: Record<keyof FormValues, string> = {
    prepa: 'Préparation',
    titre: 'Titre',
    ouverture: 'Ouverture',
    fermeture: 'Fermeture',
    duree: 'Durée',
    grace: 'Délai de réception',
    bareme: 'Barème',
    audience: 'Qui peut composer',
    consignes: 'Consignes',
  };
  const differing = stored && typed ? (Object.keys(names) as (keyof FormValues)[]).filter((name) => typed[name] !== stored[name]) : [];
  return reply.page('questions/admin-exam-form', {
    title: exam ? `Modifier : ${exam.titre}` : 'Nouveau concours blanc',
    area: 'admin',
    heading: exam ? 'Modifier le concours blanc' : 'Nouveau concours blanc',
    action: exam ? `${examHref(exam.id)}/modifier` : basePath,
    back: exam ? examHref(exam.id) : basePath,
    isAnnounced: exam?.announcedAt != null,
    isOpen: exam !== null && examState(exam, now) === 'open',
    // After a conflict the next save is of what the page shows beside the fields. After another fault the page still has seen the same exam.
    revision: refused && !isConflict ? readRevision(refused.form) : (exam?.revision ?? null),
    values: typed ?? stored ?? emptyExam,
    errors: refused ? faultsOf(refused.error) : {},
    message: refused?.error.message ?? null,
    stored: isConflict && stored ? differing.map((name) => ({ name: names[name], value: sayStored(name, stored[name], prepas) })) : [],
    prepas,
    audiences: examAudiences.map((value) => ({ value, name: audienceNames[value] })),
    limits: examLimits,
  });
}

function sayStored(name: keyof FormValues, value: string, prepas: { id: number; nom: string }[]): string {
  if (name === 'prepa') return prepas.find(({ id }) => String(id) === value)?.nom ?? value;
  if (name === 'audience') return audienceNames[value as keyof typeof audienceNames] ?? value;
  return value.replace(/^(\d{4})-(\d{2})-(\d{2})T(\d{2}:\d{2})$/, '$3/$2/$1 $4') || '(vide)';
}
