import type { Controls } from './control.ts';

const administrators = 'src/modules/identity/administrators';
const signIn = `${administrators}/administrator-sign-in.service.ts`;
const factor = `${administrators}/second-factor/second-factor.service.ts`;
const accountTest = `${administrators}/account.pages.test.ts`;
const factorTest = `${administrators}/second-factor.pages.test.ts`;
const stepTitle = 'the second step: a pending sign-in opens no page, and a code opens one session';

/** Second factor, password confirmation, keys created in the terminal. */
export const administratorControls: Controls = {
  'second-step-demanded': {
    file: 'src/modules/identity/sessions/guards.ts',
    from: "server.demandsSecondFactor && administrator?.role === 'super_admin';",
    to: 'server.demandsSecondFactor && administrator === undefined;',
    test: accountTest,
    title: 'a super administrator without a second factor is redirected to set one up first',
  },
  'second-step-asked': {
    file: signIn,
    from: 'if (!(await hasSecondFactor(em, found.id))) {',
    to: 'if (found.id || (await hasSecondFactor(em, found.id))) {',
    test: factorTest,
    title: stepTitle,
  },
  'codes-count-once': {
    file: factor,
    from: 'if (step === null || step <= (factor.lastStep ?? 0)) return null;',
    to: 'if (step === null) return null;',
    test: factorTest,
    title: stepTitle,
  },
  'recovery-codes-count-once': {
    file: factor,
    from: 'const code = { id: hashRecoveryCode(typed, administrator), administrator, usedAt: null };',
    to: 'const code = { id: hashRecoveryCode(typed, administrator), administrator };',
    test: factorTest,
    title: 'a recovery code works once, and new codes replace all earlier codes',
  },
  'codes-guessed-within-limits': {
    file: signIn,
    from: 'withinSignInLimits(em, context, limits.code, email, caller, () =>',
    to: '((...all: [...unknown[], () => Promise<OpenedAdministrator>]) => (all.at(-1) as () => Promise<OpenedAdministrator>)())(limits.code, () =>',
    test: factorTest,
    title: 'guesses of codes are limited, and the command line resets the count',
  },
  'secrets-sealed': {
    file: `${administrators}/second-factor/secret-seal.ts`,
    from: 'if (!cipherKey) return secret;',
    to: 'if (!cipherKey || secret) return secret;',
    test: factorTest,
    title: 'a sealed secret can be opened only for its owner and with its key',
  },
  'reset-keys-end': {
    file: `${administrators}/reset/administrator-reset.service.ts`,
    from: 'r.used_at is null and r.expires_at > ?`',
    to: 'r.used_at is null and ?::timestamptz is not null`',
    test: factorTest,
    title: 'a key from the command line allows one new password within an hour and keeps the second factor',
  },
  'fresh-confirmation': {
    file: `${administrators}/confirmation/confirmation.service.ts`,
    from: 'now.getTime() - confirmedAt.getTime() < freshMs;',
    to: 'now.getTime() - confirmedAt.getTime() < freshMs * 1_000;',
    test: accountTest,
    title: 'a refund form sent without recent confirmation is kept, and booked once confirmed',
  },
  'failures-in-the-journal': {
    file: signIn,
    from: 'await recordSignInFailure(em, context, limits.journal, { email, network: caller.network, step, error });',
    to: 'void [step, recordSignInFailure];',
    test: accountTest,
    title: 'the log records failures with account and network, and strangers cannot flood it',
  },
};
