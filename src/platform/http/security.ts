import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { AppError } from '../errors.ts';
import type { Config } from '../settings/config.ts';
import { bearerToken } from './bearer.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Accepts posts from other sites (the payment provider's webhooks and returns): no same-origin check. */
    crossOrigin?: boolean;
    /** The page may load the payment provider's script and frame. */
    paymentProvider?: boolean;
    /** The page shows texts of authors: pictures from any origin, and embedded videos once the reader starts them. */
    authored?: boolean;
  }
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Origins of the configured payment providers. */
interface ProviderOrigins {
  /** Origins of their scripts and frames. */
  widget: string[];
  /** Origins of their checkout pages, to which our forms and redirects may lead. */
  checkout: string[];
}

const noProvider: ProviderOrigins = { widget: [], checkout: [] };

/**
 * Sets security headers and a content security policy (no inline script; inline style by hash only); refuses state changes from other
 * origins.
 */
export const security = fp<{ config: Config; providerOrigins: ProviderOrigins; development: boolean }>(
  async (app, { config, providerOrigins, development }) => {
    const secure = config.publicUrl?.startsWith('https:') ?? false;
    const always = {
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      ...(secure && { 'strict-transport-security': `max-age=31536000${config.hstsSubdomains ? '; includeSubDomains' : ''}` }),
    };
    const policyFor = (providers: ProviderOrigins, authored: boolean) => contentSecurityPolicy({ providers, authored, development });
    const policies = [noProvider, providerOrigins].flatMap((providers) => [policyFor(providers, false), policyFor(providers, true)]);
    app.addHook('onRequest', (request, reply, done) => {
      const { paymentProvider, authored, crossOrigin } = request.routeOptions.config;
      reply.headers(always).header('content-security-policy', policies[(paymentProvider ? 2 : 0) + (authored ? 1 : 0)]);
      const fault = safeMethods.has(request.method) || crossOrigin ? undefined : foreignOrigin(request, app.ownOrigin(request));
      done(fault);
    });
  },
  { name: 'security' },
);

/** Allows one inline style in this response. @param source its hash, as the policy writes it */
export function allowStyle(reply: FastifyReply, source: string): void {
  const policy = String(reply.getHeader('content-security-policy'));
  reply.header('content-security-policy', policy.replace("style-src 'self'", `style-src 'self' ${source}`));
}

/** Origins of the embedded video players (videoOf in src/shared/rich-text/addresses.ts). */
const videoPlayers = ['https://www.youtube-nocookie.com', 'https://player.vimeo.com'];

interface PolicyOptions {
  providers: ProviderOrigins;
  authored: boolean;
  development: boolean;
}

function contentSecurityPolicy({ providers, authored, development }: PolicyOptions): string {
  const frames = [...providers.widget, ...(authored ? videoPlayers : [])];
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...providers.widget].join(' ')}`,
    development ? "style-src 'self' 'unsafe-inline'" : "style-src 'self'",
    // Specification §5: pictures may have http:, https: and data: addresses.
    `img-src 'self' https: data:${authored ? ' http:' : ''}`,
    "font-src 'self'",
    // Safari puts pasted pictures into blob: addresses, which the editor's script reads.
    development ? "connect-src 'self' blob: ws:" : "connect-src 'self' blob:",
    ...(frames.length > 0 ? [`frame-src ${frames.join(' ')}`] : []),
    ...(authored ? ['media-src https:'] : []),
    `form-action ${["'self'", ...providers.checkout].join(' ')}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * Checks that a state change comes from our own pages: `Sec-Fetch-Site`, else `Origin`, else `Referer` (old proxy browsers send nothing
 * else). A request with a bearer token passes: browsers never add one by themselves, as they add cookies.
 * @returns the refusal, 403; undefined if the request is accepted
 */
function foreignOrigin(request: FastifyRequest, ownOrigin: string | null): AppError | undefined {
  if (bearerToken(request) !== null) return undefined;
  const site = request.headers['sec-fetch-site'];
  if (site === 'same-origin') return undefined;
  if (site === undefined) {
    const origin = request.headers.origin ?? request.headers.referer;
    if (origin && URL.canParse(origin) && isOwn(new URL(origin), request, ownOrigin)) return undefined;
  }
  return new AppError('REQUEST.FOREIGN_ORIGIN', 403, "Cette action doit venir d'une page du site. Rechargez la page et réessayez.");
}

/** Compares scheme, host and port with the settings' origin. Without one only the host is compared, since a proxy may have ended TLS. */
function isOwn(url: URL, request: FastifyRequest, ownOrigin: string | null): boolean {
  if (ownOrigin) return url.origin === new URL(ownOrigin).origin;
  // A Host header can hold any text; one that is no valid host matches no origin.
  const own = `${url.protocol}//${request.host}`;
  return /^https?:$/.test(url.protocol) && URL.canParse(own) && url.host === new URL(own).host;
}
