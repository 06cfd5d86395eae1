import type { AppConfig } from '../../../src/config.ts';
import { findPooler, nameOf } from '../../../src/platform/database/pooler.ts';
import { poolerAdvice } from '../../../src/platform/database/pooler-advice.ts';
import { type Check, fault, good, notice } from '../check.ts';

/** Checks the connection pooler between the site and PostgreSQL. Prints no line if there is none. */
export const pooler: Check = {
  name: 'Pooler de connexions',
  async look({ kernel: { config } }) {
    const { databaseUrl, databasePool, databaseTimeoutMs } = config;
    if (!databaseUrl) return null;
    const { namedStatements } = databasePool;
    const advice = await poolerAdvice(databaseUrl, { namedStatements, timeoutMs: databaseTimeoutMs });
    const found = advice.found ?? 'aucun';
    if (advice.faults.length > 0) return fault(found, advice.faults.join(' ; '));
    if (advice.hints.length > 0) return notice(found, advice.hints.join(' ; '));
    return advice.found === null ? null : good(found);
  },
};

const ownSession = (
  name: string,
  refused: string,
  way: typeof fault | typeof notice,
  urlOf: (config: AppConfig) => string | null,
): Check => ({
  name,
  async look({ kernel: { config } }) {
    if (!config.databaseUrl) return null;
    const url = urlOf(config);
    const found = await findPooler(url ?? config.databaseUrl);
    if (!found || found.mode === 'session') return null;
    const where = url ? 'mène' : "n'est pas réglé, et DATABASE_URL mène";
    return way(`${where} à ${nameOf(found)}, où ${refused} sont refusées`, "donnez l'adresse de PostgreSQL lui-même");
  },
});

/** Checks that commands which need a session of their own can bypass the pooler. */
export const ownSessions: Check[] = [
  ownSession('COMMANDS_DATABASE_URL', 'les sauvegardes', fault, ({ commandsDatabaseUrl }) => commandsDatabaseUrl),
  // This is a notice, not a fault: the owner's address may be known only to the person who deploys releases.
  ownSession(
    'MIGRATIONS_DATABASE_URL',
    'les migrations et les restaurations',
    notice,
    ({ migrationsDatabaseUrl }) => migrationsDatabaseUrl,
  ),
];
