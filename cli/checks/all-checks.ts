import type { Kernel } from '../../src/kernel.ts';
import type { Check } from './check.ts';
import { connections } from './database/connections.ts';
import { database } from './database/database.ts';
import { databaseLog } from './database/database-log.ts';
import { extensions } from './database/extensions.ts';
import { migrations } from './database/migrations.ts';
import { ownSessions, pooler } from './database/pooler.ts';
import { replica } from './database/replicas.ts';
import { rights } from './database/rights.ts';
import { serverRole } from './database/server-role.ts';
import { backups } from './files/backups.ts';
import { disk } from './files/disk.ts';
import { mediaFolder } from './files/media-folder.ts';
import { namedFiles } from './files/named-files.ts';
import { pruning } from './files/pruning.ts';
import { remoteFiles } from './files/remote-files.ts';
import { expiry } from './money/expiry.ts';
import { overduePayments, reconciliation } from './money/payments.ts';
import { providerAddresses } from './money/provider-addresses.ts';
import { provider } from './money/providers.ts';
import { administrators } from './secrets/administrators.ts';
import { demoAccounts } from './secrets/demo-accounts.ts';
import { environment } from './secrets/environment.ts';
import { secretFiles } from './secrets/secret-files.ts';
import { secretsKey } from './secrets/secrets-key.ts';
import { clock } from './site/clock.ts';
import { contact } from './site/contact.ts';
import { exams } from './site/exams.ts';
import { forwarded } from './site/forwarded.ts';
import { letters } from './site/letters.ts';
import { mail } from './site/mail.ts';
import { node } from './site/node.ts';
import { proxy } from './site/proxy.ts';
import { publicAddress } from './site/public-address.ts';
import { publications } from './site/publications.ts';
import { pushMessages } from './site/push-messages.ts';
import { servedRelease } from './site/served-release.ts';
import { shutdown } from './site/shutdown.ts';

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
  pushMessages,
  letters,
  // Recurring tasks
  overduePayments,
  reconciliation,
  expiry,
  publications,
  exams,
  pruning,
  backups,
  administrators,
  secretsKey,
  demoAccounts,
];
