import type { Controls } from './control.ts';

const payment = 'src/modules/payment';
const settlement = `${payment}/settlement/settle.service.ts`;
const settlementTest = `${payment}/settlement/settle.test.ts`;
const notificationTest = `${payment}/notifications/notification.test.ts`;
const http = `${payment}/contract/provider-http.ts`;
const httpTest = `${payment}/contract/provider-http.test.ts`;

/** Payments: a prepa opens only after a payment, once per payment, and only for the learner who paid. */
export const paymentControls: Controls = {
  'own-payments-alone': {
    file: `${payment}/ledger/payment.repository.ts`,
    from: 'where reference = $1 and user_id = $2 order by id limit 1',
    to: 'where reference = $1 and $2::uuid is not null order by id limit 1',
    test: `${payment}/attempts/payment.routes.test.ts`,
    title: 'visitors, ended sessions, other learners and other sites are refused',
  },
  'amount-and-currency': {
    file: settlement,
    from: 'if (!taken || (taken.amount === amount && taken.currency === currency)) return verification;',
    to: 'if (amount && currency) return verification;',
    test: settlementTest,
    title: 'an adapter that throws or does not compare the amount settles no payment',
  },
  'settled-once': {
    file: settlement,
    from: 'if (isSettled(payment.status)) return payment;',
    to: '',
    test: settlementTest,
    title: 'an older provider response that arrives after a newer one changes nothing',
  },
  'one-transaction': {
    file: 'src/platform/use-cases/events.ts',
    from: 'await (handler as Handler<DomainEventMap[Name]>)(em, payload, context);',
    to: 'await (handler as Handler<DomainEventMap[Name]>)(em, payload, context).catch(() => {});',
    test: 'src/platform/use-cases/events.test.ts',
    title: 'a handler that throws rolls back the change, and later handlers are not called',
  },
  'browsers-are-not-believed': {
    file: `${payment}/returns/return.pages.ts`,
    from: 'const status = payment ? await settleMeanwhile(request, payment.id) : null;',
    to: "const status: SettlementStatus | null = payment ? 'success' : null;\n        void settleMeanwhile;",
    test: `${payment}/returns/return.pages.test.ts`,
    title: 'the return URL does not decide the result of a payment',
  },
  'confirmed-by-a-payment': {
    file: 'src/modules/enrolment/calls/confirmation.service.ts',
    from: "if (active && (status === 'success' ||",
    to: 'if (active && (enrolment ||',
    test: 'src/modules/enrolment/calls/enrolment.routes.test.ts',
    title: 'confirm: access granted by an operator is not a payment, and a stored success is not checked again',
  },
  'notifications-signed': {
    file: `${payment}/notifications/notification.service.ts`,
    from: 'const forged = provider.signsNotifications && !signed;',
    to: 'const forged = provider.signsNotifications && signed === null;',
    test: notificationTest,
    title: 'a notification without a valid signature from a signing provider is stored but not processed',
  },
  'signature-of-the-bytes': {
    file: `${payment}/contract/signature.ts`,
    from: "return timingSafeEqual(Buffer.from(given, 'hex'), expected);",
    to: 'return Buffer.from(given).length > 0 || timingSafeEqual(expected, expected);',
    test: `${payment}/contract/signature.test.ts`,
    title: 'a signature does not match the same JSON in other bytes',
  },
  'signature-needs-a-key': {
    file: `${payment}/contract/signature.ts`,
    from: "if (!key || typeof given !== 'string') return false;",
    to: "if (typeof given !== 'string') return false;",
    test: `${payment}/contract/signature.test.ts`,
    title: 'without a secret no signature is valid',
  },
  'strangers-store-little': {
    file: `${payment}/notifications/notification.service.ts`,
    from: 'if (paymentId === null ? unknownReached : knownReached) {',
    to: 'if (paymentId === undefined) {',
    test: `${payment}/notifications/storage-bound.test.ts`,
    title: "above a network's limit, unsigned notifications of unknown payments get a 200 and are counted but not stored",
  },
  'payments-begun': {
    file: `${payment}/attempts/start.service.ts`,
    from: 'await boundNewAttempts(tx, learner, now, maxNewAttempts);',
    to: 'void [boundNewAttempts, maxNewAttempts];',
    test: `${payment}/attempts/start-limits.test.ts`,
    title: 'after five new attempts in 10 minutes a 429 gives the time to wait, and open attempts can still be resumed',
  },
  'checkout-where-it-belongs': {
    file: `${payment}/providers/notchpay/answer.ts`,
    from: "return origins.includes(url.origin) && url.username === ''",
    to: "return origins.length > 0 && url.username === ''",
    test: `${payment}/providers/notchpay/adapter.test.ts`,
    title: 'start: the outcome for each response',
  },
  'redirects-not-followed': {
    file: http,
    from: "{ ...init, redirect: 'manual' }",
    to: "{ ...init, redirect: 'follow' }",
    test: httpTest,
    title: 'redirects of a provider are not followed',
  },
  'answers-bounded': {
    file: `${payment}/contract/bounded-json.ts`,
    from: "if (size > sizeLimit) return { kind: 'unreadable', cause: 'answer too long' };",
    to: '',
    test: `${payment}/providers/zitopay/adapter.test.ts`,
    title: "every invalid response gives the result 'unknown' and never throws",
  },
  'failing-providers-left-alone': {
    file: http,
    from: 'return await breaker.execute(() => exchange(url, init));',
    to: 'return await exchange(url, init);',
    test: httpTest,
    title: 'after repeated failures no requests are sent to a provider',
  },
  'telephones-cut': {
    file: `${payment}/ledger/storable-answer.ts`,
    from: 'return text.replace(phoneLike,',
    to: 'return text.replace(/^never$/,',
    test: `${payment}/ledger/storable-answer.test.ts`,
    title: 'telephone numbers keep their last four digits',
  },
};
