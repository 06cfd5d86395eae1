import fp from 'fastify-plugin';
import { registerCalls } from '../../platform/http/calls.ts';
import { Notification } from './notification.entity.ts';
import { notificationPages } from './notification.pages.ts';
import { notificationPrunings } from './notification.prunings.ts';
import { unreadOf } from './notification.repository.ts';
import { notificationRoutes } from './notification.routes.ts';
import { subscribe } from './notification.subscriptions.ts';

/** Registers the learner's notifications: calls, page, and the header's badge and panel. */
const plugin = fp(
  async (app) => {
    /** HTML of the closed, empty panel; the same for everybody. */
    let panel: string | undefined;
    /** HTML of the bell, by its count. */
    const bells = new Map<number | null, string>();
    app.readForHeader('unread', unreadOf);
    app.contributeToLayout(async (request, reply) => {
      if (!request.learner) return {};
      const { url, config } = request.routeOptions;
      // Without a count the browser requests it.
      const read = config.lightHeader ? null : (await app.readHeader(request))?.unread;
      const unread = typeof read === 'number' ? read : null;
      const learnerTools = bells.get(unread) ?? (await app.view('notification/bell', { unread }));
      bells.set(unread, learnerTools);
      // On the notifications page, the bell needs no panel.
      if (url === '/user/notifications') return { learnerTools };
      panel ??= reply.island('notifications', {});
      return { learnerTools, learnerPanel: panel };
    });
    await registerCalls(app, notificationRoutes, {});
    await app.register(notificationPages);
  },
  { name: 'notification', dependencies: ['identity', 'islands'] },
);

export const notification = { plugin, entities: [Notification], prunings: notificationPrunings, subscribe };
