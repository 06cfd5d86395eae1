// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are pieces of sources
import type { Controls } from './control.ts';

const security = 'src/platform/http/security.ts';
const test = 'src/platform/http/security.test.ts';
const policyTitle = 'a strict policy: nothing inline except one style by its hash, and no framing by other sites';
const secureTitle = 'cookies are Secure behind HTTPS, but not on plain HTTP';
const originTitle = 'accepts state changes only from our own pages';
const cookies = 'src/platform/http/cookies.ts';
const transport = 'src/modules/identity/sessions/session-transport.ts';

/** Security headers, cookies and the origin check of requests. */
export const browserControls: Controls = {
  'policy-default': { file: security, from: `"default-src 'none'",`, to: '', test, title: policyTitle },
  'policy-scripts': {
    file: security,
    from: `["'self'", ...providers.widget]`,
    to: `["'self' 'unsafe-inline'", ...providers.widget]`,
    test,
    title: policyTitle,
  },
  'policy-base': { file: security, from: `"base-uri 'none'",`, to: '', test, title: policyTitle },
  'policy-frames': { file: security, from: `"frame-ancestors 'none'",`, to: '', test, title: policyTitle },
  'policy-by-page': {
    file: security,
    from: 'policies[(paymentProvider ? 2 : 0) + (authored ? 1 : 0)]',
    to: 'policies[2 + (paymentProvider ? 0 : 0) + (authored ? 1 : 0)]',
    test,
    title: "the provider's script and frame are allowed on payment pages only",
  },
  nosniff: { file: security, from: `'x-content-type-options': 'nosniff',`, to: '', test, title: policyTitle },
  'hsts-subdomains': {
    file: security,
    from: "${config.hstsSubdomains ? '; includeSubDomains' : ''}",
    to: '',
    test,
    title: secureTitle,
  },
  'no-other-origins': {
    file: security,
    from: `'x-content-type-options': 'nosniff',`,
    to: `'x-content-type-options': 'nosniff', 'access-control-allow-origin': '*',`,
    test: 'test/public-answers.test.ts',
    title: 'every response has a content type and is closed to pages of other sites',
  },
  'texts-name-their-encoding': {
    file: 'src/modules/catalogue/landing/landing.pages.ts',
    from: `.type('text/plain; charset=utf-8')`,
    to: `.type('text/plain')`,
    test: 'test/public-answers.test.ts',
    title: 'every response has a content type and is closed to pages of other sites',
  },
  'one-reading-of-a-request': {
    file: 'src/app.ts',
    from: 'http: { headersTimeout: headersTimeoutMs, connectionsCheckingInterval: connectionsCheckingIntervalMs },',
    to: 'http: { headersTimeout: headersTimeoutMs, connectionsCheckingInterval: connectionsCheckingIntervalMs, insecureHTTPParser: true },',
    test: 'test/bad-input.test.ts',
    title: 'a request whose end could be read in two ways is refused',
  },
  'referrer-policy': { file: security, from: `'referrer-policy': 'same-origin',`, to: '', test, title: policyTitle },
  'opener-policy': { file: security, from: `'cross-origin-opener-policy': 'same-origin',`, to: '', test, title: policyTitle },
  hsts: {
    file: security,
    from: "...(secure && { 'strict-transport-security': `max-age=31536000${config.hstsSubdomains ? '; includeSubDomains' : ''}` }),",
    to: '',
    test,
    title: policyTitle,
  },
  'same-origin': {
    file: security,
    from: 'safeMethods.has(request.method) || crossOrigin ? undefined : foreignOrigin',
    to: 'request.method !== crossOrigin?.toString() ? undefined : foreignOrigin',
    test,
    title: "every route that changes something checks the origin, except the provider's",
  },
  'origin-is-ours': {
    file: security,
    from: 'if (ownOrigin) return url.origin === new URL(ownOrigin).origin;',
    to: '',
    test,
    title: originTitle,
  },
  'cookie-secure': {
    file: cookies,
    from: `secure: request.server.siteOrigin(request).startsWith('https:')`,
    to: 'secure: request.raw.destroyed',
    test,
    title: secureTitle,
  },
  'cookie-http-only': { file: cookies, from: 'httpOnly: true', to: 'httpOnly: false', test, title: secureTitle },
  'cookie-same-site': {
    file: transport,
    from: `transport('userToken', { sameSite: 'lax'`,
    to: `transport('userToken', { sameSite: 'none' as 'lax'`,
    test,
    title: secureTitle,
  },
  'administrators-strict': {
    file: transport,
    from: `transport('adminToken', { sameSite: 'strict'`,
    to: `transport('adminToken', { sameSite: 'lax'`,
    test: 'src/modules/identity/sessions/administrator-sessions.test.ts',
    title: 'a sign-in returns token, administrator and role, and sets the cookie',
  },
  'public-without-cookies': {
    file: 'src/platform/http/shared-caches.ts',
    from: `if (reply.hasHeader('set-cookie')) return 'a shared cache would keep a cookie';`,
    to: '',
    test: 'src/platform/http/shared-caches.test.ts',
    title: 'outside production, a cookie or a session read in a publicly cacheable response causes an error',
  },
  'personal-answers-private': {
    file: 'src/modules/identity/sessions/guards.ts',
    from: "reply.header('cache-control', `private, ${kept}`).header('vary', 'cookie, authorization');",
    to: 'void kept;',
    test: 'test/public-answers.test.ts',
    title: 'every response has a content type and is closed to pages of other sites',
  },
  'flash-cookie-checked': {
    file: 'src/platform/pages/flash.ts',
    from: `return flashSchema.parse(JSON.parse(Buffer.from(cookie, 'base64url').toString('utf8')));`,
    to: `return JSON.parse(Buffer.from(cookie, 'base64url').toString('utf8'));`,
    test: 'src/platform/pages/flash.test.ts',
    title: 'an invalid flash cookie shows nothing and is removed',
  },
};
