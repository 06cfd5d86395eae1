import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../settings/config.ts';
import type { Mailer } from './mailer.ts';

type Log = Pick<FastifyBaseLogger, 'warn'>;

/** For development: warns that a letter was not sent, with the links in it, which somebody at the terminal may follow. */
const loggingMailer = (log: Log): Mailer => ({
  async send({ subject, text }) {
    log.warn({ subject, links: text.match(/https?:\/\/\S+/g) ?? [] }, 'letter written, not sent');
  },
  async check() {
    return 'messages écrits dans le journal, non envoyés';
  },
});

/** SMTP where the settings name a server; otherwise letters stand in the log. Null in production without a server: there, a log is no place for them. */
export async function openMailer(config: Config, log: Log): Promise<Mailer | null> {
  const { mail, environment, site } = config;
  if (!mail) return environment === 'production' ? null : loggingMailer(log);
  // Loaded only where letters are sent.
  const { smtpMailer } = await import('./smtp-mailer.ts');
  return smtpMailer({ ...mail, name: site.name });
}
