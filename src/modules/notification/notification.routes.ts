import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { messageAnswer } from '../../platform/http/answers.ts';
import { idParams, withZod } from '../../platform/http/validators.ts';
import { presentNotification } from './notification.presenter.ts';
import { countUnread, listNotifications } from './notification.repository.ts';
import { deleteNotification, done, markAllRead, markRead } from './notification.service.ts';

const listAnswer = z.array(z.object({ id: z.int(), message: z.string(), lu: z.boolean(), date_creation: z.string() }));
/** Id of the newest notification that the learner has seen, 0 without any: newer ones stay unread. Without it all are marked. */
const allBody = z.object({ newestSeen: z.int().min(0).max(2_147_483_647).optional() }).nullish();
const allAnswer = messageAnswer.extend({ marked: z.int() });

/** Calls on the learner's own notifications (specification §7). */
export const notificationRoutes: FastifyPluginAsync = async (instance) => {
  const app = withZod(instance);
  const preHandler = [app.requireLearner];
  const config = { load: 'deferrable' } as const;

  app.get('/users/notifications', { preHandler, config, schema: { response: { 200: listAnswer } } }, async (request) =>
    (await listNotifications(request.em, request.signedInLearner.id)).map(presentNotification),
  );

  // The badge requests only the count: requesting the entire list every five minutes would cost more.
  app.get(
    '/users/notifications/unread',
    { preHandler, config, schema: { response: { 200: z.object({ unread: z.int() }) } } },
    async (request) => ({
      unread: await countUnread(request.em, request.signedInLearner.id),
    }),
  );

  app.put('/users/notifications/read', { preHandler, schema: { body: allBody, response: { 200: allAnswer } } }, async (request) => {
    const marked = await markAllRead(request.em, request.signedInLearner.id, request.body?.newestSeen);
    return { message: marked > 0 ? done.allRead : done.noneUnread, marked };
  });

  app.put(
    '/users/notifications/:id/read',
    { preHandler, schema: { params: idParams, response: { 200: messageAnswer } } },
    async (request) => {
      await markRead(request.em, request.signedInLearner.id, request.params.id);
      return { message: done.read };
    },
  );

  app.delete(
    '/users/notifications/:id',
    { preHandler, schema: { params: idParams, response: { 200: messageAnswer } } },
    async (request) => {
      await deleteNotification(request.em, request.signedInLearner.id, request.params.id, request.context.clock.now());
      return { message: done.deleted };
    },
  );
};
