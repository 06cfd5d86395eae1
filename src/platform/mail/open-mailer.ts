import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../settings/config.ts';
import type { Mailer } from './mailer.ts';

type Log = Pick<FastifyBaseLogger, 'warn'>;

/** Returns a mailer for development, which logs a warning with the links of an e-mail instead of sending it. */
function loggingMailer(log: Log): Mailer {
  const send: Mailer['send'] = async ({ subject, text }) => {
    log.warn({ subject, links: text.match(/https?:\/\/\S+/g) ?? [] }, 'letter written, not sent');
  };
  return {
    send,
    async check() {
      return 'messages écrits dans le journal, non envoyés';
    },
    openMailing: () => ({ send, close: () => {} }),
  };
}

/**
 * Returns an SMTP mailer if the settings name a server; otherwise one that logs. Null in production without a server, where links must not
 * be logged.
 */
export async function openMailer(config: Config, log: Log): Promise<Mailer | null> {
  const { mail, environment, site } = config;
  if (!mail) return environment === 'production' ? null : loggingMailer(log);
  // The SMTP library is loaded only if e-mails are sent.
  const { smtpMailer } = await import('./smtp-mailer.ts');
  return smtpMailer({ ...mail, name: site.name });
}
