import type { Command } from 'commander';
import { migrateDatabase } from '../../src/migrations.ts';
import { openDatabaseServer } from '../../src/platform/database/database-server.ts';
import { migrationStatus } from '../../src/platform/database/migration-status.ts';
import { KernelCommand } from '../kernel-command.ts';
import { answer, table } from '../output.ts';
import { loadCommandConfig } from '../settings.ts';

export function dbCommand(): Command {
  const db = new KernelCommand('db').description('base de données');

  db.command('migrate')
    .description('applique les migrations manquantes')
    .action(async (_options, command: Command) => {
      const database = await openDatabaseServer(loadCommandConfig(), 'migrations');
      try {
        const applied = await migrateDatabase(database.url);
        answer(
          command,
          { applied },
          applied.length === 0
            ? 'La base est à jour.'
            : [`${applied.length} migration(s) appliquée(s) :`, ...applied.map((name) => `  ${name}`)].join('\n'),
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
  return db;
}
