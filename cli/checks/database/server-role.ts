import { ownsTables } from '../../../src/platform/database/roles.ts';
import { type Check, good, notice } from '../check.ts';

/** Warns if the server connects as the owner of the tables: an attacker in its process would have the owner's rights. */
export const serverRole: Check = {
  name: 'Rôle du serveur',
  inProduction: true,
  async look({ kernel: { config } }) {
    if (!(await ownsTables(config.databaseUrl ?? ''))) return good('ne possède pas les tables');
    return notice(
      'DATABASE_URL est au propriétaire des tables',
      'donnez au serveur un rôle à lui avec « prepa db roles » (docs/database-roles.md)',
    );
  },
};
