import fp from 'fastify-plugin';
import { registerCalls } from '../../platform/http/calls.ts';
import type { DomainEvents } from '../../platform/use-cases/events.ts';
import type { ModuleKernel } from '../../platform/use-cases/kernel-access.ts';
import { Answer } from './answers/answer.entity.ts';
import { answerRoutes } from './answers/answer.routes.ts';
import { SeriesAttempt } from './answers/attempt.entity.ts';
import { questionPages } from './answers/question.pages.ts';
import { QuestionState } from './answers/question-state.entity.ts';
import { diagnosticChoicePages } from './diagnostic/choice.pages.ts';
import { diagnosticPages } from './diagnostic/diagnostic.pages.ts';
import { errorPages } from './errors/error.pages.ts';
import { examAdministrationPages } from './exams/administration/administration.pages.ts';
import { examMetrics } from './exams/administration/exam.metrics.ts';
import { subscribeToDeletions } from './exams/administration/exam.subscriptions.ts';
import { examListPages } from './exams/announcements/list.pages.ts';
import { examPurpose } from './exams/announcements/sign-in-purpose.ts';
import { Exam, ExamCorrection, ExamPaper, ExamQuestion, ExamSeal } from './exams/exam/exam.entity.ts';
import { ExamBatch, ExamJudgement, ExamResult, ExamSelfMark, ExamSitting } from './exams/exam/sitting.entity.ts';
import { PaperCache } from './exams/papers/paper-cache.ts';
import { Seals } from './exams/papers/seal.repository.ts';
import { sealRoutes } from './exams/papers/seal.routes.ts';
import { analysisPages } from './exams/results/analysis.pages.ts';
import { MarkedExams } from './exams/results/marked-exams.ts';
import { examPicturePages } from './exams/results/picture.pages.ts';
import { resultPages } from './exams/results/result.pages.ts';
import { roomPages } from './exams/rooms/room.pages.ts';
import { sheetPages } from './exams/rooms/sheet.pages.ts';
import { sittingRoutes } from './exams/sittings/sitting.routes.ts';
import { answerPrunings } from './retention/answer.prunings.ts';
import { subscribe } from './retention/learner.subscriptions.ts';
import { attemptPages } from './series/attempt.pages.ts';
import { attemptRoutes } from './series/attempt.routes.ts';
import { startPages } from './series/start.pages.ts';
import { statisticsPages } from './statistics/statistics.pages.ts';

export { answerLimit } from './answers/answer.limit.ts';
export { letteredSql, recordAnswers, sectionSql } from './answers/answer.repository.ts';
export { answerUnder, keyFrom, maxAnswerSeconds, questionGone, questionId } from './answers/answer.service.ts';
export { partsAsRead } from './answers/parts-as-read.ts';
export { pageAbove, pageOfForm, typedIn, unsentQuery } from './answers/unsent-answer.ts';
export { errorCount } from './errors/error.repository.ts';
export {
  countExam,
  findReceipt,
  listExams,
  listLate,
  listQuestions,
  maxLate,
} from './exams/administration/exam.administration.repository.ts';
export { findChoices } from './exams/administration/question.presenter.ts';
export { checkSeal } from './exams/administration/seal-check.ts';
export { countUnmarked, listOpening } from './exams/administration/watch.repository.ts';
export { presentExamLinks, presentFreeExams, presentTrialExams, presentUpcomingExams } from './exams/announcements/announced.presenter.ts';
export { listFreeExams, type UpcomingExam, upcomingExamsSql } from './exams/announcements/announced.repository.ts';
export { Exam } from './exams/exam/exam.entity.ts';
export { findExam, maySit } from './exams/exam/exam.repository.ts';
export { correctQuestion } from './exams/marking/correction.service.ts';
export { decideLate, markExam, publishResults } from './exams/marking/marking.service.ts';
export { examHref } from './exams/rooms/exam.presenter.ts';
export { type DeviceAnswer, finishAnsweredSeries, takeDeviceAnswers } from './from-devices/device-answers.ts';

/** Loads the module that answers the demonstration's questions. Only one command needs it. */
export const demonstrationAnswers = () => import('./demonstration/index.ts');

/** Learners' answers to the questions of texts. The questions themselves belong to `content`, which stores them with their texts. */
const plugin = fp<{ kernel: ModuleKernel }>(
  async (app, { kernel }) => {
    const { readsLimit: reads, pictureSigner: signer } = app;
    await registerCalls(app, answerRoutes, { reads, signer });
    await app.register(questionPages, { reads, signer });
    await registerCalls(app, attemptRoutes, { reads, signer });
    await app.register(errorPages, { reads, signer });
    app.contributeToLearnerMenu({ href: '/user/erreurs', label: 'Mes erreurs', icon: 'M6 6l12 12M18 6L6 18' });
    await app.register(diagnosticPages, { signer });
    await app.register(diagnosticChoicePages);
    await app.register(startPages);
    await app.register(attemptPages, { reads, signer });
    await app.register(statisticsPages);
    await app.register(examAdministrationPages);
    app.exposeMetrics(...examMetrics(kernel));
    await app.register(examListPages);
    app.signInPurposes.push(examPurpose);
    const seals = new Seals();
    await registerCalls(app, sealRoutes, { seals });
    await registerCalls(app, sittingRoutes, {});
    const exams = new MarkedExams();
    await app.register(resultPages, { exams });
    await app.register(analysisPages, { exams });
    const papers = new PaperCache();
    await app.register(examPicturePages, { papers, exams });
    await app.register(roomPages);
    await app.register(sheetPages, { papers });
  },
  { name: 'questions', dependencies: ['training'] },
);

export const questions = {
  plugin,
  entities: [
    ...[Answer, QuestionState, SeriesAttempt],
    ...[Exam, ExamPaper, ExamQuestion, ExamSeal, ExamCorrection],
    ...[ExamSitting, ExamBatch, ExamJudgement, ExamResult, ExamSelfMark],
  ],
  prunings: answerPrunings,
  subscribe: (events: DomainEvents): void => {
    subscribe(events);
    subscribeToDeletions(events);
  },
};
