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

/** All checks of `prepa doctor` except those of the settings, in display order. */
export const allChecks = ({ providers, config }: Kernel): Check[] => [
  // Environment and configuration
  environment,
  node,
  secretFiles,
  proxy,
  shutdown,
  contact,
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
  disk,
  mediaFolder,
  remoteFiles,
  namedFiles,
  // The site from the Internet
  publicAddress,
  servedRelease,
  // External services: payment providers, mail
  ...providers.list().map(provider),
  providerAddresses,
  mail,
  // Recurring tasks
  overduePayments,
  reconciliation,
  expiry,
  pruning,
  backups,
  administrators,
  secretsKey,
  demoAccounts,
];
