import { MailError } from '../../../src/platform/mail/mailer.ts';
import { type Check, fault, good, notice } from '../check.ts';

const remedies: Record<string, string> = {
  ETLS: "il n'offre pas TLS, sans quoi rien ne lui est confié : prenez smtps:// et son port (465), ou un serveur qui l'offre",
  EAUTH: 'il refuse le nom ou le mot de passe de SMTP_URL',
};

/** Mail is optional: without it, only the support can replace a forgotten password. */
export const mail: Check = {
  name: 'Messagerie',
  async look({ kernel: { mailer } }) {
    if (!mailer)
      return notice(
        "SMTP_URL n'est pas réglé, un mot de passe oublié ne se remplace qu'en écrivant au support",
        'réglez SMTP_URL et MAIL_FROM',
      );
    try {
      return good(await mailer.check());
    } catch (error) {
      if (!(error instanceof MailError)) throw error;
      return fault(error.message, remedies[error.code ?? ''] ?? 'vérifiez le nom et le port de SMTP_URL, et que rien ne barre ce port');
    }
  },
};
