import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { notFound } from '../../../platform/errors.ts';
import { idSchema, withZod } from '../../../platform/http/validators.ts';
import type { PageData } from '../../../platform/pages/views.ts';
import { formatDate } from '../../../shared/dates.ts';
import { keepingLink } from '../../../shared/offline/keeping-link.ts';
import { type DiagnosticLink, diagnosticLink } from '../../../shared/questions/diagnostic.ts';
import { type presentDisciplines, presentOpenPrepa } from '../../../shared/study/disciplines-page.ts';
import type { presentCurve } from '../../../shared/study/marks.ts';
import type { StudyProgress } from '../../../shared/study/progress.ts';
import { coverPreview, presentDisciplineCard, presentPrepaCard } from '../../catalogue/index.ts';
import { endAfterExtension, flashNotEnrolled, isActive, refusalReason } from '../../enrolment/index.ts';
import { readBesideSession } from '../../identity/index.ts';
import { type PaymentKernel, paymentDialog, presentAttemptAt } from '../../payment/index.ts';
import { presentExamLinks, presentTrialExams } from '../../questions/index.ts';
import { presentPlanQuestion } from '../../revision/index.ts';
import { describeBuiltUp, findBuiltUp, studyProgress } from '../../training/index.ts';
import { presentContents } from '../contents/contents.presenter.ts';
import { findTrial, openedPrepaQuery } from './prepa.repository.ts';

const params = z.object({ prepaId: idSchema });

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'portal/disciplines': Omit<ReturnType<typeof presentDisciplines>, 'toasts'> & {
      /** The question for the date of the concours, on the first day of an access. */
      plan: ReturnType<typeof presentPlanQuestion> | null;
      trial: boolean;
      visitor: boolean;
      /** Reason for showing only the trial, when the learner had access before. */
      reason: string | null;
      /** The prepa; with its price in a trial where it can be paid. */
      prepa: { id: number; nom: string; prix?: string; montant?: number };
      /** Contents of the full prepa, in the trial. */
      contents: ReturnType<typeof presentContents> | null;
      /** Diagnostics of the disciplines, in the trial. */
      diagnostics: { nom: string; link: NonNullable<DiagnosticLink> }[];
      /** The next mock exams, in the trial. */
      exams: ReturnType<typeof presentTrialExams>;
      progress: StudyProgress['prepas'][number] | null;
      /** The learner's marks in this prepa; null for fewer than two. */
      curve: ReturnType<typeof presentCurve>;
      hasMarks: boolean;
      /** Links to the learner's marked items, and to the offline copy of the prepa. */
      studyLinks: StudyProgress['links'];
      /** HTML of the payment dialog, in a learner's trial. */
      paymentIsland: string;
    };
  }
}

/** Serves the disciplines of a prepa: entirely for enrolled learners, as a trial for everybody. */
export async function prepaPages(instance: FastifyInstance, { kernel }: { kernel: PaymentKernel }): Promise<void> {
  const app = withZod(instance);

  const openPrepa = openedPrepaQuery(app.headerColumn('$2'));

  app.get('/user/prepa/:prepaId', { schema: { params }, config: { ownSession: true } }, async (request, reply) => {
    const { prepaId } = request.params;
    const opened = await readBesideSession(request, reply, async (session) => {
      await app.readingJournal.flushSoon();
      return openPrepa(request, session, prepaId);
    });
    if (!opened) return reply;
    const now = request.context.clock.now();
    if (opened.enrolmentId === null || !isActive(opened, now)) {
      // The trial page itself says that an access has ended.
      if (opened.enrolmentId === null) await flashNotEnrolled(request, reply, prepaId);
      return reply.redirect(`/user/prepa/consultation/${prepaId}`, 303);
    }
    const rows = opened.disciplines ?? [];
    const progress = studyProgress(
      rows.map((row) => row.progress),
      opened.marked,
      opened.resume,
    );
    const cards = opened.disciplines && rows.map(presentDisciplineCard);
    const page = presentOpenPrepa(
      { id: prepaId, nom: opened.prepaNom },
      cards,
      progress,
      kernel.config.offline ? keepingLink(prepaId) : null,
      opened.marks,
    );
    return reply.framedPage('portal/disciplines', {
      noindex: true,
      learnerCss: true,
      diagnostics: [],
      exams: [],
      ...page,
      studyLinks: [...presentExamLinks(opened.exams, now), ...page.studyLinks],
      plan: opened.asksForDay ? presentPlanQuestion(prepaId, now) : null,
    });
  });

  app.get(
    '/user/prepa/consultation/:prepaId',
    { schema: { params }, config: { earlyHeader: true, paymentProvider: true } },
    async (request, reply) => {
      const { prepaId } = request.params;
      const { learner } = request;
      const now = request.context.clock.now();
      const found = await findTrial(request.em, prepaId, learner?.id ?? null, now);
      const enrolment = found?.enrolment ?? null;
      if (enrolment && isActive(enrolment, now)) return reply.redirect(`/user/prepa/${prepaId}`, 303);
      if (!found?.prepa.isPublished) throw notFound("Cette préparation n'existe pas ou n'est plus disponible.");
      const { prepa, attempt } = found;
      const visitor = learner === null;
      const until = endAfterExtension(null, now);
      const done = learner && enrolment ? await findBuiltUp(request.em, learner.id, prepaId) : null;
      const builtUp = done && describeBuiltUp(done);
      const exams = presentTrialExams(prepa.exams, now);
      const present = (): PageData<'portal/disciplines'> => {
        const origin = app.siteOrigin(request);
        const card = presentPrepaCard(prepa);
        const contents = presentContents(prepa);
        return {
          title: prepa.nom,
          description: card.description,
          canonical: `${origin}/user/prepa/consultation/${prepaId}`,
          learnerCss: true,
          ...(prepa.image ? { og: coverPreview(prepa.image, origin) } : {}),
          plan: null,
          trial: true,
          visitor,
          reason: enrolment ? [refusalReason(enrolment, now), ...(builtUp ? [builtUp] : [])].join(' ') : null,
          prepa: { id: prepa.id, nom: prepa.nom, prix: card.prix, montant: card.montant },
          contents,
          diagnostics: prepa.disciplines.flatMap(({ id, nom, diagnostic }) => {
            const link = diagnosticLink(prepaId, id, diagnostic);
            return link ? [{ nom, link }] : [];
          }),
          disciplines: prepa.disciplines.map((row) => ({ ...presentDisciplineCard(row), progress: null })),
          exams,
          error: null,
          progress: null,
          curve: null,
          hasMarks: false,
          studyLinks: [],
          paymentIsland: visitor
            ? ''
            : paymentDialog(reply, kernel, {
                prepa: null,
                until,
                trial: true,
                attempts: presentAttemptAt(kernel.providers, prepaId, attempt),
              }),
        };
      };
      // A past access and an open payment are personal, so this page is not cached.
      if (enrolment || attempt) return reply.framedPage('portal/disciplines', present());
      return reply.versionedPage('portal/disciplines', [prepa, exams, visitor || formatDate(until)], async () => present());
    },
  );
}
