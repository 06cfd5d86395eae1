import type { Letter } from '../../../platform/mail/mailer.ts';
import type { Config } from '../../../platform/settings/config.ts';
import { escapeHtml } from '../../../shared/escapes.ts';

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
  const greeting = `Bonjour ${username},`;
  const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`;
  return {
    to,
    subject,
    text: [greeting, `${reason} ${invitation}`, link, validity, otherwise, siteName, ''].join('\n\n'),
    html: [
      `<!DOCTYPE html><html lang="fr"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head><body>`,
      ...[greeting, reason].map(paragraph),
      `<p><a href="${escapeHtml(link)}">${escapeHtml(label)}</a></p>`,
      ...[validity, otherwise, siteName].map(paragraph),
      '</body></html>',
    ].join('\n'),
  };
}
