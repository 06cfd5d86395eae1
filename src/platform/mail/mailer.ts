/** What is written to one person, as plain text and as HTML. */
export interface Letter {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface Mailer {
  /** Hands a letter over. @throws MailError when nobody has taken it */
  send(letter: Letter): Promise<void>;
  /** Where letters go, in French. @throws MailError when nobody there would take them */
  check(): Promise<string>;
}

/** A letter that was not handed over. Says by whom and the server's code, never the server's words: they quote addresses. */
export class MailError extends Error {
  override readonly name = 'MailError';
  /** What went wrong, as the driver calls it: `ETLS`, `EAUTH`. */
  readonly code: string | null;

  constructor(message: string, code: string | null = null) {
    super(message);
    this.code = code;
  }
}
