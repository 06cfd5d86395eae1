import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { notFound } from '../../../platform/errors.ts';
import { idParams, withZod } from '../../../platform/http/validators.ts';
import { answerForm, faultsOf, type RefusedForm } from '../../../platform/pages/form-answer.ts';
import { formatDate } from '../../../shared/dates.ts';
import { administratorRoles, roleNames } from '../../../shared/forms/administrator.ts';
import { parseForm } from '../../../shared/forms/field-errors.ts';
import { type KeysRow, listKeys } from '../accounts/administrator.repository.ts';
import { invalidForm } from '../accounts/identity.errors.ts';
import { superAdministratorsOnly } from '../sessions/guards.ts';
import { keysState, presentKeys } from './administration-keys.presenter.ts';
import { type IssuedKeys, issueKeys, keysDays, maxKeysDays, revokeKeys } from './administration-keys.service.ts';
import { confirmedSuperAdministratorsOnly } from './confirmation/confirmation.pages.ts';

const basePath = '/admin/cles';
/** Pairs that the page lists, newest first. Older ones are in the audit log. */
const shown = 100;

const daysFault = `La durée doit être un nombre entier de 1 à ${maxKeysDays} jours`;
const issueSchema = z.object({
  role: z.enum(administratorRoles, { error: 'Rôle invalide' }),
  jours: z.coerce
    .number({ error: daysFault })
    .check(z.int({ error: daysFault }), z.gte(1, { error: daysFault }), z.lte(maxKeysDays, { error: daysFault })),
});

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'identity/administration-keys': ReturnType<typeof presentPage>;
  }
}

/** Serves /admin/cles, the pairs of administration keys. A new pair is shown only in the response that issues it. */
export const administrationKeysPages: FastifyPluginAsync = async (instance) => {
  const app = withZod(instance);
  const guarded = superAdministratorsOnly(app);
  const guardedOne = { ...guarded, schema: { params: idParams } };
  const confirmed = confirmedSuperAdministratorsOnly(app);
  app.contributeToMenu({ href: basePath, name: 'Clés', order: 40, superAdministratorsOnly: true });

  app.get(basePath, guarded, (request, reply) => sendKeysPage(request, reply));

  app.post(basePath, confirmed, async (request, reply) => {
    await answerForm(
      request,
      async (form) => {
        const { data, errors } = parseForm(issueSchema, form);
        if (errors) throw invalidForm(errors);
        const issued = await issueKeys(request.em, request.context, request.actor, { role: data.role, days: data.jours });
        return sendKeysPage(request, reply, { issued });
      },
      (refused) => sendKeysPage(request, reply, { refused }),
    );
    return reply;
  });

  app.get(`${basePath}/:id/revoquer`, guardedOne, async (request, reply) => {
    const now = request.context.clock.now();
    const row = (await listKeys(request.em, now, shown)).find(({ id }) => id === request.params.id);
    if (!row || keysState(row, now) !== 'valid')
      throw notFound("Cette paire de clés n'existe pas, ou ne peut plus servir : elle a été utilisée, révoquée, ou a expiré.");
    const { id, role, issued, state } = presentKeys(row, now);
    return reply.page('identity/administration-confirm', {
      title: 'Révoquer une paire de clés',
      area: 'admin',
      question: `Révoquer la paire n° ${id} ?`,
      facts: [
        { name: 'Rôle', value: role },
        { name: 'Origine', value: issued },
        { name: 'État', value: state },
      ],
      consequence:
        "Plus personne ne pourra s'inscrire avec ces clés. Cette action est irréversible ; vous pourrez émettre une autre paire.",
      action: `${basePath}/${id}/revoquer`,
      button: 'Révoquer',
      back: basePath,
    });
  });

  app.post(`${basePath}/:id/revoquer`, { ...confirmed, schema: { params: idParams } }, async (request, reply) => {
    const { id } = request.params;
    await revokeKeys(request.em, request.context, request.actor, id);
    return reply.flash('success', `La paire n° ${id} est révoquée.`).redirect(basePath, 303);
  });
};

interface KeysPageState {
  issued?: IssuedKeys;
  refused?: RefusedForm;
}

async function sendKeysPage(request: FastifyRequest, reply: FastifyReply, state: KeysPageState = {}): Promise<FastifyReply> {
  const { issued, refused } = state;
  if (refused) reply.code(refused.error.status);
  // No cache or browser history may show a pair again.
  if (issued || refused) reply.header('cache-control', 'no-store');
  const now = request.context.clock.now();
  const rows = await listKeys(request.em, now, shown);
  return reply.page('identity/administration-keys', { title: "Clés d'administration", area: 'admin', ...presentPage(rows, now, state) });
}

function presentPage(rows: KeysRow[], now: Date, { issued, refused }: KeysPageState) {
  const typed = (field: string, otherwise: string) => {
    const value = refused?.form[field];
    return typeof value === 'string' ? value.slice(0, 20) : otherwise;
  };
  return {
    /** The new pair, shown only in the response that issues it. */
    issued: issued ? { ...issued, role: roleNames[issued.role], expiresAt: formatDate(issued.expiresAt) } : null,
    /** Values of the form. */
    values: { role: typed('role', 'admin'), jours: typed('jours', String(keysDays)) },
    errors: faultsOf(refused?.error),
    maxDays: maxKeysDays,
    roles: administratorRoles.map((value) => ({ value, name: roleNames[value] })),
    keys: rows.map((row) => presentKeys(row, now)),
    /** The list's limit, when there may be older pairs; otherwise null. */
    maxListed: rows.length < shown ? null : shown,
  };
}
