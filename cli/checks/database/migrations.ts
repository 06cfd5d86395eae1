import { migrationStatus } from '../../../src/platform/database/migration-status.ts';
import { type Check, fault, good } from '../check.ts';

export const migrations: Check = {
  name: 'Migrations',
  async look({ kernel: { orm } }) {
    const { pending } = await migrationStatus(orm);
    return pending.length > 0 ? fault(`${pending.length} à appliquer`, '« prepa db migrate »') : good('à jour');
  },
};
