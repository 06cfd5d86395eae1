import fp from 'fastify-plugin';
import { dayMs } from '../../shared/dates.ts';
import type { Config } from '../settings/config.ts';
import type { Clock } from '../use-cases/clock.ts';

/** RFC 9116 recommends less than a year. Nobody has to renew it: each response has a new date. */
const validDays = 180;

/** Serves security.txt (RFC 9116): where to report a vulnerability. */
export const securityContact = fp<{ config: Config; clock: Clock }>(
  async (app, { config: { publicUrl, securityContact: contact }, clock }) => {
    const path = '/.well-known/security.txt';
    app.get(path, { config: { anonymous: true, load: 'essential' } }, async (_request, reply) => {
      // Rounded to the beginning of a day, so that all responses of a day are equal.
      const expires = new Date(Math.floor(clock.now().getTime() / dayMs + validDays) * dayMs);
      const lines = [
        `Contact: ${contact}`,
        `Expires: ${expires.toISOString()}`,
        'Preferred-Languages: fr, en',
        // The address comes from the settings, because the request's Host header can hold anything.
        ...(publicUrl ? [`Canonical: ${publicUrl}${path}`] : []),
      ];
      return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
    });
  },
  { name: 'security-contact' },
);
