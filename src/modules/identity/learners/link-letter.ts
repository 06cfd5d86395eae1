import type { Letter } from '../../../platform/mail/mailer.ts';
import type { Config } from '../../../platform/settings/config.ts';
import { escapeHtml } from '../../../shared/escapes.ts';

interface LinkLetter {
  subject: string;
  /** Of the HTML, which few programs show. */
  title: string;
  /** Why it is written. */
  reason: string;
  /** What stands before the link where it is plain text. */
  invitation: string;
  /** The link's words. */
  label: string;
  link: string;
  /** How long the link may be used. */
  validity: string;
  /** For whoever did not ask for it. */
  otherwise: string;
}

/** A letter to a learner with one link to follow. */
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
