import type { FastifyPluginAsync } from 'fastify';
import { listAdministrators } from '../administrators/administrator.repository.ts';
import { superAdministratorsOnly } from '../guards.ts';
import { presentEntry } from './audit.presenter.ts';
import { listAuditEntries } from './audit.repository.ts';
import { addressOf, asCondition, longestSearch, readFilters } from './audit-filters.ts';
import { auditActions, auditSubjects } from './audit-vocabulary.ts';

/** Entries a page. */
const pageSize = 50;

/** /admin/journal: every administrative change, newest first. */
export const auditPages: FastifyPluginAsync = async (app) => {
  app.get('/admin/journal', superAdministratorsOnly(app), async (request, reply) => {
    const filters = readFilters(request.query);
    const [administrators, found] = await Promise.all([
      listAdministrators(request.em),
      // One more than is shown tells whether there is a next page.
      listAuditEntries(request.em, asCondition(filters), pageSize + 1),
    ]);
    const entries = found.slice(0, pageSize).map(presentEntry);
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
      longestSearch,
      newest: avant === undefined ? null : addressOf(chosen, null),
      older: found.length > pageSize && last ? addressOf(chosen, last.id) : null,
    });
  });
};
