import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { idParams, idSchema, withZod } from '../../platform/http/validators.ts';
import { flashDone } from '../../platform/pages/flash.ts';
import { listedNote, nothingFound, notificationTabs, selectNotifications, tabLabels } from '../../shared/notifications.ts';
import { relativeTime } from '../../shared/relative-time.ts';
import { notificationNotFound } from './notification.errors.ts';
import { findNotification, listNotifications, type NotificationRow } from './notification.repository.ts';
import { deleteNotification, done, markAllRead, markRead } from './notification.service.ts';

const basePath = '/user/notifications';

/** The filters of the list. Invalid values are ignored. */
const querySchema = z.object({
  onglet: z.enum(notificationTabs.map(({ name }) => name)).catch('toutes'),
  q: z.string().max(100).catch(''),
});
type Shown = z.infer<typeof querySchema>;

/** Id of the newest notification on the page: newer ones stay unread. */
const allBody = z.object({ newestSeen: idSchema.optional().catch(undefined) }).catch({});

declare module '../../platform/pages/views.ts' {
  interface PageLocals {
    'notification/list': ReturnType<typeof presentList> & {
      /** Shown in place of a list that could not be read. */
      error: string | null;
    };
    'notification/delete': {
      notification: ReturnType<typeof presentRow>;
      /** Address of the form. */
      action: string;
      /** Address of the 'Annuler' link. */
      back: string;
    };
  }
}

/** Serves /user/notifications, the panel as a page that needs no script. Its forms return to the same filters of the list. */
export const notificationPages: FastifyPluginAsync = async (instance) => {
  const app = withZod(instance);
  const guarded = { preHandler: [app.requireLearner] };
  const guardedOne = { ...guarded, schema: { params: idParams } };

  app.get(basePath, guarded, async (request, reply) => {
    const shown = querySchema.parse(request.query);
    const rows = await listNotifications(request.em, request.signedInLearner.id).catch((error: unknown) => {
      request.log.error({ err: error }, 'notifications could not be read');
      return null;
    });
    return reply.page('notification/list', {
      title: 'Notifications',
      noindex: true,
      learnerCss: true,
      ...presentList(rows ?? [], shown, request.context.clock.now()),
      error: rows ? null : 'Erreur lors du chargement des notifications',
    });
  });

  app.get(`${basePath}/:id/supprimer`, guardedOne, async (request, reply) => {
    const notification = await findNotification(request.em, request.signedInLearner.id, request.params.id);
    if (!notification) throw notificationNotFound();
    const shown = querySchema.parse(request.query);
    return reply.page('notification/delete', {
      title: 'Supprimer une notification',
      noindex: true,
      learnerCss: true,
      notification: presentRow(notification, request.context.clock.now()),
      action: `${basePath}/${notification.id}/supprimer${queryOf(shown)}`,
      back: basePath + queryOf(shown),
    });
  });

  app.post(`${basePath}/lire`, guarded, async (request, reply) => {
    const marked = await markAllRead(request.em, request.signedInLearner.id, allBody.parse(request.body).newestSeen);
    reply.flash(marked > 0 ? 'success' : 'info', marked > 0 ? done.allRead : done.noneUnread);
    return reply.redirect(backOf(request), 303);
  });

  app.post(`${basePath}/:id/lire`, guardedOne, async (request, reply) => {
    await flashDone(request, reply, markRead(request.em, request.signedInLearner.id, request.params.id), done.read);
    return reply.redirect(backOf(request), 303);
  });

  app.post(`${basePath}/:id/supprimer`, guardedOne, async (request, reply) => {
    const deleting = deleteNotification(request.em, request.signedInLearner.id, request.params.id, request.context.clock.now());
    await flashDone(request, reply, deleting, done.deleted);
    return reply.redirect(backOf(request), 303);
  });
};

/** Returns the address of the list with the filters of the request. */
const backOf = (request: FastifyRequest): string => basePath + queryOf(querySchema.parse(request.query));

function queryOf({ onglet, q }: Shown): string {
  const query = new URLSearchParams({ ...(onglet === 'toutes' ? {} : { onglet }), ...(q.trim() === '' ? {} : { q }) }).toString();
  return query && `?${query}`;
}

function presentList(rows: NotificationRow[], shown: Shown, now: Date) {
  const found = selectNotifications(rows, shown.onglet, shown.q);
  const tab = notificationTabs.find(({ name }) => name === shown.onglet);
  return {
    search: shown.q,
    onglet: shown.onglet,
    query: queryOf(shown),
    tabs: tabLabels(rows).map(({ name, label }) => ({
      label,
      href: basePath + queryOf({ onglet: name, q: shown.q }),
      current: name === shown.onglet,
    })),
    unread: rows.some(({ lu }) => !lu),
    newestSeen: Math.max(0, ...rows.map(({ id }) => id)),
    notifications: found.map((row) => presentRow(row, now)),
    empty: shown.q.trim() === '' ? tab?.empty : nothingFound,
    note: listedNote(rows),
  };
}

const presentRow = ({ id, message, lu, dateCreation }: NotificationRow, now: Date) => ({
  id,
  message,
  lu,
  date: dateCreation.toISOString(),
  when: relativeTime(dateCreation, now),
});
