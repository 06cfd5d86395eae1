import type { EntityManager } from '@mikro-orm/postgresql';
import fp from 'fastify-plugin';
import { namedStatement } from '../../platform/named-statement.ts';

export { Notification } from './notification.entity.ts';
export { subscribe } from './notification.subscriptions.ts';

const unread = namedStatement<{ count: number }>({
  name: 'notification.unread',
  // One more than the badge can say: counting further would tell nobody anything.
  text: `select count(*)::int as count from (select 1 from notification where user_id = $1 and not lu limit 100) as recent`,
});

const countUnread = async (em: EntityManager, userId: string): Promise<number> => (await unread(em, [userId]))[0]?.count ?? 0;

/** The learner's notifications; the header's badge. */
export const notification = fp(
  async (app) => {
    app.contributeToLayout(async (request) =>
      request.learner && !request.routeOptions.config.lightHeader ? { unreadCount: await countUnread(request.em, request.learner.id) } : {},
    );
  },
  { name: 'notification', dependencies: ['identity'] },
);
