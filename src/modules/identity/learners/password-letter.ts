import type { Letter } from '../../../platform/mail/mailer.ts';
import type { Config } from '../../../platform/settings/config.ts';
import type { User } from '../accounts/user.entity.ts';
import { linkLetter } from './link-letter.ts';

/** Returns the e-mail for a forgotten password. @param link address of the page where a new password is chosen */
export const passwordLetter = (to: Pick<User, 'username' | 'email'>, site: Config['site'], link: string): Letter =>
  linkLetter(to, site, {
    subject: `Votre nouveau mot de passe sur ${site.name}`,
    title: 'Nouveau mot de passe',
    reason: `Vous avez demandé à choisir un nouveau mot de passe sur ${site.name}.`,
    invitation: 'Ouvrez ce lien pour le choisir :',
    label: 'Choisir un nouveau mot de passe',
    link,
    validity: "Ce lien est valable 1 heure et ne sert qu'une fois.",
    otherwise: `Vous n'avez rien demandé ? Ne faites rien : votre mot de passe reste le même. En cas de doute, écrivez à ${site.supportEmail}.`,
  });
