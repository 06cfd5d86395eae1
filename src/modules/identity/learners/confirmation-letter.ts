import type { Letter } from '../../../platform/mail/mailer.ts';
import type { Config } from '../../../platform/settings/config.ts';
import { escapeHtml } from '../../../shared/escapes.ts';
import type { Learner } from '../accounts/learner.ts';

/** What a learner gets whose address is not confirmed. @param link leads to the page where it is */
export function confirmationLetter(
  { username, email: to }: Learner,
  { name: siteName, supportEmail }: Config['site'],
  link: string,
): Letter {
  const greeting = `Bonjour ${username},`;
  const reason = `Un compte a été ouvert sur ${siteName} avec cette adresse. Confirmez qu'elle est la vôtre : un mot de passe oublié se remplace par elle.`;
  const validity = "Ce lien est valable 24 heures et ne sert qu'une fois.";
  const otherwise = `Ce compte n'est pas le vôtre ? Ne faites rien, ou écrivez à ${supportEmail}.`;
  return {
    to,
    subject: `Confirmez votre adresse sur ${siteName}`,
    text: [greeting, `${reason} Ouvrez ce lien :`, link, validity, otherwise, siteName, ''].join('\n\n'),
    html: [
      '<!DOCTYPE html><html lang="fr"><head><meta charset="utf-8"><title>Confirmez votre adresse</title></head><body>',
      `<p>${escapeHtml(greeting)}</p>`,
      `<p>${escapeHtml(reason)}</p>`,
      `<p><a href="${escapeHtml(link)}">Confirmer mon adresse</a></p>`,
      `<p>${escapeHtml(validity)}</p>`,
      `<p>${escapeHtml(otherwise)}</p>`,
      `<p>${escapeHtml(siteName)}</p>`,
      '</body></html>',
    ].join('\n'),
  };
}
