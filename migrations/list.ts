// Written by `npm run migration`.
import type { MigrationObject } from '@mikro-orm/postgresql';
import { InitialSchema } from './20261121091150-initial-schema.ts';
import { GuardsAndTriggers } from './20261121091200-guards-and-triggers.ts';
import { Administration } from './20261121120533-administration.ts';
import { Authoring } from './20261121151310-authoring.ts';
import { LearnerSpace } from './20261121190817-learner-space.ts';
import { PassagesAndDeletions } from './20261121212502-passages-and-deletions.ts';
import { PaymentOperations } from './20261121213234-payment-operations.ts';
import { ReconciliationPasses } from './20261122100043-reconciliation-passes.ts';
import { PaymentStatements } from './20261122100412-payment-statements.ts';
import { FunctionsNameWhatTheyNeed } from './20261122100500-functions-name-what-they-need.ts';
import { KnownDevices } from './20261122100847-known-devices.ts';
import { UnansweredStarts } from './20261122100901-unanswered-starts.ts';
import { PartialRefunds } from './20261122101341-partial-refunds.ts';
import { DemoAccounts } from './20261122102601-demo-accounts.ts';
import { UnknownNotifications } from './20261122103500-unknown-notifications.ts';
import { FormulasInPassages } from './20261122104700-formulas-in-passages.ts';
import { FinishedReadings } from './20261122174546-finished-readings.ts';
import { ItemReports } from './20261122174651-item-reports.ts';
import { RetentionAndErasure } from './20261122210738-retention-and-erasure.ts';
import { RetentionIndexes } from './20261122210739-retention-indexes.ts';

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
  { name: '20261122104700-formulas-in-passages', class: FormulasInPassages },
  { name: '20261122174546-finished-readings', class: FinishedReadings },
  { name: '20261122174651-item-reports', class: ItemReports },
  { name: '20261122210738-retention-and-erasure', class: RetentionAndErasure },
  { name: '20261122210739-retention-indexes', class: RetentionIndexes },
];
