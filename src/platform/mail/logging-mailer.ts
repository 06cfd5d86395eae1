import type { FastifyBaseLogger } from 'fastify';
import type { Mailer } from './mailer.ts';

/** For development: warns that a letter was not sent, with the links in it, which somebody at the terminal may follow. */
export function loggingMailer(log: Pick<FastifyBaseLogger, 'warn'>): Mailer {
  return {
    async send({ subject, text }) {
      log.warn({ subject, links: text.match(/https?:\/\/\S+/g) ?? [] }, 'letter written, not sent');
    },
    async check() {
      return 'messages écrits dans le journal, non envoyés';
    },
  };
}
