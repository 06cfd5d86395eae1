/** An e-mail to one person, as plain text and as HTML. */
export interface Letter {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Further headers, such as `List-Unsubscribe`. */
  headers?: Readonly<Record<string, string>>;
}

export interface Mailer {
  /** Hands an e-mail to the server. @throws MailError when the server has not accepted it */
  send(letter: Letter): Promise<void>;
  /** Returns where e-mails are sent, in French. @throws MailError when the server would not accept any */
  check(): Promise<string>;
  /** Opens a mailing: many e-mails over few connections. */
  openMailing(): Mailing;
}

/** E-mails sent one after another over the same connections. No e-mail is ever repeated. */
export interface Mailing {
  /** Hands an e-mail to the server. @throws MailError when the server has not accepted it */
  send(letter: Letter): Promise<void>;
  close(): void;
}

/**
 * What became of an e-mail that was not accepted:
 * - `refused`: the server does not have it, and may accept it later;
 * - `rejected`: the server will never accept it;
 * - `unknown`: the server may have it, but did not say so.
 */
export type MailFailure = 'refused' | 'rejected' | 'unknown';

/** An e-mail that was not accepted. The message names the server and its code, never the server's own text, which quotes addresses. */
export class MailError extends Error {
  override readonly name = 'MailError';
  /** Error code of the driver: `ETLS`, `EAUTH`. */
  readonly code: string | null;
  readonly failure: MailFailure;

  constructor(message: string, code: string | null = null, failure: MailFailure = 'refused') {
    super(message);
    this.code = code;
    this.failure = failure;
  }
}
