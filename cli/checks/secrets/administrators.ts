import { countOpenSuperKeys, countSuperAdministrators } from '../../../src/modules/identity/index.ts';
import { type Check, good, notice } from '../check.ts';

export const administrators: Check = {
  name: 'Administrateurs',
  inProduction: true,
  async look({ kernel: { fork, clock } }) {
    const count = await countSuperAdministrators(fork());
    if (count > 0) return good(`${count} super administrateur(s)`);
    if ((await countOpenSuperKeys(fork(), clock.now())) > 0) return good('aucun encore, et des clés attendent à /admin/inscription');
    return notice('aucun super administrateur', '« prepa keys issue --role super_admin », puis /admin/inscription avec les deux clés');
  },
};
