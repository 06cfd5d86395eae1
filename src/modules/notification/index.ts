import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { registerCalls } from '../../platform/http/calls.ts';
import { Notification } from './notification.entity.ts';
import { notificationPages } from './notification.pages.ts';
import { notificationPrunings } from './notification.prunings.ts';
import { countUnread, unreadOf } from './notification.repository.ts';
import { notificationRoutes } from './notification.routes.ts';
import { subscribe } from './notification.subscriptions.ts';

/** The learner's notifications: calls, page, the header's badge and panel. */
const plugin = fp(
  async (app) => {
    /** Closed and empty, the same for everybody. */
    let panel: string | undefined;
    /** The bell by its count. */
    const bells = new Map<number | null, string>();
    app.readForHeader('unread', unreadOf);
    const count = async (request: FastifyRequest, learner: string): Promise<number | null> => {
      const read = request.earlyHeader?.unread;
      return typeof read === 'number' ? read : countUnread(request.em, learner).catch(failed(request));
    };
    app.contributeToLayout(async (request, reply) => {
      if (!request.learner) return {};
      const { url, config } = request.routeOptions;
      const unread = config.lightHeader ? null : await count(request, request.learner.id);
      const learnerTools = bells.get(unread) ?? (await app.view('notification/bell', { unread }));
      bells.set(unread, learnerTools);
      // The page is the panel: there the bell leads nowhere else.
      if (url === '/user/notifications') return { learnerTools };
      panel ??= reply.island('notifications', {});
      return { learnerTools, learnerPanel: panel };
    });
    await registerCalls(app, notificationRoutes, {});
    await app.register(notificationPages);
  },
  { name: 'notification', dependencies: ['identity', 'islands'] },
);

/** A bell without its count is better than none: the page asks for it. */
const failed = (request: FastifyRequest) => (error: unknown) => {
  request.log.error({ err: error }, 'part of the header failed');
  return null;
};

export const notification = { plugin, entities: [Notification], prunings: notificationPrunings, subscribe };
