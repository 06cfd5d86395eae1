import { createTransport } from 'nodemailer';
import type { Config } from '../settings/config.ts';
import { type Letter, MailError, type Mailer, type MailFailure } from './mailer.ts';

/** Timeouts of the mail server, in ms: for look-up, connection and greeting, and between two responses. */
const connectWithin = 10_000;
const answerWithin = 20_000;
/** Connections of a mailing. Mail servers allow few from one machine. */
const mailingConnections = 4;

/** Fields of the driver's errors. */
interface DriverError {
  code?: unknown;
  /** SMTP reply code. */
  responseCode?: unknown;
  /** SMTP command to which the server replied. */
  command?: unknown;
  /** `connect` while there is no connection. */
  syscall?: unknown;
  timeoutType?: unknown;
}

/** Codes and timeouts of failures before the server can have a message. */
const beforeMessage: ReadonlySet<unknown> = new Set([
  'EDNS',
  'ETLS',
  'EAUTH',
  'connect',
  'CONNECT_TIMEOUT',
  'GREETING_TIMEOUT',
  'UPGRADE_TIMEOUT',
]);

/** Returns what became of a message. Only replies about the recipient or the message itself are final. */
function failureOf({ code, responseCode, command, syscall, timeoutType }: DriverError): MailFailure {
  if ([code, syscall, timeoutType].some((fact) => beforeMessage.has(fact))) return 'refused';
  if (typeof responseCode !== 'number') return 'unknown';
  return responseCode >= 500 && (code === 'EMESSAGE' || command === 'RCPT TO') ? 'rejected' : 'refused';
}

/**
 * Returns a mailer that opens one connection per e-mail, and a few for a mailing. TLS is required, except for a server on this machine; smtps:// uses TLS from the
 * first byte.
 * @param name the sender's display name
 */
export function smtpMailer({ smtpUrl, from, name }: NonNullable<Config['mail']> & { name: string }): Mailer {
  const url = new URL(smtpUrl);
  const secure = url.protocol === 'smtps:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port) || (secure ? 465 : 587);
  const options = {
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
  };
  const transport = createTransport(options);
  const guarded = async (work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      const fields = error as DriverError;
      const { code, responseCode } = fields;
      const reason = [code, responseCode].filter((part) => typeof part === 'string' || typeof part === 'number').join(' ');
      throw new MailError(
        `le serveur de messagerie ${host}:${port} n'a pas pris le message (${reason || 'sans raison'})`,
        typeof code === 'string' ? code : null,
        failureOf(fields),
      );
    }
  };
  const addressed = (letter: Letter) => ({ ...letter, from: { name, address: from } });
  return {
    send: (letter) => guarded(() => transport.sendMail(addressed(letter))),
    async check() {
      await guarded(() => transport.verify());
      return `${host}:${port} répond`;
    },
    openMailing() {
      // Requeued messages could arrive twice.
      const pool = createTransport({ ...options, pool: true, maxConnections: mailingConnections, maxRequeues: 0 });
      return {
        send: (letter) => guarded(() => pool.sendMail(addressed(letter))),
        close: () => pool.close(),
      };
    },
  };
}
