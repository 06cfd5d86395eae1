import type { Letter } from '../../../platform/mail/mailer.ts';
import type { Config } from '../../../platform/settings/config.ts';
import { escapeHtml } from '../../../shared/escapes.ts';
import type { User } from '../accounts/user.entity.ts';

type Addressee = Pick<User, 'username' | 'email'>;

/** What somebody gets who has forgotten a password. @param link leads to the page where a new one is chosen */
export function passwordLetter({ username, email: to }: Addressee, { name: siteName, supportEmail }: Config['site'], link: string): Letter {
  const greeting = `Bonjour ${username},`;
  const reason = `Vous avez demandé à choisir un nouveau mot de passe sur ${siteName}.`;
  const validity = "Ce lien est valable 1 heure et ne sert qu'une fois.";
  const otherwise = `Vous n'avez rien demandé ? Ne faites rien : votre mot de passe reste le même. En cas de doute, écrivez à ${supportEmail}.`;
  return {
    to,
    subject: `Votre nouveau mot de passe sur ${siteName}`,
    text: [greeting, `${reason} Ouvrez ce lien pour le choisir :`, link, validity, otherwise, siteName, ''].join('\n\n'),
    html: [
      '<!DOCTYPE html><html lang="fr"><head><meta charset="utf-8"><title>Nouveau mot de passe</title></head><body>',
      `<p>${escapeHtml(greeting)}</p>`,
      `<p>${escapeHtml(reason)}</p>`,
      `<p><a href="${escapeHtml(link)}">Choisir un nouveau mot de passe</a></p>`,
      `<p>${escapeHtml(validity)}</p>`,
      `<p>${escapeHtml(otherwise)}</p>`,
      `<p>${escapeHtml(siteName)}</p>`,
      '</body></html>',
    ].join('\n'),
  };
}
