import fp from 'fastify-plugin';
import { dayMs } from '../../shared/dates.ts';
import type { Config } from '../settings/config.ts';
import type { Clock } from '../use-cases/clock.ts';

/** RFC 9116 asks for less than a year; nobody has to renew it, since each answer counts anew. */
const validDays = 180;

/** Where whoever finds a fault reports it (RFC 9116). */
export const securityContact = fp<{ config: Config; clock: Clock }>(
  async (app, { config: { publicUrl, securityContact: contact }, clock }) => {
    const path = '/.well-known/security.txt';
    app.get(path, { config: { anonymous: true, load: 'essential' } }, async (_request, reply) => {
      // The beginning of a day: all who ask on one day are answered the same.
      const expires = new Date(Math.floor(clock.now().getTime() / dayMs + validDays) * dayMs);
      const lines = [
        `Contact: ${contact}`,
        `Expires: ${expires.toISOString()}`,
        'Preferred-Languages: fr, en',
        // A request's own host can be anything.
        ...(publicUrl ? [`Canonical: ${publicUrl}${path}`] : []),
      ];
      return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
    });
  },
  { name: 'security-contact' },
);
