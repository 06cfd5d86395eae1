import { loudSettings } from '../../../src/platform/database/connections/quiet-log.ts';
import { roleOf } from '../../../src/platform/database/roles.ts';
import { type Check, good, notice } from '../check.ts';

/** Checks, for each configured role, that failed statements do not write learners' data to PostgreSQL's log. */
export const databaseLog: Check = {
  name: 'Journal de PostgreSQL',
  async look({ kernel: { config } }) {
    const urls = [config.databaseUrl, config.commandsDatabaseUrl, config.migrationsDatabaseUrl].filter((url) => url !== null);
    if (urls.length === 0) return null;
    const loud: string[] = [];
    for (const url of new Set(urls)) {
      const settings = await loudSettings(url);
      if (settings.length > 0) loud.push(`${roleOf(url)} (${settings.join(', ')})`);
    }
    if (loud.length === 0) return good('aucune donnée de candidat');
    return notice(
      `les erreurs peuvent y écrire des données de candidats, par ${loud.join(', ')}`,
      '« prepa db roles », ou les réglages que docs/database-roles.md donne à qui administre PostgreSQL',
    );
  },
};
