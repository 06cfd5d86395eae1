import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrationList } from '../migrations/list.ts';
import { migrateDatabase } from './migrations.ts';
import { paymentTotals } from './modules/payment/index.ts';
import { modules } from './modules.ts';
import type { BackupSubject } from './platform/backup/backup-subject.ts';
import { projectRoot } from './platform/settings/project-root.ts';

export const backupSubject = (): BackupSubject => ({
  product: (JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string }).version,
  migrations: migrationList.map(({ name }) => name),
  migrate: (url, to) => migrateDatabase(url, { to }),
  storedFiles: modules.flatMap(({ storedFiles = [] }) => storedFiles),
  totals: paymentTotals,
});
