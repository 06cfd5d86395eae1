// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are pieces of sources
import type { Controls } from './control.ts';

const identity = 'src/modules/identity';
const sessions = `${identity}/sessions/sessions.ts`;
const learners = `${identity}/learners/learner.routes.test.ts`;
const reset = `${identity}/learners/password-reset.service.ts`;
const resetTest = `${identity}/learners/password-reset.test.ts`;
const profile = `${identity}/learners/profile.service.ts`;
const profileTest = `${identity}/learners/profile.test.ts`;
const limits = `${identity}/sign-in/sign-in-limits.ts`;
const limitsTest = `${identity}/sign-in/sign-in-limits.test.ts`;
const keys = `${identity}/administrators/administration-keys.service.ts`;
const registrationTest = `${identity}/administrators/administrator-registration.test.ts`;
const administratorSessionsTest = `${identity}/sessions/administrator-sessions.test.ts`;

/** Passwords, sign-ins, sessions, e-mails and keys. */
export const accountControls: Controls = {
  'password-length': {
    file: 'src/shared/forms/password.ts',
    from: 'z.minLength(8,',
    to: 'z.minLength(1,',
    test: learners,
    title: "all faults of a registration are reported at once, in the specification's words",
  },
  'password-as-it-is': {
    file: `${identity}/accounts/password.ts`,
    from: 'inThread<boolean>({ password: form, stored: against })',
    to: 'inThread<boolean>({ password: form.trim(), stored: against })',
    test: administratorSessionsTest,
    title: 'a sign-in returns token, administrator and role, and sets the cookie',
  },
  'password-hash-cost': {
    file: `${identity}/accounts/password-thread.ts`,
    from: 'memoryCost: 19_456, timeCost: 2',
    to: 'memoryCost: 1_024, timeCost: 1',
    test: `${identity}/accounts/password.test.ts`,
    title: 'passwords are stored as argon2id hashes, with at least the cost that OWASP recommends',
  },
  'password-of-nobody-is-verified': {
    file: `${identity}/accounts/password.ts`,
    from: 'const against = stored ?? (await decoy);',
    to: 'if (stored === null) return false;\n  const against = stored;',
    test: `${identity}/accounts/password.test.ts`,
    title: 'sign-ins beyond the queue get a 503 with a retry time, and do not count as failures',
  },
  'same-answer-for-unknown': {
    file: `${identity}/learners/learner.service.ts`,
    from: 'const found = await findCredentials(em, User, account);',
    to: "const found = await findCredentials(em, User, account);\n    if (!found) throw invalidForm([{ field: 'email', message: 'inconnu' }]);",
    test: learners,
    title: 'an unknown e-mail and a wrong password get the same response',
  },
  'failures-per-account': {
    file: limits,
    from: 'await perAccount.consume(email, network, words.unknown);',
    to: '',
    test: limitsTest,
    title: 'ten wrong passwords from one network refuse that network, and no other network',
  },
  'failures-per-account-and-hour': {
    file: limits,
    from: 'await perAccountHour.consume(email, undefined, words.unknown);',
    to: '',
    test: limitsTest,
    title: 'guesses from everywhere are bounded for the account, and its known devices pass',
  },
  'sign-ins-per-network': {
    file: limits,
    from: 'await perNetwork.consume(network, undefined, words.unknown);',
    to: '',
    test: limitsTest,
    title: 'all sign-ins of one network are limited, across accounts',
  },
  'failures-per-device': {
    file: limits,
    from: 'await perAccount.consume(email, from, words.known);',
    to: '',
    test: limitsTest,
    title: 'a known device has its own failure count, with the same limit as a network',
  },
  'ipv6-by-64': {
    file: 'src/platform/limits/network.ts',
    from: 'if (!isIPv6(bare)) return bare.slice(0, longestAddress);',
    to: 'if (bare) return bare;',
    test: limitsTest,
    title: 'all addresses of one IPv6 /64 count as one network',
  },
  'registrations-per-network': {
    file: `${identity}/learners/learner.routes.ts`,
    from: 'await limits.registrationPerNetwork.consume(caller.network);',
    to: '',
    test: learners,
    title: 'registrations per network and hour are limited, and the 429 gives the time to wait',
  },
  'letters-per-account': {
    file: reset,
    from: 'await limits.resetPerAccount.consume(',
    to: 'if (limits === null) await limits.resetPerAccount.consume(',
    test: `${identity}/learners/password-reset-limits.test.ts`,
    title: 'reset e-mails are limited per address typed, with or without an account, and per network',
  },
  'guesses-at-the-current-password': {
    file: profile,
    from: 'await limits.passwordPerSession.consume(sessionId);',
    to: '',
    test: profileTest,
    title: 'guesses of the current password are limited like sign-ins, and sign-ins stay possible',
  },
  'current-password-asked': {
    file: profile,
    from: 'if (!(await verifyPassword(stored, data.currentPassword)) || stored === null) throw wrongCurrentPassword();',
    to: 'if (stored === null) throw wrongCurrentPassword();',
    test: profileTest,
    title: 'a new password reports all faults at once, then ends all sessions except a new session for this device',
  },
  'password-change-ends-sessions': {
    file: profile,
    from: 'if (why) await endSessions(em, context, userId, null, why);',
    to: 'if (why) await Promise.resolve(endSessions);',
    test: profileTest,
    title: 'a new password reports all faults at once, then ends all sessions except a new session for this device',
  },
  'password-change-forgets-devices': {
    file: profile,
    from: "await forgetDevices(em, 'user', userId);",
    to: '',
    test: limitsTest,
    title: 'a password change forgets every other device',
  },
  'sign-in-beside-a-change': {
    file: `${identity}/learners/learner.service.ts`,
    from: '{ id, passwordHash: user.passwordHash }, { lockMode',
    to: '{ id }, { lockMode',
    test: profileTest,
    title: 'a sign-in with a concurrently changed password opens no session',
  },
  'letter-serves-once': {
    file: reset,
    from: 'if ((await tx.nativeUpdate(PasswordReset, open, { usedAt })) === 0) throw resetGone();',
    to: 'await tx.nativeUpdate(PasswordReset, open, { usedAt });',
    test: resetTest,
    title: 'of two concurrent uses only one succeeds',
  },
  'letter-ends': {
    file: reset,
    from: 'where r.id = $1 and r.used_at is null and r.expires_at > $2',
    to: 'where r.id = $1 and r.used_at is null and $2::timestamptz is not null',
    test: resetTest,
    title: 'a link works once, only the newest, for exactly one hour',
  },
  'letter-hashed': {
    file: reset,
    from: 'await tx.insert(PasswordReset, { id: hashToken(token),',
    to: 'await tx.insert(PasswordReset, { id: token,',
    test: resetTest,
    title: 'from the e-mail to the sign-in, no address, log or table holds the token',
  },
  'letter-out-of-the-address': {
    file: `${identity}/learners/password-reset.pages.ts`,
    from: '.redirect(withSuite(choosing, readSuite(suite)), 303);\n    }',
    to: '.redirect(withSuite(`${choosing}?lien=${String(jeton)}`, readSuite(suite)), 303);\n    }',
    test: resetTest,
    title: "the learner's original destination is kept through the e-mail and the sign-in",
  },
  'token-random': {
    file: `${identity}/accounts/token.ts`,
    from: "randomBytes(32).toString('base64url')",
    to: "randomBytes(2).toString('base64url').padEnd(43, 'A')",
    test: `${identity}/accounts/token.test.ts`,
    title: 'a token cannot be guessed, nor derived from its hash',
  },
  'session-hashed': {
    file: `${identity}/accounts/token.ts`,
    from: "hash('sha256', token);",
    to: "token.padEnd(64, 'x').slice(0, 64) || hash('sha256', token);",
    test: learners,
    title: 'the stored hash of a token is not accepted as a token',
  },
  'administrator-session-ends': {
    file: sessions,
    from: 'const workingDayMs = 8 * 60 * minuteMs;',
    to: 'const workingDayMs = 800 * 60 * minuteMs;',
    test: administratorSessionsTest,
    title: 'a session lasts 8 hours, however much it is used',
  },
  'administrator-session-idle': {
    file: `${identity}/sessions/identification.ts`,
    from: 'administratorTransport, administratorSessions, { idleMs });',
    to: 'administratorTransport, administratorSessions, { idleMs: idleMs * 1_000 });',
    test: administratorSessionsTest,
    title: 'an unused session ends after 2 hours, and uses are recorded at most every 5 minutes',
  },
  'session-rotates': {
    file: `${identity}/learners/learner.service.ts`,
    from: 'if (presented) await learnerSessions.close(tx, context.clock, presented);',
    to: 'void presented;',
    test: learners,
    title: "signing in again ends the browser's earlier session",
  },
  'sign-out-at-the-server': {
    file: `${identity}/learners/learner.routes.ts`,
    from: 'if (token) await signOut(request.em, request.context, token);',
    to: 'void [token, signOut];',
    test: learners,
    title: 'a session lasts 30 days, is extended by use, and ends with sign-out',
  },
  'disabled-administrators': {
    file: sessions,
    from: ' and a.disabled_at is null`',
    to: '`',
    test: administratorSessionsTest,
    title: 'an administrator has to sign in again after being disabled and enabled again',
  },
  'disabling-ends-sessions': {
    file: `${identity}/administrators/administrator.service.ts`,
    from: 'await endEveryAdministratorSession(tx, context, id);',
    to: '',
    test: administratorSessionsTest,
    title: 'an administrator has to sign in again after being disabled and enabled again',
  },
  'own-sessions-alone': {
    file: `${identity}/sessions/session.repository.ts`,
    from: 'where user_id = ? and expires_at > ? and',
    to: 'where (user_id = ? or true) and expires_at > ? and',
    test: profileTest,
    title: 'sessions are listed with device and time, without tokens, and end one by one or all other sessions at once',
  },
  'keys-hashed': {
    file: keys,
    from: "createHash('sha256').update(key).digest('hex');",
    to: "(key + createHash('sha256').update(key).digest('hex')).slice(0, 64);",
    test: registrationTest,
    title: 'a pair of keys allows one registration, which does not sign in',
  },
  'keys-serve-once': {
    file: keys,
    from: 'and used_at is null and revoked_at is null and expires_at > ? returning id',
    to: 'and revoked_at is null and expires_at > ? returning id',
    test: registrationTest,
    title: 'of concurrent registrations with one pair, only one succeeds',
  },
  'keys-end': {
    file: keys,
    from: 'and used_at is null and revoked_at is null and expires_at > ? returning id',
    to: 'and used_at is null and revoked_at is null and ?::timestamptz is not null returning id',
    test: registrationTest,
    title: 'invalid keys: the same response in every case, and no account',
  },
  'wrong-keys-per-network': {
    file: `${identity}/administrators/administrator.service.ts`,
    from: 'await limits.keysPerNetwork.consume(network);',
    to: '',
    test: registrationTest,
    title: 'ten refused keys block registrations from a network for a while, and valid keys do not count',
  },
};
