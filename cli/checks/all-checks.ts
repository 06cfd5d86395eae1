import type { Kernel } from '../../src/kernel.ts';
import { administrators } from './administrators.ts';
import { backups } from './backups.ts';
import type { Check } from './check.ts';
import { clock } from './clock.ts';
import { connections } from './connections.ts';
import { contact } from './contact.ts';
import { database } from './database.ts';
import { databaseLog } from './database-log.ts';
import { demoAccounts } from './demo-accounts.ts';
import { disk } from './disk.ts';
import { environment } from './environment.ts';
import { expiry } from './expiry.ts';
import { extensions } from './extensions.ts';
import { forwarded } from './forwarded.ts';
import { mail } from './mail.ts';
import { mediaFolder } from './media-folder.ts';
import { migrations } from './migrations.ts';
import { namedFiles } from './named-files.ts';
import { node } from './node.ts';
import { overduePayments, reconciliation } from './payments.ts';
import { ownSessions, pooler } from './pooler.ts';
import { providerAddresses } from './provider-addresses.ts';
import { provider } from './providers.ts';
import { proxy } from './proxy.ts';
import { pruning } from './pruning.ts';
import { publicAddress } from './public-address.ts';
import { remoteFiles } from './remote-files.ts';
import { replica } from './replicas.ts';
import { rights } from './rights.ts';
import { secretFiles } from './secret-files.ts';
import { secretsKey } from './secrets-key.ts';
import { servedRelease } from './served-release.ts';
import { serverRole } from './server-role.ts';
import { shutdown } from './shutdown.ts';

/** Every line of `prepa doctor` but those of the settings, in the order that it shows them. */
export const allChecks = ({ providers, config }: Kernel): Check[] => [
  // The settings, beyond what each may be
  environment,
  node,
  secretFiles,
  proxy,
  shutdown,
  contact,
  // The database
  database,
  pooler,
  ...ownSessions,
  ...config.databaseReplicas.urls.map(replica),
  migrations,
  extensions,
  clock,
  connections,
  serverRole,
  rights,
  databaseLog,
  forwarded,
  // Files
  disk,
  mediaFolder,
  remoteFiles,
  namedFiles,
  // The site as others reach it
  publicAddress,
  servedRelease,
  // The world around: providers, mail
  ...providers.list().map(provider),
  providerAddresses,
  mail,
  // What must happen again and again
  overduePayments,
  reconciliation,
  expiry,
  pruning,
  backups,
  // Accounts
  administrators,
  secretsKey,
  demoAccounts,
];
