import { namedRoles } from '../../../src/database-roles.ts';
import { missingRights } from '../../../src/platform/database/roles.ts';
import { type Check, fault, good } from '../check.ts';

/** Maximum number of tables listed. */
const shown = 3;

/** Checks that the configured roles have their rights. They may lose them in a restoration or a manual migration. */
export const rights: Check = {
  name: 'Droits des rôles',
  async look({ kernel: { fork, config } }) {
    const roles = namedRoles(config, config.migrationsDatabaseUrl ?? config.databaseUrl ?? '');
    if (roles.length === 0) return null;
    const lacking: string[] = [];
    for (const { role, rights } of roles) {
      const tables = await missingRights(fork(), role, rights).catch((error: { code?: string }) => {
        if (error.code === '42704') return null;
        throw error;
      });
      if (tables === null) return fault(`le rôle ${role} n'existe pas`, '« prepa db roles »');
      const more = tables.length > shown ? ` et ${tables.length - shown} autre(s) table(s)` : '';
      if (tables.length > 0) lacking.push(`${role} n'a pas ses droits sur ${tables.slice(0, shown).join(', ')}${more}`);
    }
    return lacking.length === 0 ? good(roles.map(({ role }) => role).join(', ')) : fault(lacking.join(' ; '), '« prepa db roles »');
  },
};
