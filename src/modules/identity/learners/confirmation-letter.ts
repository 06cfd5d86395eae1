import type { Letter } from '../../../platform/mail/mailer.ts';
import type { Config } from '../../../platform/settings/config.ts';
import type { Learner } from '../accounts/learner.ts';
import { linkLetter } from './link-letter.ts';

/** Returns the e-mail that asks a learner to confirm their address. @param link address of the confirmation page */
export const confirmationLetter = (to: Learner, site: Config['site'], link: string): Letter =>
  linkLetter(to, site, {
    subject: `Confirmez votre adresse sur ${site.name}`,
    title: 'Confirmez votre adresse',
    reason: `Un compte a été ouvert sur ${site.name} avec cette adresse. Confirmez qu'elle est la vôtre : un mot de passe oublié se remplace par elle.`,
    invitation: 'Ouvrez ce lien :',
    label: 'Confirmer mon adresse',
    link,
    validity: "Ce lien est valable 24 heures et ne sert qu'une fois.",
    otherwise: `Ce compte n'est pas le vôtre ? Ne faites rien, ou écrivez à ${site.supportEmail}.`,
  });
