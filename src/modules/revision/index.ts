import fp from 'fastify-plugin';
import { registerCalls } from '../../platform/http/calls.ts';
import type { DomainEvents } from '../../platform/use-cases/events.ts';
import type { PaymentKernel } from '../payment/index.ts';
import { letterPages } from './letters/letter.pages.ts';
import { subscribe as subscribeToLetters } from './letters/letter.subscriptions.ts';
import { LetterChoice } from './letters/letter-choice.entity.ts';
import { Concours } from './plan/concours.entity.ts';
import { concoursPages } from './plan/concours.pages.ts';
import { ConcoursOutcome } from './plan/outcome.entity.ts';
import { planPages } from './plan/plan.pages.ts';
import { StudyPlan } from './plan/study-plan.entity.ts';
import { progressPages } from './progress/progress.pages.ts';
import { ExamReminder } from './push/exam-reminder.entity.ts';
import { pushPages } from './push/push.pages.ts';
import { subscribe as subscribeToPush } from './push/push.subscriptions.ts';
import { PushMessage } from './push/push-message.entity.ts';
import { PushSubscription } from './push/push-subscription.entity.ts';
import { subscribe as subscribeToLearners } from './retention/learner.subscriptions.ts';
import { sessionPrunings } from './retention/session.prunings.ts';
import { DailySession } from './session/daily-session.entity.ts';
import { sessionPages } from './session/session.pages.ts';
import { sessionRoutes } from './session/session.routes.ts';
import { StudyDay } from './session/study-day.entity.ts';

export { sendLetters } from './letters/mailing.ts';
export { presentConcours, presentPlanQuestion } from './plan/plan.presenter.ts';
export { asksForDaySql, type Plan, plansSql } from './plan/plan.repository.ts';
export { createVapidKeys, isVapidPair } from './push/protocol/vapid.ts';
export { sendPushMessages } from './push/sending.ts';
export {
  type DeviceEntry,
  finishDeviceSessions,
  keyInSession,
  takeDeviceSessions,
} from './session/device-sessions.ts';
export { readKeptRevision } from './session/kept-revision.ts';
export { presentToday } from './session/session.presenter.ts';

/** Daily revision, planned to the day of the concours. */
const plugin = fp<{ kernel: PaymentKernel }>(
  async (app, { kernel: { config, mailer } }) => {
    const { readsLimit: reads, pictureSigner: signer } = app;
    await app.register(planPages);
    await app.register(pushPages, { isOpen: config.push !== null, local: config.environment === 'test' });
    await app.register(letterPages, { isOpen: mailer !== null, weeklyLetter: config.weeklyLetter });
    await app.register(sessionPages, { reads, signer, pushKey: config.push?.publicKey ?? null, sendsLetters: mailer !== null });
    await app.register(progressPages);
    await registerCalls(app, sessionRoutes, { reads, signer });
    await app.register(concoursPages);
  },
  { name: 'revision', dependencies: ['questions'] },
);

export const revision = {
  plugin,
  entities: [Concours, StudyPlan, ConcoursOutcome, DailySession, StudyDay, PushSubscription, PushMessage, ExamReminder, LetterChoice],
  prunings: sessionPrunings,
  subscribe(events: DomainEvents) {
    subscribeToLearners(events);
    subscribeToPush(events);
    subscribeToLetters(events);
  },
};
