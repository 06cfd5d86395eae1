import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { notFound } from '../errors.ts';
import type { Config } from '../settings/config.ts';
import { wantsHtml } from './negotiation.ts';

/** Whose an address is: what both need (assets, pictures, reads that both make) stands on both hosts. */
type Side = 'administration' | 'learners' | 'both';

/**
 * With ADMIN_URL the administration has a host of its own: a script of a payment provider, which learners' pages load, can then ask nothing in the name of an
 * administrator, whose cookie that host alone is sent. A page that stands on the other host is redirected to, a call is not there.
 */
export const administrationHost = fp<{ config: Config }>(
  async (app, { config: { adminUrl, publicUrl } }) => {
    app.decorate('ownOrigin', (request: FastifyRequest) => (isAdministrationHost(request, adminUrl) ? adminUrl : publicUrl));
    if (adminUrl === null || publicUrl === null) return;
    app.addHook('onRequest', async (request, reply) => {
      const here = isAdministrationHost(request, adminUrl);
      const side = sideOf(request);
      if (side === 'both' || (side === 'administration') === here) return;
      if (request.method !== 'GET' || !wantsHtml(request)) throw notFound();
      // Whoever types the host alone is looking for what stands there.
      const target = here && request.url === '/' ? `${adminUrl}/admin/dashboard` : `${here ? publicUrl : adminUrl}${request.url}`;
      reply.header('cache-control', 'private, no-store').redirect(target, 302);
      await reply;
    });
  },
  { name: 'administration-host' },
);

declare module 'fastify' {
  interface FastifyInstance {
    /** The origin, as the settings name it, of the pages on the host that this request asks; null where they name none. */
    ownOrigin(request: FastifyRequest): string | null;
  }
}

function sideOf({ url, routeOptions: { config, url: route } }: FastifyRequest): Side {
  if (config.audience === 'administrator' || /^\/(api\/)?admin(\/|\?|$)/.test(url)) return 'administration';
  // An address that leads nowhere leads nowhere on either.
  return config.audience === 'shared' || config.anonymous || route === undefined ? 'both' : 'learners';
}

function isAdministrationHost(request: FastifyRequest, adminUrl: string | null): adminUrl is string {
  if (adminUrl === null) return false;
  const { protocol, host } = new URL(adminUrl);
  // A Host header can hold anything.
  const asked = `${protocol}//${request.host}`;
  return URL.canParse(asked) && new URL(asked).host === host;
}
