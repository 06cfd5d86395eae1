import type { EntityManager } from '@mikro-orm/postgresql';
import fp from 'fastify-plugin';
import type { Config } from '../settings/config.ts';
import { noteForwarded } from './forwarded-note.ts';

/** Proxies whose word was taken before, at most. */
const maxKnown = 1_000;

/**
 * Says once that somebody whom TRUST_PROXY does not name tells whose requests they bring: a proxy that was forgotten there, whose visitors are then all taken for one; or a
 * stranger who pretends. Noted in the database as well, for `prepa doctor`.
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
      // Of one that is trusted, whoever it names comes after it.
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
