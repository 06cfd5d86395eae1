import fp from 'fastify-plugin';
import { registerCalls } from '../../platform/http/calls.ts';
import { notificationPages } from './notification.pages.ts';
import { countUnread } from './notification.repository.ts';
import { notificationRoutes } from './notification.routes.ts';

export { Notification } from './notification.entity.ts';
export { subscribe } from './notification.subscriptions.ts';

/** The learner's notifications: calls, page, the header's badge and panel. */
export const notification = fp(
  async (app) => {
    /** Closed and empty, the same for everybody. */
    let panel: string | undefined;
    app.contributeToLayout(async (request, reply) => {
      // The page is the panel: there the bell leads nowhere else.
      if (!request.learner || request.routeOptions.url === '/user/notifications') return {};
      panel ??= reply.island('notifications', {});
      return { notificationPanel: panel };
    });
    app.contributeToLayout(async (request) =>
      request.learner && !request.routeOptions.config.lightHeader ? { unreadCount: await countUnread(request.em, request.learner.id) } : {},
    );
    await registerCalls(app, notificationRoutes, {});
    await app.register(notificationPages);
  },
  { name: 'notification', dependencies: ['identity', 'islands'] },
);
