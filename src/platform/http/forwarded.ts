import type { EntityManager } from '@mikro-orm/postgresql';
import fp from 'fastify-plugin';
import type { Config } from '../settings/config.ts';
import { noteForwarded } from './forwarded-note.ts';

/** Maximum number of cached addresses of trusted proxies; a cached address skips the check. */
const maxKnown = 1_000;

/**
 * Warns once per process when X-Forwarded-For comes from an address outside TRUST_PROXY. Either a proxy is missing in the setting, and all
 * its visitors count as one, or a stranger forges the header. The warning is also recorded in the database, for `prepa doctor`.
 */
export const forwarded = fp<{ config: Config; fork: () => EntityManager }>(
  async (app, { config, fork }) => {
    const trusted = new Set<string>();
    let told = false;
    app.addHook('onRequest', (request, _reply, done) => {
      done();
      if (told || request.headers['x-forwarded-for'] === undefined) return;
      const peer = request.socket.remoteAddress ?? '';
      if (trusted.has(peer)) return;
      // `ips` holds more than the peer's address only if the peer is trusted.
      if ((request.ips?.length ?? 1) > 1) {
        if (trusted.size < maxKnown) trusted.add(peer);
        return;
      }
      told = true;
      app.log.warn(
        { alert: 'forwarded', trustProxy: config.trustProxy || 'none' },
        'X-Forwarded-For comes from somebody whom TRUST_PROXY does not name: if that is your proxy, name it there',
      );
      void noteForwarded(fork(), config.trustProxy || 'none').catch(() => {});
    });
  },
  { name: 'forwarded' },
);
