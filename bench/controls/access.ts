// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these strings are fragments of source code
import type { Controls } from './control.ts';

const guards = 'src/modules/identity/sessions/guards.ts';
const permissions = 'test/permissions.test.ts';
const everyRoute = 'every route gives each kind of viewer the status in its table row, by cookie and by bearer token';
const items = 'src/modules/content/items';
const itemsTest = `${items}/item.routes.test.ts`;
const notifications = 'src/modules/notification';
const notificationsTest = `${notifications}/notification.routes.test.ts`;

/** Authentication and permissions. */
export const accessControls: Controls = {
  'learner-guard': {
    file: 'src/modules/portal/payments/receipt.pages.ts',
    from: 'const guarded = { preHandler: [app.requireLearner] };',
    to: 'const guarded = {};',
    test: permissions,
    title: everyRoute,
  },
  'administrator-guard': {
    file: guards,
    from: 'if (request.administrator) {',
    to: 'if (request.url) {',
    test: permissions,
    title: everyRoute,
  },
  'super-administrator-guard': {
    file: guards,
    from: "request.administrator.role !== 'super_admin'",
    to: 'request.administrator.role === null',
    test: permissions,
    title: everyRoute,
  },
  'guard-of-a-route': {
    file: 'src/modules/study/reading-counts/reading-counts.pages.ts',
    from: '...administratorsOnly(app),',
    to: '',
    test: permissions,
    title: everyRoute,
  },
  'bodies-after-the-guard': {
    file: guards,
    from: 'onRequest: [app.requireAdministrator],',
    to: 'preHandler: [app.requireAdministrator],',
    test: permissions,
    title: everyRoute,
  },
  'locked-items': {
    file: `${items}/item.policy.ts`,
    from: 'if (await mayStudy(em, item.prepaId, reader)) return;',
    to: 'if (reader) return;',
    test: itemsTest,
    title: 'single items: enrolled learners read all of them, others only the first',
  },
  'locked-items-of-a-list': {
    file: `${items}/item.routes.ts`,
    from: '(full || index === 0 ? presentItem(shown(item)) : presentLockedItem(item))',
    to: '(full || index >= 0 ? presentItem(shown(item)) : presentLockedItem(item))',
    test: itemsTest,
    title: 'lists for readers without access: the first item of each kind is open, the others are locked without content',
  },
  'enrolments-end': {
    file: 'src/modules/enrolment/access/enrolment.repository.ts',
    from: "and prepa_id = ${prepa} and statut = 'active' and date_expiration > ${now})`;",
    to: "and prepa_id = ${prepa} and statut = 'active' and ${now} is not null)`;",
    test: itemsTest,
    title: 'a request with an ended session gets 401, and a request after the end of access gets 403',
  },
  'enrolments-of-the-prepa': {
    file: 'src/modules/enrolment/access/enrolment.repository.ts',
    from: "and prepa_id = ${prepa} and statut = 'active' and date_expiration > ${now})`;",
    to: "and ${prepa} is not null and statut = 'active' and date_expiration > ${now})`;",
    test: itemsTest,
    title: 'a learner enrolled in another prepa sees no more than a visitor',
  },
  'trial-shows-the-first': {
    file: 'src/modules/study/pages/trial.pages.ts',
    from: 'if (asked && !versions.open) {',
    to: 'if (asked && versions.open === undefined) {',
    test: 'src/modules/study/pages/trial.pages.test.ts',
    title: 'a link to a locked item redirects to a free one, with the reason',
  },
  'unpublished-prepas': {
    file: 'src/modules/enrolment/access/enrolment.policy.ts',
    from: 'if (prepa && (prepa.isPublished || (await mayStudy(em, prepaId, viewer)))) return prepa;',
    to: 'if (prepa && viewer) return prepa;',
    test: permissions,
    title: everyRoute,
  },
  'unpublished-items': {
    file: `${items}/item.routes.ts`,
    from: 'if (!discipline || !(full || discipline.isPublished))',
    to: 'if (!discipline)',
    test: itemsTest,
    title: 'only enrolled learners see items of an unpublished prepa',
  },
  'documents-of-the-item': {
    file: `${items}/documents/document.routes.ts`,
    from: 'await authoriseItem(request.em, document, readerOf(request));',
    to: 'await Promise.resolve([authoriseItem, readerOf]);',
    test: `${items}/documents/document.routes.test.ts`,
    title: 'a document can be read by the readers of its item and by no other reader',
  },
  'corrections-wait': {
    file: 'src/modules/training/practice/practice.pages.ts',
    from: "const corrected = (request.query as { corrige?: unknown }).corrige === 'oui';",
    to: 'const corrected = true;',
    test: 'src/modules/training/practice/practice.pages.test.ts',
    title: 'the correction is not in the page until the learner requests it',
  },
  'search-of-what-one-may-read': {
    file: 'src/modules/study/search/search.repository.ts',
    from: "and ${accessCondition('$2', 'd.prepa_id', '$3')}`, '$6'),",
    to: "and ($2::uuid is not null or $3::timestamptz is not null)`, '$6'),",
    test: 'src/modules/study/search/search.pages.test.ts',
    title: 'readers without access find nothing in locked texts',
  },
  'notifications-read-of-ones-own': {
    file: `${notifications}/notification.service.ts`,
    from: '{ id, user: userId, deletedAt: null }, { lu: true }',
    to: '{ id, user: { $ne: userId.slice(1) }, deletedAt: null }, { lu: true }',
    test: notificationsTest,
    title: "a learner reads, marks and deletes only their own notifications under '",
  },
  'notifications-deleted-of-ones-own': {
    file: `${notifications}/notification.service.ts`,
    from: "'id = ? and user_id = ? and deleted_at is null'",
    to: "'id = ? and ?::uuid is not null and deleted_at is null'",
    test: notificationsTest,
    title: "a learner reads, marks and deletes only their own notifications under '",
  },
  'fields-of-a-learner': {
    file: 'src/modules/identity/accounts/learner.ts',
    from: 'z.object({ id: z.uuid()',
    to: 'z.looseObject({ id: z.uuid()',
    test: 'src/modules/identity/learners/learner.routes.test.ts',
    title: 'the API returns only id, username and e-mail of a learner, and accepts no other fields',
  },
  'not-disabling-oneself': {
    file: 'src/modules/identity/administrators/administrator.service.ts',
    from: 'if (id === actor.administratorId) throw',
    to: 'if (id === null) throw',
    test: 'src/modules/identity/administrators/super-administrator.pages.test.ts',
    title: 'administrators cannot disable themselves or an unknown account',
  },
  'changes-are-recorded': {
    file: 'src/modules/identity/audit/audit.service.ts',
    from: 'await em.insert(AuditEntry, {',
    to: 'await Promise.resolve({',
    test: 'src/modules/catalogue/administration/administration.routes.test.ts',
    title: 'deleting a prepa deletes its contents and files, and the audit log keeps the deleted records',
  },
};
