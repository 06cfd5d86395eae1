import { createTransport } from 'nodemailer';
import type { Config } from '../settings/config.ts';
import { MailError, type Mailer } from './mailer.ts';

/** Timeouts of the mail server, in ms: for look-up, connection and greeting, and between two responses. */
const connectWithin = 10_000;
const answerWithin = 20_000;

/**
 * Returns a mailer that opens one connection per e-mail. TLS is required, except for a server on this machine; smtps:// uses TLS from the
 * first byte.
 * @param name the sender's display name
 */
export function smtpMailer({ smtpUrl, from, name }: NonNullable<Config['mail']> & { name: string }): Mailer {
  const url = new URL(smtpUrl);
  const secure = url.protocol === 'smtps:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port) || (secure ? 465 : 587);
  const transport = createTransport({
    host,
    port,
    secure,
    requireTLS: !secure && !/^(localhost|127\.0\.0\.1|::1)$/.test(host),
    ...(url.username ? { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } } : {}),
    connectionTimeout: connectWithin,
    dnsTimeout: connectWithin,
    greetingTimeout: connectWithin,
    socketTimeout: answerWithin,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const guarded = async (work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
      const reason = [code, responseCode].filter((part) => typeof part === 'string' || typeof part === 'number').join(' ');
      throw new MailError(
        `le serveur de messagerie ${host}:${port} n'a pas pris le message (${reason || 'sans raison'})`,
        typeof code === 'string' ? code : null,
      );
    }
  };
  return {
    send: (letter) => guarded(() => transport.sendMail({ ...letter, from: { name, address: from } })),
    async check() {
      await guarded(() => transport.verify());
      return `${host}:${port} répond`;
    },
  };
}
