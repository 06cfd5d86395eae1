/** An e-mail to one person, as plain text and as HTML. */
export interface Letter {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface Mailer {
  /** Hands an e-mail to the server. @throws MailError when the server has not accepted it */
  send(letter: Letter): Promise<void>;
  /** Returns where e-mails are sent, in French. @throws MailError when the server would not accept any */
  check(): Promise<string>;
}

/** An e-mail that was not accepted. The message names the server and its code, never the server's own text, which quotes addresses. */
export class MailError extends Error {
  override readonly name = 'MailError';
  /** Error code of the driver: `ETLS`, `EAUTH`. */
  readonly code: string | null;

  constructor(message: string, code: string | null = null) {
    super(message);
    this.code = code;
  }
}
