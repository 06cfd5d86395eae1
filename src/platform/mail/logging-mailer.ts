import type { FastifyBaseLogger } from 'fastify';
import type { Mailer } from './mailer.ts';

/** For development: says in the log that a letter was written, and the links in it, which somebody at the terminal may follow. */
export function loggingMailer(log: Pick<FastifyBaseLogger, 'info'>): Mailer {
  return {
    async send({ subject, text }) {
      log.info({ subject, links: text.match(/https?:\/\/\S+/g) ?? [] }, 'letter written, not sent');
    },
    async check() {
      return 'messages écrits dans le journal, non envoyés';
    },
  };
}
