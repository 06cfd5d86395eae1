import { type MigrationObject, MikroORM } from '@mikro-orm/postgresql';
import { InitialSchema } from '../migrations/20261121091150-initial-schema.ts';
import { GuardsAndTriggers } from '../migrations/20261121091200-guards-and-triggers.ts';
import { Administration } from '../migrations/20261121120533-administration.ts';
import { Authoring } from '../migrations/20261121151310-authoring.ts';
import { LearnerSpace } from '../migrations/20261121190817-learner-space.ts';
import { PassagesAndDeletions } from '../migrations/20261121212502-passages-and-deletions.ts';
import { PaymentOperations } from '../migrations/20261121213234-payment-operations.ts';
import { ReconciliationPasses } from '../migrations/20261122100043-reconciliation-passes.ts';
import { PaymentStatements } from '../migrations/20261122100412-payment-statements.ts';
import { FunctionsNameWhatTheyNeed } from '../migrations/20261122100500-functions-name-what-they-need.ts';
import { KnownDevices } from '../migrations/20261122100847-known-devices.ts';
import { UnansweredStarts } from '../migrations/20261122100901-unanswered-starts.ts';
import { PartialRefunds } from '../migrations/20261122101341-partial-refunds.ts';
import { DemoAccounts } from '../migrations/20261122102601-demo-accounts.ts';
import { UnknownNotifications } from '../migrations/20261122103500-unknown-notifications.ts';
import { entities } from './modules.ts';
import { ormOptions } from './platform/database/open-database.ts';

/** Every migration, oldest first: named here, since a bundle has no folder to look into. */
export const migrationList: MigrationObject[] = [
  { name: '20261121091150-initial-schema', class: InitialSchema },
  { name: '20261121091200-guards-and-triggers', class: GuardsAndTriggers },
  { name: '20261121120533-administration', class: Administration },
  { name: '20261121151310-authoring', class: Authoring },
  { name: '20261121190817-learner-space', class: LearnerSpace },
  { name: '20261121212502-passages-and-deletions', class: PassagesAndDeletions },
  { name: '20261121213234-payment-operations', class: PaymentOperations },
  { name: '20261122100043-reconciliation-passes', class: ReconciliationPasses },
  { name: '20261122100412-payment-statements', class: PaymentStatements },
  { name: '20261122100500-functions-name-what-they-need', class: FunctionsNameWhatTheyNeed },
  { name: '20261122100847-known-devices', class: KnownDevices },
  { name: '20261122100901-unanswered-starts', class: UnansweredStarts },
  { name: '20261122101341-partial-refunds', class: PartialRefunds },
  { name: '20261122102601-demo-accounts', class: DemoAccounts },
  { name: '20261122103500-unknown-notifications', class: UnknownNotifications },
];

const offline = 'postgresql://offline@127.0.0.1/offline';

/** Applies every missing migration, in order, in one transaction. Answers the names applied. */
export async function migrateDatabase(url: string): Promise<string[]> {
  const orm = await MikroORM.init(ormOptions({ url, entities, migrations: migrationList, poolSize: 2 }));
  try {
    // The migrator would create a database that is not there: a typing error must not.
    await orm.em.getConnection().execute('select 1');
    return (await orm.migrator.up()).map(({ name }) => name);
  } finally {
    await orm.close(true);
  }
}

/** Compares the committed snapshot with the entities, without a database. Null when they agree, otherwise what is missing. */
export async function checkMigrations(): Promise<string | null> {
  const orm = await MikroORM.init({ ...ormOptions({ url: offline, entities, migrations: migrationList }), connect: false } as never);
  try {
    const changed = await orm.migrator.checkSchema();
    return changed ? 'The entities have changed since the last migration: run `npm run migration -- <purpose>`.' : null;
  } finally {
    await orm.close(true);
  }
}
