import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../settings/config.ts';
import { loggingMailer } from './logging-mailer.ts';
import type { Mailer } from './mailer.ts';

/** SMTP where the settings name a server; otherwise letters stand in the log. Null in production without a server: there, a log is no place for them. */
export async function openMailer(config: Config, log: Pick<FastifyBaseLogger, 'warn'>): Promise<Mailer | null> {
  const { mail, environment, site } = config;
  if (!mail) return environment === 'production' ? null : loggingMailer(log);
  // Loaded only where letters are sent.
  const { smtpMailer } = await import('./smtp-mailer.ts');
  return smtpMailer({ ...mail, name: site.name });
}
