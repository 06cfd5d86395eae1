import type { SourceChange } from '../changed-sources.ts';

/** A plausible fault of the product, which random requests must find. */
interface PlantedFault extends SourceChange {
  what: string;
}

const guards = 'src/modules/identity/sessions/guards.ts';

/** Each removes one check. */
export const plantedFaults: PlantedFault[] = [
  {
    what: 'the administration has no guard',
    file: guards,
    from: 'administratorsOnly = (app: FastifyInstance) => ({\n  preHandler: [app.requireAdministrator],',
    to: 'administratorsOnly = (_app: FastifyInstance) => ({\n  preHandler: [],',
  },
  {
    what: "super administrators' pages are every administrator's",
    file: guards,
    from: 'preHandler: [app.requireSuperAdministrator],',
    to: 'preHandler: [app.requireAdministrator],',
  },
  {
    what: 'the study page does not ask for an access',
    file: 'src/modules/study/pages/study.pages.ts',
    from: 'if (!versions.access) {',
    to: 'if (versions.prepaVersion === 0) {',
  },
  {
    what: 'a locked text is sent to every learner',
    file: 'src/modules/study/pages/item-text.routes.ts',
    from: 'if (!found.access) throw',
    to: 'if (found.version < 0) throw',
  },
  {
    what: "a picture is everybody's",
    file: 'src/modules/content/items/images/picture.routes.ts',
    from: 'if (open || access) return true;',
    to: 'if (open || access || published) return true;',
  },
  {
    what: 'the trial shows every item',
    file: 'src/modules/study/pages/trial.pages.ts',
    from: 'if (asked && !versions.open) {',
    to: 'if (asked && versions.prepaVersion === 0) {',
  },
  {
    what: 'an unpublished prepa is there for all',
    file: 'src/modules/enrolment/access/enrolment.policy.ts',
    from: 'if (prepa && (prepa.isPublished || ',
    to: 'if (prepa && (prepa.id > 0 || ',
  },
  {
    what: 'the catalogue lists what is not published',
    file: 'src/modules/catalogue/prepas/catalogue.repository.ts',
    from: 'from prepa where is_published and id > $2',
    to: 'from prepa where id > $2',
  },
  {
    what: "a receipt's payer is not checked",
    file: 'src/modules/portal/payments/receipt.repository.ts',
    from: 'where p.user_id = $1 and p.reference = $2',
    to: 'where $1::uuid is not null and p.reference = $2',
  },
  {
    what: 'everybody reads the notifications of all',
    file: 'src/modules/notification/notification.repository.ts',
    from: 'from notification where user_id = $1 and deleted_at is null order by',
    to: 'from notification where $1::uuid is not null and deleted_at is null order by',
  },
  {
    what: "somebody else's notification can be marked as read",
    file: 'src/modules/notification/notification.service.ts',
    from: '{ id, user: userId, deletedAt: null }, { lu: true }',
    to: '{ id, deletedAt: null }, { lu: true }',
  },
  {
    what: "somebody else's session can be ended",
    file: 'src/modules/identity/sessions/session.repository.ts',
    from: 'where user_id = ? and expires_at > ? and',
    to: 'where (user_id = ? or true) and expires_at > ? and',
  },
  {
    what: 'an id may be larger than the database can hold',
    file: 'src/platform/http/validators.ts',
    from: '.max(2_147_483_647, message)',
    to: '',
  },
  {
    what: 'a page that is never answered',
    file: 'src/modules/study/reports/report.pages.ts',
    from: ': reply.redirect(studyAddress(item), 303);\n    },',
    to: ': new Promise(() => {});\n    },',
  },
];
