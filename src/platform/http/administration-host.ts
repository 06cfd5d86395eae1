import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { notFound } from '../errors.ts';
import type { Config } from '../settings/config.ts';
import { wantsHtml } from './negotiation.ts';

/** Which host serves a route. 'both': assets, pictures and reads that learners' and administrators' pages share. */
type Side = 'administration' | 'learners' | 'both';

/**
 * With ADMIN_URL, serves the administration on its own host. A payment provider's script on a learners' page then cannot act as an
 * administrator, since the administrator's cookie is sent to the administration host only. A page requested on the wrong host is
 * redirected, a call gets 404.
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
      // The bare address of the administration host leads to its dashboard.
      const target = here && request.url === '/' ? `${adminUrl}/admin/dashboard` : `${here ? publicUrl : adminUrl}${request.url}`;
      reply.header('cache-control', 'private, no-store').redirect(target, 302);
      await reply;
    });
  },
  { name: 'administration-host' },
);

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns the origin, from the settings, of the host that this request is addressed to; null where the settings name none. */
    ownOrigin(request: FastifyRequest): string | null;
  }
}

function sideOf({ url, routeOptions: { config, url: route } }: FastifyRequest): Side {
  if (config.audience === 'administrator' || /^\/(api\/)?admin(\/|\?|$)/.test(url)) return 'administration';
  // An unknown address gets 404 on both hosts.
  return config.audience === 'shared' || config.anonymous || route === undefined ? 'both' : 'learners';
}

function isAdministrationHost(request: FastifyRequest, adminUrl: string | null): adminUrl is string {
  if (adminUrl === null) return false;
  const { protocol, host } = new URL(adminUrl);
  // A Host header can hold any text, also no valid host.
  const asked = `${protocol}//${request.host}`;
  return URL.canParse(asked) && new URL(asked).host === host;
}
