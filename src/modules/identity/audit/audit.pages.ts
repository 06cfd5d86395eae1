import type { FastifyPluginAsync } from 'fastify';
import { notFound } from '../../../platform/errors.ts';
import { idParams, withZod } from '../../../platform/http/validators.ts';
import { pageOf } from '../../../platform/pages/filtered-list.ts';
import { type AdministratorRow, listAdministrators } from '../accounts/administrator.repository.ts';
import { superAdministratorsOnly } from '../sessions/guards.ts';
import { presentEntry } from './audit.presenter.ts';
import { type AuditRow, findAuditEntry, listAuditEntries } from './audit.repository.ts';
import { type AuditFilters, asCondition, maxSearchLength, readFilters } from './audit-filters.ts';
import { auditActions, auditSubjects } from './audit-vocabulary.ts';

const basePath = '/admin/journal';
const pageSize = 50;

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'identity/audit': ReturnType<typeof presentAudit>;
    'identity/audit-entry': { entry: ReturnType<typeof presentEntry> };
  }
}

/** Serves /admin/journal: all administrative changes, newest first. An entry with long texts also has its own page. */
export const auditPages: FastifyPluginAsync = async (instance) => {
  const app = withZod(instance);
  app.contributeToMenu({ href: basePath, name: 'Journal', order: 50, superAdministratorsOnly: true });

  app.get(basePath, superAdministratorsOnly(app), async (request, reply) => {
    const filters = readFilters(request.query);
    const [administrators, found] = await Promise.all([
      listAdministrators(request.em),
      listAuditEntries(request.em, asCondition(filters), pageSize + 1),
    ]);
    const page = presentAudit(found, filters, administrators);
    return reply.page('identity/audit', { title: "Journal d'administration", area: 'admin', ...page });
  });

  app.get(`${basePath}/:id`, { ...superAdministratorsOnly(app), schema: { params: idParams } }, async (request, reply) => {
    const row = await findAuditEntry(request.em, request.params.id);
    if (!row) throw notFound("Cette entrée du journal n'existe pas.");
    return reply.page('identity/audit-entry', {
      title: "Entrée du journal d'administration",
      area: 'admin',
      entry: presentEntry(row, { everything: true }),
    });
  });
};

function presentAudit(found: readonly AuditRow[], query: AuditFilters, administrators: readonly AdministratorRow[]) {
  const { rows, ...page } = pageOf(basePath, found, pageSize, query);
  return {
    ...page,
    entries: rows.map((row) => presentEntry(row)),
    administrators: administrators.map(({ id, username }) => ({ id, username })),
    /** French names by stored word. */
    subjects: auditSubjects,
    actions: auditActions,
    maxSearchLength,
  };
}
