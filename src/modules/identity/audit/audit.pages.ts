import type { FastifyPluginAsync } from 'fastify';
import { notFound } from '../../../platform/errors.ts';
import { idParams, withZod } from '../../../platform/http/validators.ts';
import { listAdministrators } from '../accounts/administrator.repository.ts';
import { superAdministratorsOnly } from '../sessions/guards.ts';
import { type PresentedEntry, presentEntry } from './audit.presenter.ts';
import { findAuditEntry, listAuditEntries } from './audit.repository.ts';
import { type AuditFilters, addressOf, asCondition, maxSearchLength, readFilters } from './audit-filters.ts';
import { auditActions, auditSubjects } from './audit-vocabulary.ts';

/** Entries a page. */
const pageSize = 50;

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'identity/audit': {
      entries: PresentedEntry[];
      /** What the form holds, and whether it holds anything. */
      filters: Omit<AuditFilters, 'avant'>;
      filtered: boolean;
      administrators: { id: string; username: string }[];
      /** Their French by word. */
      subjects: Record<string, string>;
      actions: Record<string, string>;
      maxSearchLength: number;
      /** Address of the first page, on a later one. */
      newest: string | null;
      /** Address of the next page. */
      older: string | null;
    };
    'identity/audit-entry': { entry: PresentedEntry };
  }
}

/** /admin/journal: every administrative change, newest first; an entry with long texts also on a page of its own. */
export const auditPages: FastifyPluginAsync = async (instance) => {
  const app = withZod(instance);
  app.contributeToMenu({ href: '/admin/journal', name: 'Journal', order: 50, superAdministratorsOnly: true });

  app.get('/admin/journal', superAdministratorsOnly(app), async (request, reply) => {
    const filters = readFilters(request.query);
    const [administrators, found] = await Promise.all([
      listAdministrators(request.em),
      // One more than is shown tells whether there is a next page.
      listAuditEntries(request.em, asCondition(filters), pageSize + 1),
    ]);
    const entries = found.slice(0, pageSize).map((row) => presentEntry(row));
    const last = entries.at(-1);
    const { avant, ...chosen } = filters;
    return reply.page('identity/audit', {
      title: "Journal d'administration",
      area: 'admin',
      noindex: true,
      entries,
      filters: chosen,
      filtered: Object.values(chosen).some((value) => value !== undefined),
      administrators: administrators.map(({ id, username }) => ({ id, username })),
      subjects: auditSubjects,
      actions: auditActions,
      maxSearchLength,
      newest: avant === undefined ? null : addressOf(chosen, null),
      older: found.length > pageSize && last ? addressOf(chosen, last.id) : null,
    });
  });

  app.get('/admin/journal/:id', { ...superAdministratorsOnly(app), schema: { params: idParams } }, async (request, reply) => {
    const row = await findAuditEntry(request.em, request.params.id);
    if (!row) throw notFound("Cette entrée du journal n'existe pas.");
    return reply.page('identity/audit-entry', {
      title: "Entrée du journal d'administration",
      area: 'admin',
      noindex: true,
      entry: presentEntry(row, { everything: true }),
    });
  });
};
