import type { Controls } from './control.ts';

const productionTest = 'src/platform/settings/production-settings.test.ts';

/** The connection to PostgreSQL, its roles, and where secrets are stored. */
export const databaseControls: Controls = {
  'database-over-tls': {
    file: 'src/platform/settings/database-address.ts',
    from: 'if (isThisMachine(host)) return null;',
    to: 'if (isThisMachine(host) || host) return null;',
    test: productionTest,
    title: 'production refuses a database on another machine without verified encryption',
  },
  'database-certificates': {
    file: 'src/platform/database/open-database.ts',
    from: 'connectionString: url,',
    to: '',
    test: 'test/database-tls.test.ts',
    title: 'a server without a valid certificate gets no password',
  },
  'journal-by-rights': {
    file: 'src/database-roles.ts',
    from: 'audit_entry: write,',
    to: 'audit_entry: remove,',
    test: 'test/database-roles.test.ts',
    title: 'each database role has exactly the documented rights on every table',
  },
  'drawn-secrets-long': {
    file: 'src/platform/settings/production-settings.ts',
    from: '(secret(env[name])?.length ?? minSecret) < minSecret)',
    to: '(secret(env[name])?.length ?? minSecret) < 0)',
    test: productionTest,
    title: 'production refuses short random secrets',
  },
  'secrets-in-files': {
    file: 'src/platform/settings/secret-files.ts',
    from: 'variables[name] = readSecret(path);',
    to: 'readSecret(path);',
    test: 'src/platform/settings/secret-files.test.ts',
    title: 'every secret can be read from a file',
  },
};
