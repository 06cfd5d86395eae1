import type { Controls } from './control.ts';

const identity = 'src/modules/identity';
const service = `${identity}/learners/learner.service.ts`;
const endsTest = `${identity}/sessions/session-ends.test.ts`;
const common = `${identity}/accounts/common-password.ts`;
const commonTest = `${identity}/accounts/common-password.test.ts`;
const administratorSessionsTest = `${identity}/sessions/administrator-sessions.test.ts`;
const blocking = `${identity}/operator/blocking.service.ts`;
const blockingTest = `${identity}/operator/learners.pages.test.ts`;

/** How long sessions last, how many there are, and who is let in at all. */
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
    title: 'with a sixth device the one used least recently ends',
  },
  'session-longest-time': {
    file: `${identity}/sessions/sessions.ts`,
    from: 'longestMs: 180 * dayMs,',
    to: 'longestMs: 1_800 * dayMs,',
    test: endsTest,
    title: 'however much it is used, it ends 180 days after the sign-in; use is written once a day',
  },
  'cookies-of-this-host': {
    file: 'src/platform/http/cookies.ts',
    from: 'name: cookie.secure ? prefix + name : name',
    to: "name: prefix === '' ? prefix + name : name",
    test: endsTest,
    title: "over TLS cookies are of this host alone; a session under the plain name is moved, an administrator's is not",
  },
  'blocked-learners': {
    file: service,
    from: 'if (blocked) throw learnerBlocked(sayBlocked(site));',
    to: 'void blocked;',
    test: blockingTest,
    title: 'a blocked learner: sessions end, no door opens, days and money stay; unblocked, all is as before',
  },
  'blocking-ends-sessions': {
    file: blocking,
    from: "if (action === 'blocked') await endSessions(tx, context, id, null, 'blocked');",
    to: "if (action === 'blocked') await tx.flush();",
    test: blockingTest,
    title: 'a blocked learner: sessions end, no door opens, days and money stay; unblocked, all is as before',
  },
  'forgotten-at-the-sign-out': {
    file: `${identity}/sessions/sign-out.ts`,
    from: `if (who === 'administrateur') reply.header('clear-site-data', '"storage"');`,
    to: '',
    test: administratorSessionsTest,
    title: "a sign-out has the browser forget what it has kept: all after an administrator's, by name after a learner's",
  },
  'administration-kept-nowhere': {
    file: `${identity}/sessions/guards.ts`,
    from: "const kept = audience === 'administrator' ? 'no-store' : 'no-cache';",
    to: "const kept = 'no-cache';",
    test: administratorSessionsTest,
    title: 'what administrators see, and every answer with a token, is kept nowhere',
  },
};
