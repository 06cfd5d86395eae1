import type { Controls } from './control.ts';

const identity = 'src/modules/identity';
const service = `${identity}/learners/learner.service.ts`;
const endsTest = `${identity}/sessions/session-ends.test.ts`;
const common = `${identity}/accounts/common-password.ts`;
const commonTest = `${identity}/accounts/common-password.test.ts`;
const administratorSessionsTest = `${identity}/sessions/administrator-sessions.test.ts`;
const blocking = `${identity}/operator/blocking.service.ts`;
const blockingTest = `${identity}/operator/learners.pages.test.ts`;

/** Session lifetime, the number of sessions, and blocked accounts. */
export const sessionControls: Controls = {
  'common-passwords': {
    file: common,
    from: 'if (formsOf(written).some((form) => common.has(form))) return',
    to: 'if (formsOf(written).length === 0) return',
    test: commonTest,
    title: 'the rule applies wherever a password is chosen, if the settings enable it',
  },
  'names-in-passwords': {
    file: common,
    from: 'if (holds(username)) return',
    to: "if (holds('')) return",
    test: commonTest,
    title: "the account's own names are refused",
  },
  'sessions-of-a-learner': {
    file: service,
    from: 'if (sessionsPerLearner > 0) await endLeastUsed(',
    to: 'if (sessionsPerLearner > 1_000) await endLeastUsed(',
    test: endsTest,
    title: 'a sixth device ends the session used least recently',
  },
  'session-longest-time': {
    file: `${identity}/sessions/sessions.ts`,
    from: 'longestMs: 180 * dayMs,',
    to: 'longestMs: 1_800 * dayMs,',
    test: endsTest,
    title: 'a session ends 180 days after the sign-in despite use, and uses are recorded once a day',
  },
  'cookies-of-this-host': {
    file: 'src/platform/http/cookies.ts',
    from: 'name: cookie.secure ? prefix + name : name',
    to: "name: prefix === '' ? prefix + name : name",
    test: endsTest,
    title: "over TLS cookies have the __Host- prefix, and only a learner's cookie with the old name is renamed",
  },
  'blocked-learners': {
    file: service,
    from: 'if (blocked) throw learnerBlocked(sayBlocked(site));',
    to: 'void blocked;',
    test: blockingTest,
    title: 'blocking a learner ends sessions and sign-ins and keeps enrolments and payments, and unblocking restores access',
  },
  'blocking-ends-sessions': {
    file: blocking,
    from: "if (action === 'blocked') await endSessions(tx, context, id, null, 'blocked');",
    to: "if (action === 'blocked') await tx.flush();",
    test: blockingTest,
    title: 'blocking a learner ends sessions and sign-ins and keeps enrolments and payments, and unblocking restores access',
  },
  'forgotten-at-the-sign-out': {
    file: `${identity}/sessions/sign-out.ts`,
    from: `if (who === 'administrateur') reply.header('clear-site-data', '"storage"');`,
    to: '',
    test: administratorSessionsTest,
    title: 'a sign-out clears browser storage: all of it for an administrator, by key for a learner',
  },
  'administration-kept-nowhere': {
    file: `${identity}/sessions/guards.ts`,
    from: "const kept = audience === 'administrator' ? 'no-store' : 'no-cache';",
    to: "const kept = 'no-cache';",
    test: administratorSessionsTest,
    title: "administrators' pages, and every response with a token, are not cached",
  },
};
