import { ownsTables } from '../../src/platform/database/roles.ts';
import { type Check, good, notice } from './check.ts';

/** The site works without it, and whoever breaks into the server's process may do what the owner may. */
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
