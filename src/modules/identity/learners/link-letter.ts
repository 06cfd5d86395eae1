import { composeLetter, linkParagraph, paragraph } from '../../../platform/mail/compose-letter.ts';
import type { Letter } from '../../../platform/mail/mailer.ts';
import type { Config } from '../../../platform/settings/config.ts';

interface LinkLetter {
  subject: string;
  /** Title of the HTML document; few mail programs show it. */
  title: string;
  /** Reason for the e-mail. */
  reason: string;
  /** Text before the link in the plain-text part. */
  invitation: string;
  /** Label of the link. */
  label: string;
  link: string;
  /** Validity of the link. */
  validity: string;
  /** Advice for a recipient who did not request the e-mail. */
  otherwise: string;
}

/** Returns an e-mail to a learner with one link. */
export function linkLetter(
  { username, email: to }: { username: string; email: string },
  { name: siteName }: Config['site'],
  { subject, title, reason, invitation, label, link, validity, otherwise }: LinkLetter,
): Letter {
  // HTML has the link's label instead of the invitation.
  const why = { ...paragraph(reason), text: `${reason} ${invitation}` };
  const after = [validity, otherwise, siteName].map(paragraph);
  return { to, subject, ...composeLetter(title, [paragraph(`Bonjour ${username},`), why, linkParagraph(label, link), ...after]) };
}
