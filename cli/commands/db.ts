import type { Command } from 'commander';
import { createNamedRoles, grantToNamedRoles, namedRoles, namedRolesStatements } from '../../src/database-roles.ts';
import { migrateDatabase } from '../../src/migrations.ts';
import { connected } from '../../src/platform/database/connections/connected.ts';
import { openDatabaseServer } from '../../src/platform/database/database-server.ts';
import { migrationStatus } from '../../src/platform/database/migration-status.ts';
import { requireOwnSession } from '../../src/platform/database/pooler.ts';
import { CliError, usageError } from '../failure.ts';
import { KernelCommand } from '../kernel-command.ts';
import { answer, table } from '../output.ts';
import { askForQuietLog } from '../quiet-log.ts';
import { loadCommandConfig } from '../settings.ts';

function explainCreation(error: unknown): never {
  if ((error as { code?: string }).code !== '42501') throw error;
  throw new CliError("Ce rôle ne peut pas en créer d'autres : créez-les comme docs/database-roles.md le dit, puis recommencez.");
}

export function dbCommand(): Command {
  const db = new KernelCommand('db').description('base de données');

  db.command('migrate')
    .description('applique les migrations manquantes')
    .action(async (_options, command: Command) => {
      const config = loadCommandConfig();
      const database = await openDatabaseServer(config, 'migrations');
      try {
        const applied = await migrateDatabase(database.url);
        const { roles, logPermission } = await grantToNamedRoles(config, database.url);
        answer(
          command,
          { applied, ...(roles.length > 0 && { roles }), ...(logPermission && { logPermission }) },
          [
            applied.length === 0 ? 'La base est à jour.' : `${applied.length} migration(s) appliquée(s) :`,
            ...applied.map((name) => `  ${name}`),
            ...(roles.length === 0 ? [] : [`Droits donnés à ${roles.join(' et ')}.`]),
            ...askForQuietLog(logPermission),
          ].join('\n'),
        );
      } finally {
        await database.close();
      }
    });

  db.command('status')
    .description('montre les migrations appliquées et celles qui manquent')
    .answers(async ({ orm }) => {
      const { applied, pending } = await migrationStatus(orm);
      if (pending.length > 0) process.exitCode = 1;
      return [
        { applied, pending },
        table(['Migration', 'État'], [...applied.map(({ name }) => [name, 'appliquée']), ...pending.map((name) => [name, 'à appliquer'])]),
      ];
    });

  db.command('roles')
    .description(
      'crée les rôles que DATABASE_URL et COMMANDS_DATABASE_URL nomment, et donne à chacun ses droits, pas plus (docs/database-roles.md)',
    )
    .option('--print', "écrit les instructions SQL au lieu de les exécuter ; les rôles n'y sont pas créés")
    .action(async ({ print }: { print?: true }, command: Command) => {
      const config = loadCommandConfig();
      const database = await openDatabaseServer(config, 'migrations');
      try {
        if (namedRoles(config, database.url).length === 0)
          throw usageError(
            'Un seul rôle fait tout : nommez le propriétaire des tables dans MIGRATIONS_DATABASE_URL, un autre rôle dans DATABASE_URL.',
          );
        await connected(database.url, (client) => requireOwnSession(client, database.url));
        if (print) {
          const statements = await namedRolesStatements(config, database.url);
          return answer(command, { statements }, statements.map((statement) => `${statement};`).join('\n'));
        }
        const created = await createNamedRoles(config, database.url).catch(explainCreation);
        const { roles, logPermission } = await grantToNamedRoles(config, database.url);
        answer(
          command,
          { created, roles, ...(logPermission && { logPermission }) },
          [
            ...created.map((role) => `Rôle créé : ${role}`),
            `Droits donnés à ${roles.join(' et ')}.`,
            ...askForQuietLog(logPermission),
          ].join('\n'),
        );
      } finally {
        await database.close();
      }
    });
  return db;
}
