import { standOfSeals } from '../../../src/modules/identity/index.ts';
import { type Check, fault, good, notice } from '../check.ts';

/** Checks ADMIN_SECRETS_KEY, which encrypts the administrators' second factor secrets. */
export const secretsKey: Check = {
  name: 'Codes des administrateurs',
  inProduction: true,
  async look({ kernel: { fork, config } }) {
    const { secretsKey } = config.administrators;
    const { unreadable, unsealed } = await standOfSeals(fork(), secretsKey);
    if (unreadable > 0)
      return fault(
        `ADMIN_SECRETS_KEY n'ouvre pas les secrets de ${unreadable} administrateur(s), qui ne peuvent plus se connecter`,
        "remettez la clé d'avant, ou « prepa admins reset ADRESSE --second-factor »",
      );
    if (secretsKey === null)
      return notice('leurs secrets sont enregistrés tels quels', 'réglez ADMIN_SECRETS_KEY (openssl rand -base64 33)');
    if (unsealed > 0)
      return notice(
        `les secrets de ${unsealed} administrateur(s) datent d'avant ADMIN_SECRETS_KEY et ne sont pas scellés`,
        '« prepa admins reset ADRESSE --second-factor » les fait refaire',
      );
    return good('scellés');
  },
};
