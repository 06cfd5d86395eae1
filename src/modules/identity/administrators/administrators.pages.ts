import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { notFound } from '../../../platform/errors.ts';
import { withZod } from '../../../platform/http/validators.ts';
import { formatDate } from '../../../shared/dates.ts';
import { roleNames } from '../../../shared/forms/administrator.ts';
import { type AdministratorRow, listAdministrators, maxAdministrators } from '../accounts/administrator.repository.ts';
import { superAdministratorsOnly } from '../sessions/guards.ts';
import { disableAdministrator, enableAdministrator } from './administrator.service.ts';
import { confirmedSuperAdministratorsOnly } from './confirmation/confirmation.pages.ts';

const basePath = '/admin/administrateurs';
const params = z.object({ id: z.uuid() });

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'identity/administrators': {
      /** Disabled administrators are last. */
      administrators: ReturnType<typeof presentAdministrator>[];
      /** The list's limit, when the list may be incomplete; otherwise null. */
      maxListed: number | null;
    };
    /** Confirmation page before an action such as disabling a person or revoking keys. */
    'identity/administration-confirm': {
      /** The question, with the name of its object. */
      question: string;
      facts: { name: string; value: string }[];
      consequence: string;
      /** Address of the form; `button` is its label. */
      action: string;
      button: string;
      /** Address of the 'Annuler' link. */
      back: string;
    };
  }
}

/** Serves /admin/administrateurs: the list of administrators, disabling and enabling them. */
export const administratorsPages: FastifyPluginAsync = async (instance) => {
  const app = withZod(instance);
  const guarded = superAdministratorsOnly(app);
  const guardedOne = { ...guarded, schema: { params } };
  const confirmedOne = { ...confirmedSuperAdministratorsOnly(app), schema: { params } };
  app.contributeToMenu({ href: basePath, name: 'Administrateurs', order: 30, superAdministratorsOnly: true });

  app.get(basePath, guarded, async (request, reply) => {
    const rows = await listAdministrators(request.em);
    return reply.page('identity/administrators', {
      title: 'Administrateurs',
      area: 'admin',
      administrators: rows.map((row) => presentAdministrator(row, request.actor.administratorId)),
      maxListed: rows.length < maxAdministrators ? null : maxAdministrators,
    });
  });

  app.get(`${basePath}/:id/desactiver`, guardedOne, async (request, reply) => {
    const { id } = request.params;
    const person = (await listAdministrators(request.em)).find((row) => row.id === id);
    if (!person) throw notFound("Cet administrateur n'existe pas.");
    if (id === request.actor.administratorId)
      return reply.flash('error', 'Vous ne pouvez pas désactiver votre propre compte.').redirect(basePath, 303);
    return reply.page('identity/administration-confirm', {
      title: 'Désactiver un administrateur',
      area: 'admin',
      question: `Désactiver le compte de ${person.username} ?`,
      facts: [
        { name: 'E-mail', value: person.email },
        { name: 'Rôle', value: roleNames[person.role] },
      ],
      consequence:
        "Ses sessions ouvertes se terminent aussitôt et il ne pourra plus se connecter. Ce qu'il a fait reste en place, et vous pourrez réactiver son compte.",
      action: `${basePath}/${id}/desactiver`,
      button: 'Désactiver',
      back: basePath,
    });
  });

  app.post(`${basePath}/:id/desactiver`, confirmedOne, async (request, reply) => {
    const { username } = await disableAdministrator(request.em, request.context, request.actor, request.params.id);
    return reply.flash('success', `Le compte de ${username} est désactivé.`).redirect(basePath, 303);
  });

  app.post(`${basePath}/:id/reactiver`, confirmedOne, async (request, reply) => {
    const { username } = await enableAdministrator(request.em, request.context, request.actor, request.params.id);
    return reply.flash('success', `Le compte de ${username} est réactivé.`).redirect(basePath, 303);
  });
};

function presentAdministrator({ id, username, email, role, createdAt, disabledAt }: AdministratorRow, viewerId: string) {
  return {
    id,
    username,
    email,
    role: roleNames[role],
    since: formatDate(createdAt),
    disabledSince: disabledAt && formatDate(disabledAt),
    own: id === viewerId,
  };
}
