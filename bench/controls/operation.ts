// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are pieces of sources
import type { Controls } from './control.ts';

const log = 'src/platform/observability/log.ts';
const logTest = 'src/platform/observability/log.test.ts';
const errors = 'src/platform/http/error-handler.ts';
const errorsTest = 'src/platform/http/error-handler.test.ts';
const production = 'src/platform/settings/production-settings.ts';
const productionTest = 'src/platform/settings/production-settings.test.ts';

/** Logs, errors, settings, external services. */
export const operationControls: Controls = {
  'log-blots-out-secrets': {
    file: log,
    from: 'redact: { paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor:',
    to: 'redact: { paths: secrets.slice(0, 1), censor:',
    test: logTest,
    title: 'fields with secret names are redacted at every depth',
  },
  'log-without-values': {
    file: log,
    from: "message: fromDatabase ? 'database error' : error.message,",
    to: 'message: error.message,',
    test: logTest,
    title: 'a failure is logged with its code, its stack and the request id',
  },
  'log-without-query': {
    file: 'src/platform/observability/request-log.ts',
    from: "path: request.url.split('?', 1)[0],",
    to: 'path: request.url,',
    test: logTest,
    title: 'a request is logged in one line with id, method, path, status and time, and the response has the same id',
  },
  'refusals-name-their-caller': {
    file: 'src/platform/observability/request-log.ts',
    from: '...(refusals.has(reply.statusCode) &&',
    to: '...(refusals.has(0) &&',
    test: logTest,
    title: 'the log line of a refusal has the network and the account',
  },
  'log-of-failures': {
    file: errors,
    from: "request.log.error({ ...(isDiskFull(thrown) && { alert: 'disk-full' }), err: thrown }, 'request failed');",
    to: 'void 0;',
    test: logTest,
    title: 'a failure is logged with its code, its stack and the request id',
  },
  'errors-say-nothing': {
    file: errors,
    from: 'Une erreur est survenue de notre côté. Rien n\'a été perdu. Réessayez dans un instant.", {',
    to: 'Une erreur est survenue : " + error.message, {',
    test: errorsTest,
    title: 'a program gets JSON with the message, without internal details',
  },
  'database-away': {
    file: errors,
    from: 'if (isDatabaseAway(error))',
    to: 'if (isDatabaseAway(error) && error === null)',
    test: errorsTest,
    title: 'a locked table: 503 once the database timeout has passed, and 200 again afterwards',
  },
  'production-over-https': {
    file: production,
    from: "protocol === 'http:' ?",
    to: "protocol === 'ftp:' ?",
    test: productionTest,
    title: 'production refuses addresses that use http, or name this machine or a private network',
  },
  'production-without-examples': {
    file: production,
    from: ".filter(([name, value]) => value.test(env[name] ?? ''))",
    to: '.filter(([name, value]) => name === value.source)',
    test: productionTest,
    title: 'production refuses values of the demonstration or an example, trust in every proxy, and simple tokens',
  },
  'proxies-named': {
    file: 'src/platform/settings/environment.ts',
    from: '!/\\/0+\\s*(,|$)/.test(value)',
    to: '!/^never$/.test(value)',
    test: productionTest,
    title: 'production refuses values of the demonstration or an example, trust in every proxy, and simple tokens',
  },
  'no-simulation-in-production': {
    file: production,
    from: "/^(on|true|1)$/.test(env.PAYMENT_SIMULATION ?? '')",
    to: "/^never$/.test(env.PAYMENT_SIMULATION ?? '')",
    test: 'src/platform/settings/config.test.ts',
    title: 'production requires settings without a default, and refuses the payment simulation',
  },
  'faults-without-values': {
    file: 'src/platform/settings/config.ts',
    from: '`${String(issue.path.at(-1))} ${issue.message}`',
    to: '`${String(issue.path.at(-1))} ${issue.message} ${set[String(issue.path.at(-1))]}`',
    test: 'src/platform/settings/config.test.ts',
    title: 'a fault names the setting, never its value',
  },
  'metrics-by-token': {
    file: 'src/platform/observability/metrics.ts',
    from: "if (!timingSafeEqual(digest(bearerToken(request) ?? ''), expected)) return reply.callNotFound();",
    to: "if (timingSafeEqual(digest(''), expected)) return reply.callNotFound();",
    test: 'src/modules/payment/reconciliation/alerts.test.ts',
    title: 'the counts are exported as metrics, and only requests with the token can read them',
  },
  'letters-over-tls': {
    file: 'src/platform/mail/smtp-mailer.ts',
    from: 'requireTLS: !secure && !/^(localhost|127\\.0\\.0\\.1|::1)$/.test(host),',
    to: '',
    test: 'src/platform/mail/mailer.test.ts',
    title: 'a mail server on another machine without TLS gets no e-mail and no password',
  },
  'letters-errors-without-words': {
    file: 'src/platform/mail/smtp-mailer.ts',
    from: "n'a pas pris le message (${reason || 'sans raison'})`",
    to: "n'a pas pris le message (${reason || 'sans raison'}) ${error}`",
    test: 'src/platform/mail/mailer.test.ts',
    title: 'the error for a refused e-mail has the code of the mail server, but not its text',
  },
  'worker-without-environment': {
    file: 'src/platform/work/worker-pool.ts',
    from: 'env: NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {},',
    to: 'env: { ...process.env, NODE_COMPILE_CACHE } as Record<string, string>,',
    test: 'src/platform/work/worker-pool.test.ts',
    title: 'a worker does not get the environment variables',
  },
  'passwords-wait-in-turn': {
    file: 'src/modules/identity/accounts/password.ts',
    from: 'return await turns.run(waitMs, work);',
    to: 'return await work();',
    test: 'src/modules/identity/accounts/password.test.ts',
    title: 'sign-ins beyond the queue get a 503 with a retry time, and do not count as failures',
  },
  'overload-refused': {
    file: 'src/platform/overload/overload.ts',
    from: 'const reason = admission.refusal(loadClass, load(), performance.now());',
    to: "const reason = loadClass === 'page' ? null : admission.refusal(loadClass, load(), performance.now());",
    test: 'src/platform/overload/overload.test.ts',
    title: 'with an event loop blocked for longer, refuses pages too, but no payment request',
  },
};
