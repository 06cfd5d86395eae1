import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { AppError } from '../errors.ts';
import type { Config } from '../settings/config.ts';
import { bearerToken } from './bearer.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers posts from other sites (the payment provider's): no same-origin check. */
    crossOrigin?: boolean;
    /** The page may load the payment provider's script and frame. */
    paymentProvider?: boolean;
    /** The page shows authors' texts: pictures from anywhere, and the videos that they name, once somebody asks. */
    authored?: boolean;
  }
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The chosen payment providers' origins. */
interface ProviderOrigins {
  /** Their scripts and frames. */
  widget: string[];
  /** Their checkout pages, where our forms and the browser may be sent. */
  checkout: string[];
}

const noProvider: ProviderOrigins = { widget: [], checkout: [] };

/** Security headers, a content security policy without inline script, nor style but by its hash, and the same-origin check on every state change. */
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

/** This answer brings one style inside itself. @param source as the policy names it, by its hash */
export function allowStyle(reply: FastifyReply, source: string): void {
  const policy = String(reply.getHeader('content-security-policy'));
  reply.header('content-security-policy', policy.replace("style-src 'self'", `style-src 'self' ${source}`));
}

/** Where embedded videos are shown (videoOf in src/shared/rich-text/addresses.ts). */
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
    // Specification §5: pictures at http, https and data.
    `img-src 'self' https: data:${authored ? ' http:' : ''}`,
    "font-src 'self'",
    // blob: is the page's own memory, where Safari puts the pictures of a paste.
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
 * A state change comes from our own pages: `Sec-Fetch-Site`, else `Origin`, else the `Referer` of old proxy browsers.
 * A bearer token is no cookie that a foreign page could ride on, so it stands for itself.
 * @returns the refusal, 403; undefined for a change of our own
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

/** Scheme, host and port where the settings name them; without them a proxy may have ended TLS, and the host must do. */
function isOwn(url: URL, request: FastifyRequest, ownOrigin: string | null): boolean {
  if (ownOrigin) return url.origin === new URL(ownOrigin).origin;
  // A Host header can hold anything: without an origin of our own nothing is the same origin.
  const own = `${url.protocol}//${request.host}`;
  return /^https?:$/.test(url.protocol) && URL.canParse(own) && url.host === new URL(own).host;
}
