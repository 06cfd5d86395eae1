import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { idParams, withZod } from '../../../../platform/http/validators.ts';
import { listAddress, orAbsent, rowIdSchema } from '../../../../platform/pages/filtered-list.ts';
import { answerForm, type RefusedForm, refusePage, typedField } from '../../../../platform/pages/form-answer.ts';
import { administratorsBeforeBody, administratorsOnly, invalidForm } from '../../../identity/index.ts';
import { findExam } from '../exam/exam.repository.ts';
import { examHref } from './addresses.ts';
import { examGone } from './exam.errors.ts';
import { counted, instantOf, paperKindNames } from './exam-words.ts';
import { presentPaper } from './paper.presenter.ts';
import { listDisciplines, listPapers, listSources, maxListed, type SourceRow } from './paper.repository.ts';
import { changePapers, maxPapers, type PaperChange, paperMoves } from './paper.service.ts';

declare module '../../../../platform/pages/views.ts' {
  interface PageLocals {
    'questions/admin-exam-papers': {
      exam: { titre: string; prepa: string; href: string };
      action: string;
      papers: ReturnType<typeof presentPaper>[];
      sources: ReturnType<typeof presentSource>[];
      /** More are there than the page lists. */
      isCut: boolean;
      isFull: boolean;
      disciplines: { id: number; nom: string }[];
      filters: { discipline: number | null; titre: string };
      isFiltered: boolean;
      message: string | null;
    };
  }
}

const querystring = z.object({
  discipline: orAbsent(rowIdSchema),
  titre: orAbsent(
    z
      .string()
      .max(100)
      .transform((text) => text.replaceAll('\0', '').toWellFormed().trim()),
  ),
});
type Filters = z.output<typeof querystring>;

/** Serves the choice of an exam's papers. Each button of its form is one change. */
export async function paperPages(instance: FastifyInstance): Promise<void> {
  const app = withZod(instance);
  const url = '/admin/concours-blancs/:id/epreuves';
  const schema = { params: idParams, querystring };

  app.get(url, { ...administratorsOnly(app), schema }, (request, reply) => sendPapers(request, reply, request.params.id, request.query));

  app.post(url, { ...administratorsBeforeBody(app), schema }, async (request, reply) => {
    const { id } = request.params;
    await answerForm(
      request,
      async (form) => {
        const change = readChange(typedField(form, 'action'));
        if (!change) throw invalidForm([{ field: 'action', message: 'Choisissez une épreuve' }]);
        await changePapers(request.em, request.context, request.actor, { examId: id, change });
        return reply.redirect(`${listAddress(`${examHref(id)}/epreuves`, request.query)}${anchorOf(change)}`, 303);
      },
      (refused) => {
        if (refused.error.status === 404) throw refused.error;
        return sendPapers(request, reply, id, request.query, refused);
      },
    );
    return reply;
  });
}

/** Reads a button's value: 'monter-12'. */
function readChange(typed: string): PaperChange | null {
  const [, word, id] = /^([a-z]+)-([1-9]\d{0,9})$/.exec(typed) ?? [];
  const move = paperMoves.find((known) => known === word);
  return move && Number(id) <= 2_147_483_647 ? { move, id: Number(id) } : null;
}

/** The page opens where the button was. */
const anchorOf = ({ move, id }: PaperChange): string => (move === 'monter' || move === 'descendre' ? `#epreuve-${id}` : '');

async function sendPapers(
  request: FastifyRequest,
  reply: FastifyReply,
  id: number,
  { discipline, titre }: Filters,
  refused?: RefusedForm,
): Promise<FastifyReply> {
  const exam = await findExam(request.em, id);
  if (!exam) throw examGone();
  if (exam.announcedAt) return reply.redirect(examHref(id), 303);
  if (refused) refusePage(reply, refused.error);
  const [papers, found, disciplines] = await Promise.all([
    listPapers(request.em, id),
    listSources(request.em, exam.prepaId, { discipline: discipline ?? null, titre: titre || null }),
    listDisciplines(request.em, exam.prepaId),
  ]);
  const chosen = new Set(papers.map(({ sourceId }) => sourceId));
  return reply.page('questions/admin-exam-papers', {
    title: `Épreuves : ${exam.titre}`,
    area: 'admin',
    exam: { titre: exam.titre, prepa: exam.prepaNom, href: examHref(id) },
    action: listAddress(`${examHref(id)}/epreuves`, { discipline, titre: titre || undefined }),
    papers: papers.map((paper) => presentPaper(paper, exam, request.context.clock.now())),
    sources: found
      .slice(0, maxListed)
      .filter((source) => !chosen.has(source.id))
      .map(presentSource),
    isCut: found.length > maxListed,
    isFull: papers.length >= maxPapers,
    disciplines,
    filters: { discipline: discipline ?? null, titre: titre ?? '' },
    isFiltered: discipline !== undefined || Boolean(titre),
    message: refused?.error.message ?? null,
  });
}

function presentSource({ id, titre, kind, discipline, isPublished, isDraft, publishAt, questions }: SourceRow) {
  return {
    id,
    titre,
    note: [discipline, paperKindNames[kind], ...(kind === 'quiz' ? [counted(questions, 'question')] : [])].join(' · '),
    state: isPublished ? (isDraft ? 'Publié, avec un brouillon' : 'Publié') : 'Brouillon',
    isPublished,
    planned: publishAt && !isPublished ? instantOf(new Date(publishAt)).text : null,
  };
}
